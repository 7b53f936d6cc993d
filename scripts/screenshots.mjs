// Takes the pictures in docs/images from the demo's data, in a Chromium.
import { prepareBrowser } from './browser-packages.mjs';

const run = prepareBrowser();
if (run === undefined) {
  console.log('No pictures without a Chromium. To have one: apt-get install chromium, or set CHROMIUM.');
  process.exit(1);
}
try {
  run(process.execPath, ['test/browser/screenshots/take-screenshots.ts']);
} catch {
  process.exit(1);
}
