import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findChromium } from './find-chromium.mjs';
import { installOwnPackages } from './own-packages.mjs';

export const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** Runs commands with CHROMIUM set, after installing what the browser's programs need. Undefined without a Chromium. */
export function prepareBrowser() {
  const chromium = findChromium();
  if (chromium === undefined) return undefined;
  const env = { ...process.env, CHROMIUM: chromium };
  installOwnPackages(join(ROOT, 'test/browser'), env);
  return (command, args) => execFileSync(command, args, { cwd: ROOT, env, stdio: 'inherit' });
}
