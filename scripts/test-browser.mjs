// The browser tests, or the project of them that is named: they need a Chromium, and packages that have a lockfile of
// their own. Without a Chromium they are left out, and one line says so; REQUIRE_CHROMIUM=1 makes that a failure.
import { prepareBrowser } from './browser-packages.mjs';

const run = prepareBrowser();
if (run === undefined) {
  console.log(
    'Not tested: the pages in a browser, for want of one. To have one: apt-get install chromium, or set CHROMIUM.',
  );
  process.exit(process.env.REQUIRE_CHROMIUM === '1' ? 1 : 0);
}
run('npx', ['tsc', '-p', 'test/browser']);
try {
  const asked = process.argv.slice(2);
  const all = asked.includes('--project') ? [] : ['--project', 'browser', '--project', 'browser-slow'];
  run('npx', ['vitest', 'run', ...all, ...asked]);
} catch {
  process.exit(1);
}
