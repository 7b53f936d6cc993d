// The site of docs/: `npm run docs` builds it, `npm run docs -- dev` shows it and every change. The generator has a
// lockfile of its own, and is installed when it is asked for.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { installOwnPackages } from './own-packages.mjs';

const [command = 'build', ...args] = process.argv.slice(2);
const tool = fileURLToPath(new URL('../tools/docs-site', import.meta.url));
installOwnPackages(tool);
const begin = performance.now();
const program = join(tool, 'node_modules/vitepress/bin/vitepress.js');
const { status } = spawnSync(process.execPath, [program, command, ...args], { cwd: tool, stdio: 'inherit' });
if (status === 0 && command === 'build')
  console.log(`docs: a site in .cache/docs-site, in ${((performance.now() - begin) / 1_000).toFixed(1)} s`);
process.exitCode = status ?? 1;
