import type { BuildJson, JobJson } from '@coverage/shared';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { job, shaOf, sourceFile } from '../support/coverage-api.ts';
import { type Service, startService } from '../support/service.ts';

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

const COMMIT = shaOf('commit');
const HEAD = { id: COMMIT, committer_name: 'Mona', committer_email: 'mona@example.com', message: 'Change prices' };
type Fields = Readonly<Record<string, unknown>>;
type Row = readonly [what: string, sent: Fields, expected: Fields];

/** What the build and the job show of an upload of these fields over the ordinary ones. */
async function show(fields: Fields, token?: string): Promise<{ build: BuildJson; job: JobJson }> {
  const repoToken = token ?? (await service.newRepo({ service: 'github' })).token;
  const uploaded = await service.upload({ ...job({ repo_token: repoToken }), ...fields });
  const build = await service.closed(uploaded.build);
  return { build, job: (await service.api.jobJson(uploaded.job)).json };
}

describe('unknown keys', () => {
  test('are ignored at every level', async () => {
    const extra = {
      environment: { pwd: '/home/ci', x: [1] },
      configuration: { a: [{}] },
      test_framework: 'x',
      config_file: null,
      service_job_url: {},
    };
    const file = { ...sourceFile('a.ts', [1, 0]), branchesList: [{ line: 1 }], functions: {}, hits: null };
    const { build } = await show({
      ...extra,
      service_job_url: 'https://ci.example/1',
      git: { head: { ...HEAD, commiter_name: 'typo', tree: [] }, branch: 'main', remotes: [], dirty: true },
      source_files: [file],
    });
    expect(build).toMatchObject({ state: 'closed', committer_name: 'Mona', relevant_lines: 2 });
  });
});

describe('parallel', () => {
  test.each([true, 'true', '1', 1])('%j means on', async (parallel) => {
    const { token } = await service.newRepo();
    const { job: id } = await service.upload({ ...job({ repo_token: token }), parallel });
    expect((await service.api.jobJson(id)).json.parallel).toBe(true);
  });
  test.each([false, 'false', '0', 0, '', null, undefined])('%j means off', async (parallel) => {
    const shown = await show({ parallel });
    expect(shown.job.parallel).toBe(false);
    expect(shown.build).toMatchObject({ state: 'closed', closed_by: 'job' });
  });
});

describe('identities are kept as strings', () => {
  test.each<Row>([
    ['a number', { service_number: 71 }, { service_number: '71', number: '71' }],
    ['a run id', { service_number: 19283746501 }, { service_number: '19283746501' }],
    ['with an attempt', { service_number: '123-1' }, { service_number: '123-1', number: '123-1' }],
    [
      'a UUID',
      { service_number: ' 0c3c4e9e-8a71-4f0b-9d0e-3f1d5a5e1b7a\n' },
      { service_number: '0c3c4e9e-8a71-4f0b-9d0e-3f1d5a5e1b7a' },
    ],
    ['none', { service_number: null }, { service_number: null, number: '1' }],
    ['an empty one', { service_number: '' }, { service_number: null, number: '1' }],
    ['absent', { service_number: undefined }, { service_number: null, number: '1' }],
  ])('service_number: %s', async (_, sent, expected) => {
    expect((await show(sent)).build).toMatchObject(expected);
  });
  test.each([
    [7_000_000_001, '7000000001'],
    ['', null],
    [null, null],
    [undefined, null],
    ['leg-2', 'leg-2'],
  ])('service_job_id: %j', async (sent, expected) => {
    const shown = await show({ service_job_id: sent });
    expect([shown.job.service_job_id, shown.build.jobs[0]?.service_job_id]).toEqual([expected, expected]);
  });
  test('a job id that is the repo token is dropped', async () => {
    const { token } = await service.newRepo();
    const shown = await show({ service_job_id: token, service_number: null }, token);
    expect(shown.job.service_job_id).toBeNull();
    expect(JSON.stringify(shown)).not.toContain(token);
  });
});

