// The browser tests: they need a Chromium, and packages that have a lockfile of their own. Without a Chromium they are
// left out, and one line says so; REQUIRE_CHROMIUM=1 makes that a failure.
import { execFileSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findChromium } from './find-chromium.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = join(root, 'test/browser');
const chromium = findChromium();
const env = { ...process.env, CHROMIUM: chromium };
const run = (command, args, cwd = root) => execFileSync(command, args, { cwd, env, stdio: 'inherit' });

if (chromium === undefined) {
  console.log(
    'Not tested: the pages in a browser, for want of one. To have one: apt-get install chromium, or set CHROMIUM.',
  );
  process.exit(process.env.REQUIRE_CHROMIUM === '1' ? 1 : 0);
}
if (!isInstalled()) run('npm', ['ci', '--no-audit', '--no-fund', '--workspaces=false'], folder);
run('npx', ['tsc', '-p', 'test/browser']);
try {
  run('npx', ['vitest', 'run', '--project', 'browser', ...process.argv.slice(2)]);
} catch {
  process.exit(1);
}

/** npm writes this file at the end of an install. */
function isInstalled() {
  const mark = join(folder, 'node_modules/.package-lock.json');
  return existsSync(mark) && statSync(mark).mtimeMs >= statSync(join(folder, 'package-lock.json')).mtimeMs;
}
