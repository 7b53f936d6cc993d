import { execFileSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findChromium } from './find-chromium.mjs';

export const ROOT = fileURLToPath(new URL('..', import.meta.url));
const FOLDER = join(ROOT, 'test/browser');

/** Runs commands with CHROMIUM set, after installing what the browser's programs need. Undefined without a Chromium. */
export function prepareBrowser() {
  const chromium = findChromium();
  if (chromium === undefined) return undefined;
  const env = { ...process.env, CHROMIUM: chromium };
  const run = (command, args, cwd = ROOT) => execFileSync(command, args, { cwd, env, stdio: 'inherit' });
  if (!isInstalled()) run('npm', ['ci', '--no-audit', '--no-fund', '--workspaces=false'], FOLDER);
  return run;
}

/** npm writes this file at the end of an install. */
function isInstalled() {
  const mark = join(FOLDER, 'node_modules/.package-lock.json');
  return existsSync(mark) && statSync(mark).mtimeMs >= statSync(join(FOLDER, 'package-lock.json')).mtimeMs;
}
