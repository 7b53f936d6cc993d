import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type CoverageApi, coverageApi } from '../support/coverage-api.ts';
import { createGitRepo, type GitRepo } from '../support/git-repo.ts';
import { runCommand, USERS_NODE } from '../support/run-command.ts';
import { type ServerProcess, startServer } from '../support/server-process.ts';

/** The built command, as several CIs run it, against the built server. */

const lcov = (hits: readonly number[]): string =>
  `SF:src/cart.js\n${hits.map((count, index) => `DA:${index + 1},${count}`).join('\n')}\nend_of_record\n`;

let server: ServerProcess;
let api: CoverageApi;
let repo: GitRepo;
let token: string;
let base: string;
let head: string;

beforeAll(async () => {
  server = await startServer();
  api = coverageApi(server.url, server.adminToken);
  ({ token } = await api.createRepo({ service: 'gitlab', name: 'acme/shop' }));
  repo = createGitRepo();
  base = repo.commit('Add the cart', { 'src/cart.js': 'one();\ntwo();\nthree();\n', '.gitignore': 'lcov.info\n' });
  repo.switchTo('coupons');
  head = repo.commit('Take coupons', { 'src/cart.js': 'one();\ntwo();\nfour();\nfive();\n' });
});
afterAll(async () => {
  repo.remove();
  await server.dispose();
});

const secrets = () => ({ COVERAGE_ENDPOINT: server.url, COVERALLS_REPO_TOKEN: token });
const inFolder = (env: Record<string, string>, node = USERS_NODE) => ({ folder: repo.directory, env, node });
const write = async (text: string): Promise<void> => {
  const { writeFile } = await import('node:fs/promises');
  await writeFile(`${repo.directory}/lcov.info`, text);
};
const buildOf = async (sha: string) => (await api.buildJson(sha)).json;

describe('report', () => {
  test('GitLab CI: a branch, then a merge request with the lines that it changed', async () => {
    const gitlab = {
      GITLAB_CI: 'true',
      CI_PIPELINE_IID: '70',
      CI_JOB_NAME: 'test',
      CI_COMMIT_REF_NAME: 'main',
      CI_COMMIT_SHA: base,
      CI_PIPELINE_URL: 'https://gitlab.example/acme/shop/-/pipelines/70',
      CI_JOB_URL: 'https://gitlab.example/acme/shop/-/jobs/700',
    };
    await write(lcov([1, 1, 1]));
    repo.git('checkout', '-q', base);
    const first = await runCommand(['report'], inFolder({ ...secrets(), ...gitlab }));
    expect(first).toMatchObject({ code: 0 });
    expect(first.stderr).toContain('This is a run of GitLab CI.');
    expect(await buildOf(base)).toMatchObject({
      number: '70',
      branch: 'main',
      covered_lines: 3,
      relevant_lines: 3,
      commit_message: 'Add the cart',
    });

    repo.switchTo('coupons');
    await write(lcov([1, 1, 1, 0]));
    const mergeRequest = {
      ...gitlab,
      CI_PIPELINE_IID: '71',
      CI_COMMIT_REF_NAME: 'coupons',
      CI_COMMIT_SHA: head,
      CI_MERGE_REQUEST_IID: '7',
      CI_MERGE_REQUEST_SOURCE_BRANCH_NAME: 'coupons',
      CI_MERGE_REQUEST_TARGET_BRANCH_NAME: 'main',
      CI_MERGE_REQUEST_DIFF_BASE_SHA: base,
    };
    const planned = await runCommand(['report', '--dry-run'], inFolder({ ...secrets(), ...mergeRequest }));
    expect(planned).toMatchObject({ code: 0, stderr: expect.stringContaining('service_pull_request: 7') });
    const asJson = await runCommand(['report', '--dry-run', '--json'], inFolder({ ...secrets(), ...mergeRequest }));
    const { would_send: unsent } = JSON.parse(asJson.stdout) as { would_send: { url: string; body: object } };
    expect(unsent.body).toMatchObject({
      service_pull_request: '7',
      commit_sha: head,
      source_files: [{ coverage: [1, 1, 1, 0] }],
    });
    expect(unsent.body).not.toHaveProperty('repo_token');
    const second = await runCommand(['report', '--wait', '--json'], inFolder({ ...secrets(), ...mergeRequest }));
    expect(second).toMatchObject({ code: 1, stderr: expect.stringContaining('failure') });
    expect(JSON.parse(second.stdout)).toMatchObject({ coverage: '75.00', change: '-25.00', verdict: 'failure' });
    expect(await buildOf(head)).toMatchObject({
      number: '71',
      pull_request: 7,
      branch: 'coupons',
      base: { commit_sha: base },
      patch: { covered_lines: 1, relevant_lines: 2, source: 'upload' },
      jobs: [expect.anything()],
    });
  });

  test('Azure Pipelines: parallel jobs, closed by the id of the run, with flags and a name of the repo', async () => {
    const azure = {
      TF_BUILD: 'True',
      BUILD_BUILDID: '900',
      BUILD_SOURCEBRANCH: 'refs/heads/feature/coupons',
      BUILD_SOURCEBRANCHNAME: 'coupons',
      BUILD_SOURCEVERSION: head,
    };
    const env = { ...secrets(), ...azure };
    for (const flag of ['unit', 'e2e']) {
      await write(lcov(flag === 'unit' ? [1, 1, 0, 0] : [0, 0, 1, 0]));
      const sent = await runCommand(['report', '-p', '-j', flag, 'lcov.info'], inFolder(env));
      expect(sent).toMatchObject({ code: 0 });
    }
    const closed = await runCommand(['done', '--json'], inFolder(env));
    expect(closed).toMatchObject({ code: 0 });
    const { build_url: url } = JSON.parse(closed.stdout) as { build_url: string };
    const build = (await api.buildJson(url)).json;
    expect(build).toMatchObject({ number: '900', branch: 'feature/coupons', covered_lines: 3, relevant_lines: 4 });
    expect(build.flags.map(({ name }) => name)).toEqual(['e2e', 'unit']);
  });

  test('Travis CI: of a merge that it tests, the head is what the build is of', async () => {
    repo.git('checkout', '-q', '--detach', base);
    const merge = repo.merge('coupons');
    await write(lcov([1, 1, 1, 0]));
    const travis = {
      TRAVIS: 'true',
      TRAVIS_BUILD_NUMBER: '72',
      TRAVIS_JOB_NUMBER: '72.1',
      TRAVIS_BRANCH: 'main',
      TRAVIS_PULL_REQUEST: '7',
      TRAVIS_PULL_REQUEST_BRANCH: 'coupons',
      TRAVIS_PULL_REQUEST_SHA: head,
      TRAVIS_COMMIT: merge,
    };
    const sent = await runCommand(['report', '--json'], inFolder({ ...secrets(), ...travis }));
    expect(sent).toMatchObject({ code: 0 });
    const { build_url: url } = JSON.parse(sent.stdout) as { build_url: string };
    expect((await api.buildJson(url)).json).toMatchObject({
      number: '72',
      commit_sha: head,
      pull_request: 7,
      branch: 'coupons',
      patch: { covered_lines: 1, relevant_lines: 2 },
    });
  });

  test('GitHub Actions: its event says what the build is of, and a folder below the root is enough', async () => {
    repo.switchTo('coupons');
    const github = {
      GITHUB_ACTIONS: 'true',
      GITHUB_RUN_ID: '4711',
      GITHUB_JOB: 'test',
      GITHUB_EVENT_NAME: 'push',
      GITHUB_REF: 'refs/heads/coupons',
      GITHUB_SHA: head,
      GITHUB_REPOSITORY: 'acme/shop',
      GITHUB_SERVER_URL: 'https://github.com',
    };
    const call = { ...inFolder({ ...secrets(), ...github }), folder: `${repo.directory}/src` };
    const sent = await runCommand(['report', '--json', '../lcov.info'], call);
    expect(sent).toMatchObject({ code: 0 });
    const { build_url: url } = JSON.parse(sent.stdout) as { build_url: string };
    expect((await api.buildJson(url)).json).toMatchObject({ number: '4711', branch: 'coupons', commit_sha: head });
  });
});

