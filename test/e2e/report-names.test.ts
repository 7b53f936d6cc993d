import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { BuildJson } from '@coverage/shared';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type ActionScene, pushOf, REPO, startActionScene } from '../support/action-scene.ts';
import { createGitRepo, type GitRepo } from '../support/git-repo.ts';
import { someOf } from '../support/property-runs.ts';
import { runCommand } from '../support/run-command.ts';
import { type ActionResult, runAction } from '../support/runner-stand-in/run-action.ts';

/** The built action in real checkouts, with reports that name their files as tools and machines do. */

/** Hits of lines, by name. */
type Named = Readonly<Record<string, readonly number[]>>;

const text = (lines: number): string => 'line\n'.repeat(lines);
const lcov = (named: Named): string =>
  Object.entries(named)
    .map(([name, hits]) => `SF:${name}\n${hits.map((count, index) => `DA:${index + 1},${count}\n`).join('')}`)
    .map((record) => `${record}end_of_record\n`)
    .join('');

let scene: ActionScene;
let repo: GitRepo;
let runs = 0;
beforeAll(async () => {
  scene = await startActionScene();
});
afterEach(() => repo.remove());
afterAll(() => scene.end());

/** Uploads a report of a checkout with files of this many lines; answers the build too. */
async function upload(
  tracked: Readonly<Record<string, number>>,
  named: Named,
  { links = {}, report = 'lcov.info' }: { readonly links?: Readonly<Record<string, string>>; report?: string } = {},
): Promise<{ readonly result: ActionResult; readonly build: BuildJson; readonly totals: string }> {
  repo = createGitRepo();
  runs += 1;
  for (const [name, target] of Object.entries(links)) symlinkSync(target, join(repo.directory, name));
  const sha = repo.commit(
    `Commit ${runs}`,
    Object.fromEntries(Object.entries(tracked).map(([name, lines]) => [name, text(lines)])),
  );
  scene.github.addCommit(REPO, { sha, branch: 'main' });
  mkdirSync(dirname(join(repo.directory, report)), { recursive: true });
  writeFileSync(join(repo.directory, report), lcov(named));
  const step = { workspace: repo.directory, event: pushOf(sha), runId: `90${runs}` };
  const result = await scene.step({ file: report }, step);
  expect(result.exitCode, result.stdout).toBe(0);
  const build = await scene.service.closed(result.outputs['build-url']?.split('/').at(-1) ?? '');
  return { result, build, totals: `${build.covered_lines}/${build.relevant_lines}` };
}

describe('a tracked file that a report names counts', () => {
  const app = { 'main.py': 3, 'lib/calc.py': 2 };
  const atRoot = (start: string): Named => ({ [`${start}main.py`]: [1, 0, 0], [`${start}lib/calc.py`]: [1, 1] });

  const CASES: readonly [string, Readonly<Record<string, number>>, Named, string][] = [
    [
      'in vendor',
      { 'app/a.py': 1, 'app/vendor/models.py': 3 },
      { 'app/a.py': [1], 'app/vendor/models.py': [0, 0, 0] },
      '1/4',
    ],
    ['in target', { 'a.rs': 1, 'target/b.rs': 1 }, { 'a.rs': [1], 'target/b.rs': [0] }, '1/2'],
    [
      'in site-packages',
      { 'a.py': 1, 'x/site-packages/b.py': 1 },
      { 'a.py': [1], './x/site-packages/b.py': [0] },
      '1/2',
    ],
    ['beside one that ends alike', { 'src/i.js': 2, 'packages/a/src/i.js': 2 }, { 'src/i.js': [1, 0] }, '1/2'],
    ['in a container', app, atRoot('/app/'), '3/5'],
    ['in a job’s container', app, atRoot('/__w/shop/shop/'), '3/5'],
    ['on Windows', app, atRoot('D:\\a\\shop\\shop\\'), '3/5'],
    ['in an unknown place', app, atRoot('/srv/checkouts/7/'), '3/5'],
    ['alone in an unknown place', app, { '/srv/checkouts/7/main.py': [1, 0, 0] }, '1/3'],
    ['by letters of macOS', { 'src/caf\u00e9.js': 2 }, { 'src/cafe\u0301.js': [1, 0] }, '1/2'],
    ['as git has it from macOS', { 'src/cafe\u0301.js': 2 }, { 'src/caf\u00e9.js': [1, 0] }, '1/2'],
    ['by webpack', { 'src/a.js': 2 }, { 'webpack://shop/./src/a.js?9f3c': [1, 0] }, '1/2'],
    ['by vite', { 'src/a.js': 2 }, { '/src/a.js?v=1f': [1, 0] }, '1/2'],
    ['by rollup', { 'src/a.js': 2, 'packages/x/src/a.js': 1 }, { '../src/a.js': [1, 0] }, '1/2'],
  ];
  test.each(someOf(CASES))('%s', async (_, tracked, named, totals) => {
    const found = await upload(tracked, named);
    expect(found.totals, found.result.stdout).toBe(totals);
    expect(found.build.warnings).toEqual([]);
    expect(found.result.stdout).not.toContain('::warning::');
  });

  test('through a link to its folder, under its own name', async () => {
    const tracked = { 'packages/core/index.js': 2 };
    const { totals } = await upload(tracked, { 'core/index.js': [1, 0] }, { links: { core: 'packages/core' } });
    expect(totals).toBe('1/2');
    const { stdout } = await runCommand(['show', 'lcov.info'], { folder: repo.directory });
    expect(stdout).toContain('packages/core/index.js');
  });
});

