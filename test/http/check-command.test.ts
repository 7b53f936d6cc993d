import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BuildJson, PreviewJson } from '@coverage/shared';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { job, sourceFile } from '../support/coverage-api.ts';
import { createGitRepo, type GitRepo } from '../support/git-repo.ts';
import { type GithubStandIn, startGithubStandIn } from '../support/github-stand-in/github-stand-in.ts';
import { runCommand } from '../support/run-command.ts';
import { type Service, startService } from '../support/service.ts';

/** The built command with real git, before the push. */

let github: GithubStandIn;
let service: Service;
let repo: GitRepo;
beforeAll(async () => {
  github = await startGithubStandIn();
  service = await startService({ github });
});
afterAll(async () => {
  await service.stop();
  await github.close();
});
beforeEach(() => {
  repo = createGitRepo();
});
afterEach(() => repo.remove());

const lcov = (files: Readonly<Record<string, readonly number[]>>): string =>
  Object.entries(files)
    .map(([name, hits]) => `SF:${name}\n${hits.map((count, at) => `DA:${at + 1},${count}\n`).join('')}end_of_record\n`)
    .join('');
const write = (name: string, text: string) => writeFileSync(join(repo.directory, name), text);
const run = (args: readonly string[], token = '') =>
  runCommand(args, {
    folder: repo.directory,
    env: { COVERAGE_ENDPOINT: service.url, ...(token === '' ? {} : { COVERALLS_REPO_TOKEN: token }) },
  });

/** Build 1 of the first commit of main, where all is covered. */
async function begin(kind: 'github' | 'gitlab') {
  const name = `octo/check-${Date.now()}-${kind}`;
  if (kind === 'github') github.addRepo(name, { defaultBranch: 'main' });
  const { token } = await service.newRepo({ service: kind, name });
  const base = repo.commit('base', { 'a.js': 'one();\ntwo();\n', '.gitignore': 'lcov.info\n' });
  const source_files = [sourceFile('a.js', [1, 1])];
  const sent = { ...job({ repo_token: token }), commit_sha: base, git: { branch: 'main' }, source_files };
  await service.uploadAlone(sent);
  return { token, base };
}