describe('service_pull_request', () => {
  test.each([
    [7, 7],
    ['7', 7],
    [' 7\n', 7],
    ['https://github.com/acme/shop/pull/42', 42],
    ['http://git.example/acme/shop/pulls/43', 43],
    ['', null],
    [false, null],
    ['False', null],
    ['FALSE', null],
    ['feature-7', null],
    ['0c3c4e9e-8a71-4f0b-9d0e-3f1d5a5e1b75', null],
    [null, null],
  ])('%j means %j', async (sent, expected) => {
    expect((await show({ service_pull_request: sent })).build.pull_request).toBe(expected);
  });
});

describe('branches', () => {
  const git = (branch: unknown) => ({ git: { head: HEAD, branch } });
  test.each<Row>([
    ['a name', git('feat/x'), { branch: 'feat/x' }],
    ['a name with a line end', git('feat/x\n'), { branch: 'feat/x' }],
    ['empty', git(' \n'), { branch: null }],
    ['HEAD', git('HEAD'), { branch: null }],
    ['a remark in parentheses', git('(no branch)'), { branch: null }],
    ['a listing', git('(HEAD detached at 470f5a0)\nfeat/x\nmain'), { branch: null }],
    ['two lines', git('feat/x\nmain'), { branch: null }],
    ["the commit's own sha", git(COMMIT.toUpperCase()), { branch: null }],
    ['refs/heads/', git('refs/heads/feat/x'), { branch: 'feat/x' }],
    ['refs/tags/', git('refs/tags/v1.0'), { branch: 'v1.0' }],
    ['origin/', git('origin/feat/x'), { branch: 'feat/x' }],
    ['a pull ref', git('refs/pull/12/merge'), { branch: null, pull_request: 12 }],
    ['a head of a pull ref', git('refs/pull/13/head'), { branch: null, pull_request: 13 }],
    ['N/merge', git('14/merge'), { branch: null, pull_request: 14 }],
    [
      'of the service, where git gives none',
      { ...git('HEAD'), service_branch: 'refs/heads/next\n' },
      { branch: 'next' },
    ],
    ['of git before the service', { ...git('one'), service_branch: 'two' }, { branch: 'one' }],
    ['N/merge of the service', { ...git(null), service_branch: '15/merge' }, { branch: null, pull_request: 15 }],
    [
      'of the service beside a pull ref of git',
      { ...git('refs/pull/16/merge'), service_branch: 'topic' },
      { branch: 'topic', pull_request: 16 },
    ],
    [
      'a stated pull request before a pull ref',
      { ...git('refs/pull/17/merge'), service_pull_request: '18' },
      { pull_request: 18 },
    ],
  ])('%s', async (_, sent, expected) => {
    expect((await show(sent)).build).toMatchObject(expected);
  });
});

describe('git', () => {
  test.each<readonly [string, unknown]>([
    ['an empty object', {}],
    ['a list of one', [{}]],
    ['an empty list', []],
    ['null', null],
    ['absent', undefined],
    ['a text', 'main'],
    ['head null', { head: null, branch: null, remotes: null }],
  ])('%s is no reason to refuse', async (_, sent) => {
    const { build } = await show({ git: sent });
    expect(build).toMatchObject({
      state: 'closed',
      commit_sha: COMMIT,
      branch: null,
      committer_name: null,
      commit_message: null,
    });
  });
  test.each<Row>([
    ['snake_case', { committer_name: 'Ada\n', committer_email: 'any text\n', message: 'One\n\nTwo\n' }, {}],
    ['camelCase', { committerName: 'Ada', committerEmail: 'any text', message: 'One\n\nTwo' }, {}],
  ])('head in %s, trimmed', async (_, head) => {
    const { build } = await show({ git: { head, branch: 'main' } });
    expect(build).toMatchObject({ committer_name: 'Ada', committer_email: 'any text', commit_message: 'One\n\nTwo' });
  });
  test.each([
    ['a list', [{ name: 'origin', url: 'https://mona:hunter2@git.example/acme/shop' }]],
    ['a single object', { name: 'origin', url: 'https://mona:hunter2@git.example/acme/shop' }],
  ])('remotes as %s: credentials are neither shown nor logged', async (_, remotes) => {
    const { build } = await show({
      git: { head: HEAD, branch: 'main', remotes },
      environment: { pwd: '/home/secret-ci' },
    });
    const page = await service.api.send(`/builds/${build.id}`, {
      headers: { authorization: `token ${service.adminToken}` },
    });
    expect(JSON.stringify(build) + page.text + service.log.text()).not.toMatch(/hunter2|secret-ci/);
  });
  test('credentials in a build URL are not kept', async () => {
    const { build } = await show({ service_build_url: 'https://mona:hunter2@ci.example/runs/1' });
    const page = await service.api.send(`/builds/${build.id}`, {
      headers: { authorization: `token ${service.adminToken}` },
    });
    expect(page.text).toContain('https://ci.example/runs/1');
    expect(page.text + service.log.text()).not.toContain('hunter2');
  });
});

