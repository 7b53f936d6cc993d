// Before what is built is run: builds it where it is missing, or older than its sources, and says so.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import './check-runtime.mjs';

const root = join(import.meta.dirname, '..');
const inRoot = (path) => join(root, path);
/** Written by every build. */
const ENTRY = inRoot('server/dist/main.js');
const DOCS = inRoot('server/dist/docs.json');

function newestChange(path) {
  const stat = statSync(path);
  if (!stat.isDirectory()) return stat.mtimeMs;
  // A folder's own time tells of what was removed from it.
  const entries = readdirSync(path).filter((name) => !/\.test\.tsx?$/.test(name));
  return Math.max(stat.mtimeMs, ...entries.map((name) => newestChange(join(path, name))));
}

function whyBuild() {
  if (!existsSync(ENTRY) || !existsSync(DOCS)) return 'nothing is built yet';
  const sources = [
    'shared/src',
    'server/src',
    'server/tsconfig.json',
    'tsconfig.base.json',
    'package-lock.json',
    'docs',
  ];
  return Math.max(...sources.map(inRoot).map(newestChange)) > statSync(ENTRY).mtimeMs
    ? 'its sources have changed'
    : undefined;
}

const why = whyBuild();
if (why !== undefined && existsSync(inRoot('node_modules/typescript'))) {
  console.error(`Building the server, once, since ${why}.`);
  const { status } = spawnSync('npm', ['run', '--silent', 'build'], { cwd: root, stdio: ['ignore', 2, 2] });
  if (status !== 0) process.exit(1);
} else if (why !== undefined && !existsSync(ENTRY)) {
  console.error(
    'Nothing is built here, and what builds it was left out (--omit=dev): take the archive of a release, which needs ' +
      'no npm (docs/deploy.md), or run `npm ci`.',
  );
  process.exit(1);
}
