// Runs actionlint over .github/workflows and the workflows in README.md and docs. Without actionlint and Go nothing is
// checked, which is said; with REQUIRE_ACTIONLINT=1 it is a failure.
import { spawnSync } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { findWorkflows } from '../test/support/repo-checks/documented-workflows.ts';

const VERSION = 'v1.7.12';
const root = join(import.meta.dirname, '..');
const folder = join(root, '.cache', 'bin');
const name = process.platform === 'win32' ? 'actionlint.exe' : 'actionlint';

function onPath(program: string): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter);
  return folders.map((one) => join(one, program)).find((path) => existsSync(path));
}

/** On PATH, or built once into .cache/bin where there is Go. */
function findActionlint(): string | undefined {
  const kept = join(folder, name);
  const found = onPath(name) ?? (existsSync(kept) ? kept : undefined);
  if (found !== undefined) return found;
  const go = spawnSync('go', ['install', `github.com/rhysd/actionlint/cmd/actionlint@${VERSION}`], {
    env: { ...process.env, GOFLAGS: '-mod=mod', GOBIN: folder },
    stdio: ['ignore', 'ignore', 'pipe'],
    encoding: 'utf8',
    timeout: 300_000,
  });
  if (go.error === undefined && go.status !== 0) console.error(go.stderr.trim());
  return existsSync(kept) ? kept : undefined;
}

/** Without shellcheck and pyflakes, which only some machines have: the answer is the same on all. */
function lint(actionlint: string, args: readonly string[], input?: string): boolean {
  const options = ['-shellcheck=', '-pyflakes=', ...args];
  const { status } = spawnSync(actionlint, options, { cwd: root, input, stdio: ['pipe', 'inherit', 'inherit'] });
  return status === 0;
}

function workflowsIn(file: string): readonly { readonly file: string; readonly yaml: string }[] {
  return findWorkflows(readFileSync(join(root, file), 'utf8')).map(({ yaml }) => ({ file, yaml }));
}

const actionlint = findActionlint();
if (actionlint === undefined) {
  const how = `install Go, or actionlint ${VERSION} (https://github.com/rhysd/actionlint) on PATH`;
  console.log(`The workflows were not checked, for want of actionlint. To have it: ${how}.`);
  if (process.env.REQUIRE_ACTIONLINT === '1') process.exitCode = 1;
} else {
  const examples = globSync(['README.md', 'docs/**/*.md'], { cwd: root, exclude: ['**/node_modules'] }).flatMap(
    workflowsIn,
  );
  const results = [
    lint(actionlint, []),
    ...examples.map(({ file, yaml }) => lint(actionlint, ['-stdin-filename', file, '-'], yaml)),
  ];
  if (results.includes(false)) process.exitCode = 1;
  else console.log(`actionlint: the workflows and ${examples.length} in README.md and docs are good.`);
}