describe('what is left out is a warning of the log, the summary and the build', () => {
  const plain = (markdown: string): string => markdown.replaceAll('\\', '');
  const page = async (build: BuildJson): Promise<string> =>
    (
      await scene.service.api.send(build.url, {
        headers: { accept: 'text/html', authorization: `token ${scene.token}` },
      })
    ).text;

  test('files that are not in the checkout', async () => {
    const named = { 'a.c': [1], '/usr/include/x.h': [1, 0], '/usr/include/y.h': [0], 'build/<gen>.c': [0] };
    const { build, result, totals } = await upload({ 'a.c': 1 }, named);
    expect(totals).toBe('1/1');
    const said = 'Left out, because not in the checkout: 3 files, in /usr/include, build';
    expect(result.stdout).toContain(`::warning::${said}`);
    expect(result.stdout).toContain('  /usr/include (2 files)');
    const sentence = 'The upload left out 3 files of its reports that are not in the checkout';
    expect(plain(result.summary)).toContain(`: ${sentence}`);
    expect(build.warnings).toEqual([
      expect.stringMatching(new RegExp(`^Job .*: ${sentence} \\(in "/usr/include", "build"\\)\\.$`)),
    ]);
    expect(await page(build)).toContain(sentence);
  });

  test('lines beyond the end of their file', async () => {
    const { build, result, totals } = await upload({ 'a.js': 2, 'b.js': 1 }, { 'a.js': [1, 0, 5, 0, 0], 'b.js': [1] });
    expect(totals).toBe('2/3');
    expect(result.stdout).toContain('::warning::Left out, because beyond the end of the file: 3 lines of 1 file');
    expect(result.stdout).toContain('  a.js has 2 lines, and its report 3 beyond them');
    expect(result.summary).toContain('2 files, 2 of 3 lines covered');
    expect(plain(result.summary)).toContain(': 3 lines beyond the end of 1 file are left out');
    expect(build.warnings.join()).toContain('3 lines beyond the end of 1 file are left out');
    expect(await page(build)).toContain('3 lines beyond the end of 1 file are left out');
  });

  test('names that fit several files, where that is allowed', async () => {
    repo = createGitRepo();
    const sha = repo.commit('Two', { 'x/s/i.js': text(1), 'y/s/i.js': text(1), 'a.js': text(1) });
    scene.github.addCommit(REPO, { sha, branch: 'main' });
    writeFileSync(join(repo.directory, 'lcov.info'), lcov({ 'a.js': [1], 's/i.js': [1] }));
    const inputs = { 'server-url': scene.service.url, 'repo-token': scene.token, 'allow-ambiguous': 'true' };
    const step = { workspace: repo.directory, event: pushOf(sha), runId: '9999' };
    const { exitCode, stdout, summary } = await runAction({ ...step, inputs });
    expect(exitCode, stdout).toBe(0);
    expect(plain(summary)).toContain('1 file of its reports that may match several files');
    const parallel = await runAction({ ...step, inputs: { ...inputs, parallel: 'true' } });
    expect(plain(parallel.summary)).toContain('> Left out, because several files of the checkout fit: 1 file');
    const [build] = (await scene.service.api.buildJson(sha)).json.warnings;
    expect(build).toContain('1 file of its reports that may match several files');
  });
});
