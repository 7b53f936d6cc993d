import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildChunk, bundledPackages, licenseNotices } from './bundling.ts';
import { loadBuiltInsLate } from './late-built-ins.ts';

/*
 * Builds action/dist: main.js, the one file that `uses:` runs, and LICENSES.txt, the notices of the packages in it.
 * Both are committed. With --check nothing is written: exit 1 where the committed files are not what the sources build,
 * byte for byte.
 */

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const folder = join(root, 'action', 'dist');

const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  readonly version: string;
};
const chunk = await buildChunk({
  root,
  input: join(root, 'action', 'src', 'main.ts'),
  define: { ACTION_VERSION: JSON.stringify(version) },
});
const packages = bundledPackages(chunk);
const code = loadBuiltInsLate(chunk.code);
const files = { 'main.js': code, 'LICENSES.txt': licenseNotices(packages, { root, file: 'main.js' }) };
const size = `${(Buffer.byteLength(code) / 1000).toFixed(1)} KB`;

if (process.argv.includes('--check')) {
  const stale = Object.entries(files)
    .filter(([name, text]) => !existsSync(join(folder, name)) || readFileSync(join(folder, name), 'utf8') !== text)
    .map(([name]) => `action/dist/${name}`);
  if (stale.length > 0) {
    console.error(
      `Not what the sources build: ${stale.join(' and ')}. Run "npm run build:action" and commit the result.`,
    );
    process.exit(1);
  }
  console.log(`action/dist is what the sources build (${size}).`);
} else {
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  console.log(`action/dist/main.js: ${size}, with code of ${packages.length} packages.`);
}