describe('check', () => {
  test('what is not committed yet counts; ends with 1, and with 0 once it is covered', async () => {
    const { token, base } = await begin('github');
    repo.switchTo('topic');
    repo.commit('topic', { 'a.js': 'one();\ntwo();\nthree();\n' });
    write('a.js', 'one();\ntwo();\nthree();\nfour();\n');
    write('lcov.info', lcov({ 'a.js': [1, 1, 1, 0] }));
    const failing = await run(['check'], token);
    expect(failing).toMatchObject({ code: 1, stderr: '' });
    expect(failing.stdout).toBe(
      [
        'Will fail: 75.00%, −25.00 points from 100.00%: no decrease allowed ' +
          `(base ${base.slice(0, 7)}, merge base). 50.00% of the change covered; cover 1 more to pass`,
        'Compared with build 1: the merge base.',
        'What would pass:',
        '  the build: Cover the missed line in this change to pass.',
        '',
        'Changed lines without a test:',
        'a.js',
        '  - 4  four();',
        '',
        '1 line without a test in 1 file.',
        '',
      ].join('\n'),
    );
    write('lcov.info', lcov({ 'a.js': [1, 1, 1, 1] }));
    expect(await run(['check', '--quiet'], token)).toMatchObject({ code: 0 });
    expect(repo.git('status', '--porcelain')).toBe('M a.js'.padStart(7));
  });

  test('says what the upload of the same reports says afterward', async () => {
    const { token, base } = await begin('gitlab');
    repo.switchTo('topic');
    const head = repo.commit('topic', { 'a.js': 'one();\nnew();\ntwo();\n', 'b.js': 'b();\n' });
    write('lcov.info', lcov({ 'a.js': [1, 0, 1], 'b.js': [0] }));
    const { code, stdout } = await run(['check', '--json', '--flag=unit', '--pull-request=7'], token);
    const ci = {
      COVERAGE_ENDPOINT: service.url,
      COVERALLS_REPO_TOKEN: token,
      GITLAB_CI: 'true',
      CI_PIPELINE_IID: '2',
      CI_COMMIT_SHA: head,
      CI_COMMIT_REF_NAME: 'topic',
      CI_MERGE_REQUEST_IID: '7',
      CI_MERGE_REQUEST_TARGET_BRANCH_NAME: 'main',
      CI_MERGE_REQUEST_DIFF_BASE_SHA: base,
    };
    const uploaded = await runCommand(['report', '--job-flag=unit'], { folder: repo.directory, env: ci });
    expect([code, uploaded.code]).toEqual([1, 0]);
    const build = await service.closed((await service.api.buildJson(head)).json.id);
    const preview = JSON.parse(stdout) as PreviewJson;
    const numbers = ({ verdict, covered_percent, coverage_change, patch, cause, flags }: PreviewJson | BuildJson) => ({
      ...{ verdict, covered_percent, coverage_change, patch, cause, flags },
    });
    expect(numbers(preview)).toEqual(numbers(build));
    expect(preview.base).toMatchObject({ build: build.base?.build, rule: build.base?.rule });
  });

  test('a base that is some commits away: with the diffs that the server asks for', async () => {
    const { token, base } = await begin('github');
    repo.commit('on main', { 'c.js': 'c();\n' });
    repo.switchTo('topic');
    repo.commit('topic', { 'a.js': 'one();\nTWO();\n' });
    write('lcov.info', lcov({ 'a.js': [1, 1], 'c.js': [0] }));
    const { code, stdout } = await run(['check', '--json'], token);
    const { base: taken, cause, wanted_diffs } = JSON.parse(stdout) as PreviewJson;
    expect(code).toBe(1);
    expect(taken).toMatchObject({ commit_sha: base, rule: 'ancestor', commits_away: 1 });
    expect(cause?.sentence).toContain('came with 1 commit on main that has no build to compare with');
    expect(wanted_diffs).toEqual([]);
  });

  test('a personal token with its repo; no server, no token, a branch that is not there, a refusal', async () => {
    const { token } = await begin('gitlab');
    write('lcov.info', lcov({ 'a.js': [1, 1] }));
    const { name } = (await service.newRepo()) as { name: string };
    const env = { COVERAGE_ENDPOINT: service.url, COVERAGE_TOKEN: await service.tokenOf('ada', 'administrator') };
    const personal = await runCommand(['check', `--repo=manual/${name}`], { folder: repo.directory, env });
    expect(personal).toMatchObject({ code: 0, stdout: expect.stringContaining('There is no build to compare with') });
    const codes = [
      await runCommand(['check'], { folder: repo.directory, env: { COVERALLS_REPO_TOKEN: token } }),
      await run(['check']),
      await run(['check', '--base=nowhere'], token),
      await run(['check', '--pull-request=x'], token),
      await run(['check', '--timeout=never'], token),
      await run(['check'], 'wrong'),
      await runCommand(['check', '--timeout=1'], {
        folder: repo.directory,
        env: { COVERAGE_ENDPOINT: 'http://127.0.0.1:9', COVERALLS_REPO_TOKEN: token },
      }),
    ].map(({ code }) => code);
    expect(codes).toEqual([2, 2, 2, 2, 2, 3, 4]);
  });

  test('speaks of its own options, and of no address where the server answered about a repo', async () => {
    await begin('gitlab');
    write('lcov.info', lcov({ 'a.js': [1, 1] }));
    const away = { COVERAGE_ENDPOINT: 'http://127.0.0.1:9', COVERALLS_REPO_TOKEN: 'x' };
    const unreached = await runCommand(['check', '--timeout=1'], { folder: repo.directory, env: away });
    expect(unreached.stderr).toMatch(/check the URL in --endpoint[, ]/i);
    const elsewhere = { COVERAGE_ENDPOINT: `${service.url}/elsewhere`, COVERALLS_REPO_TOKEN: 'x' };
    const strange = await runCommand(['check'], { folder: repo.directory, env: elsewhere });
    expect(strange.stderr).toContain('check the URL in --endpoint: there is no coverage API');
    const env = { COVERAGE_ENDPOINT: service.url, COVERAGE_TOKEN: await service.tokenOf('ada', 'administrator') };
    const unknown = await runCommand(['check', '--repo=manual/not-there'], { folder: repo.directory, env });
    expect(unknown).toMatchObject({ code: 3, stderr: expect.stringContaining('not-there') });
    expect(unknown.stderr).not.toContain('coverage API');
  });
});

test('an edit of the same length counts, also right after the commit', async () => {
  const { token } = await begin('github');
  write('lcov.info', lcov({ 'a.js': [0, 0] }));
  repo.switchTo('topic');
  // Within one second, git's index alone cannot tell them apart.
  repo.commit('topic', { 'a.js': 'ONE();\ntwo();\n' });
  write('a.js', 'ONE();\nTWO();\n');
  const { stdout } = await run(['check', '--json'], token);
  const { patch } = JSON.parse(stdout) as PreviewJson;
  expect(patch).toMatchObject({ relevant_lines: 2 });
});

test('judges by coverage.yml as it is where the change begins, though the server has never read it', async () => {
  const { token } = await begin('github');
  const file = '.github/coverage.yml';
  repo.commit('rules', { [file]: 'total: { minimum: 90, drop: 100 }\n' });
  repo.switchTo('topic');
  repo.commit('topic', { 'a.js': 'one();\ntwo();\nthree();\nfour();\n' });
  write(file, 'total: { minimum: 5, drop: 100 }\n');
  write('lcov.info', lcov({ 'a.js': [1, 1, 1, 0] }));
  const failing = await run(['check'], token);
  expect(failing).toMatchObject({ code: 1 });
  expect(failing.stdout).toContain('below 90%');
  expect(failing.stderr).toContain('This change edits .github/coverage.yml: total.minimum 90 → 5');
  write('lcov.info', lcov({ 'a.js': [1, 1, 1, 1] }));
  expect(await run(['check'], token)).toMatchObject({ code: 0 });
});
