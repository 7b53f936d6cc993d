// A release, tried without publishing anything, and the version that all places name.
//   npm run release -- --dry-run [--to packages/release] [--platform linux-x64]
//   npm run release -- --set 1.2.3
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { setVersion, tryRelease } from '../test/support/packages/try-release.ts';

const USAGE = 'npm run release -- --dry-run [--to <folder>] [--platform <platform>] | --set <version>';
const root = resolve(import.meta.dirname, '..');
const { values } = parseArgs({
  options: {
    'dry-run': { type: 'boolean' },
    set: { type: 'string' },
    to: { type: 'string', default: 'packages/release' },
    platform: { type: 'string', multiple: true },
  },
});
if (values.set !== undefined) setVersion(root, values.set);
else if (values['dry-run'])
  tryRelease({ to: resolve(root, values.to), platforms: values.platform, tell: (line) => console.log(line) });
else {
  console.error(`A tag such as v1.2.3 publishes a release (docs/architecture/recipes.md). Usage: ${USAGE}`);
  process.exitCode = 2;
}