describe('exit codes', () => {
  test('2: no server is named, no token is known, no report is there', async () => {
    const none = await runCommand(['report'], inFolder({}));
    expect(none).toMatchObject({ code: 2, stderr: expect.stringContaining('COVERAGE_ENDPOINT') });
    const tokenless = await runCommand(['report', `--endpoint=${server.url}`], inFolder({}));
    expect(tokenless).toMatchObject({ code: 2, stderr: expect.stringContaining('COVERALLS_REPO_TOKEN') });
    const missing = await runCommand(['report', 'none.info'], inFolder(secrets()));
    expect(missing).toMatchObject({ code: 2, stderr: expect.stringContaining('There is no file none.info') });
    const unnumbered = await runCommand(['done'], inFolder(secrets()));
    expect(unnumbered).toMatchObject({ code: 2, stderr: expect.stringContaining('--build-number') });
  });

  test('3: the server refuses the token; with --no-fail that is said, and fails nothing', async () => {
    const env = { ...secrets(), COVERALLS_REPO_TOKEN: 'not-a-token' };
    const refused = await runCommand(['report'], inFolder(env));
    expect(refused).toMatchObject({ code: 3, stdout: '' });
    const excused = await runCommand(['report', '--no-fail'], inFolder(env));
    expect(excused.code).toBe(0);
    expect(excused.stderr).toContain('Not failing, as --no-fail asks: The coverage server refused');
  });

  test('4: nobody answers', async () => {
    const env = { ...secrets(), COVERAGE_ENDPOINT: 'http://127.0.0.1:5' };
    const unreachable = await runCommand(['report', '--timeout=1'], inFolder(env));
    expect(unreachable).toMatchObject({ code: 4, stderr: expect.stringContaining('cannot be reached') });
  });
});

test('.coveralls.yml is read where nothing else says it, and tells the server apart from its token', async () => {
  const { rm, writeFile } = await import('node:fs/promises');
  const path = `${repo.directory}/.coveralls.yml`;
  await writeFile(path, `repo_token: ${token}\nendpoint: "${server.url}"\nservice_name: acme-ci\n`);
  const sent = await runCommand(['report', '--build-number=73', '--json'], inFolder({}));
  await rm(path);
  expect(sent).toMatchObject({ code: 0 });
  const { build_url: url } = JSON.parse(sent.stdout) as { build_url: string };
  expect((await api.buildJson(url)).json).toMatchObject({ number: '73', commit_sha: head, branch: 'coupons' });
});