describe('the commit', () => {
  const other = shaOf('other');
  test.each<Row>([
    ['commit_sha first', { commit_sha: COMMIT, git: { head: { id: other } } }, { commit_sha: COMMIT }],
    [
      'then git.head.id',
      { commit_sha: '', git: { head: { id: `${other}\n` } }, environment: { commit_sha: COMMIT } },
      { commit_sha: other },
    ],
    [
      'then environment.commit_sha',
      { commit_sha: null, git: {}, environment: { commit_sha: other } },
      { commit_sha: other },
    ],
    ['else none', { commit_sha: undefined, git: undefined }, { commit_sha: null }],
  ])('%s', async (_, sent, expected) => {
    const shown = await show(sent);
    expect(shown.build).toMatchObject(expected);
    expect(shown.job).toMatchObject(expected);
  });
});

describe('run_at', () => {
  test.each([
    ['2030-01-02T03:04:05Z', '2030-01-02T03:04:05.000Z'],
    ['2030-01-02T03:04:05+02:00', '2030-01-02T01:04:05.000Z'],
    ['2030-01-02T03:04:05.123456789Z', '2030-01-02T03:04:05.123Z'],
    ['2030-01-02T03:04:05.123456789-08:00', '2030-01-02T11:04:05.123Z'],
    ['2030-01-02 03:04:05 +0000', '2030-01-02T03:04:05.000Z'],
    ['2030-01-02 03:04:05 -0800', '2030-01-02T11:04:05.000Z'],
    ['2030-01-02 03:04:05 UTC', '2030-01-02T03:04:05.000Z'],
  ])('%s', async (sent, expected) => {
    const shown = await show({ run_at: sent });
    expect([shown.job.run_at, shown.job.warnings]).toEqual([expected, []]);
  });
  test.each([undefined, null, '', 'yesterday'])('%j means now', async (sent) => {
    const before = Date.now();
    const shown = await show({ run_at: sent });
    expect(Date.parse(shown.job.run_at)).toBeGreaterThanOrEqual(before - 1);
    expect(Date.parse(shown.job.run_at)).toBeLessThanOrEqual(Date.now());
    expect(shown.job.warnings).toHaveLength(sent === 'yesterday' ? 1 : 0);
  });
});

describe('a job with next to nothing', () => {
  test('a repo token and source files are enough', async () => {
    const { token } = await service.newRepo({ service: 'github' });
    const build = await service.uploadAlone({ repo_token: token, source_files: [{ name: 'a.rs', coverage: [1, 0] }] });
    expect(build).toMatchObject({
      number: '1',
      commit_sha: null,
      branch: null,
      covered_percent: 50,
      verdict: { rule: 'first-build' },
    });
  });
  test.each([null, [], undefined])('source_files %j are no coverage', async (sent) => {
    const { build } = await show({ source_files: sent });
    expect(build).toMatchObject({
      state: 'closed',
      covered_percent: null,
      relevant_lines: 0,
      verdict: { state: 'success', rule: 'nothing-relevant' },
    });
  });
});
