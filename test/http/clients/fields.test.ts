import type { BuildJson, JobJson } from '@coverage/shared';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { shaOf, sourceFile } from '../../support/coverage-api.ts';
import { encodeJob, multipart } from '../../support/job-bodies.ts';
import { someOf } from '../../support/property-runs.ts';
import { type Service, startService } from '../../support/service.ts';

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

type Fields = Readonly<Record<string, unknown>>;
const COMMIT = shaOf('of the clients');
const FILES = [sourceFile('src/a.ts', [1, 0, null])];

async function show(fields: Fields): Promise<{ build: BuildJson; job: JobJson }> {
  const { token } = await service.newRepo({ service: 'github' });
  const uploaded = await service.upload({ repo_token: token, source_files: FILES, ...fields });
  const job = (await service.api.jobJson(uploaded.job)).json;
  return { build: job.parallel ? await service.build(uploaded.build) : await service.closed(uploaded.build), job };
}

describe('outside a known CI, a job without a number and a usable job id is a valid job, as sent by', () => {
  const git = (branch: string) => ({ head: { id: COMMIT, message: 'Change prices' }, branch, remotes: [] });
  test.each<readonly [client: string, fields: Fields]>([
    ['npm coveralls', { git: git('main') }],
    ['coveralls-next', { git: git('main'), commit_sha: COMMIT }],
    ['PyPI coveralls', { service_name: 'coveralls-python', git: git('main') }],
    ['cpp-coveralls', { service_name: 'travis-ci', service_job_id: '', git: git('main') }],
    ['ruby coveralls', { environment: { pwd: '/home/ci', commit_sha: COMMIT }, git: git('main') }],
    ['maven', { environment: {}, git: git(COMMIT) }],
    ['gradle', { service_name: null, service_job_id: null, git: git(COMMIT) }],
    ['goveralls', { service_name: '', service_job_id: '', git: git('(HEAD detached at 470f5a0)\nfeat/x\nmain') }],
    ['tarpaulin', { git: { head: { id: COMMIT }, branch: 'HEAD' } }],
    ['sbt', { service_job_id: null, git: git(COMMIT) }],
    ['gcovr and curl', { run_at: '2030-01-02 03:04:05 UTC', git: git('main') }],
  ])('%s', async (_, fields) => {
    const { build, job } = await show(fields);
    expect(build).toMatchObject({
      number: '1',
      service_number: null,
      state: 'closed',
      commit_sha: COMMIT,
      covered_percent: 50,
    });
    expect(job.service_job_id).toBeNull();
    const { git: sent } = fields as { git: { branch: string } };
    expect(build.branch).toBe(sent.branch === 'main' ? 'main' : null);
  });

  test('two of them for one commit, one after the other, are two builds', async () => {
    const { token } = await service.newRepo({ service: 'github' });
    const stated = { repo_token: token, commit_sha: COMMIT, service_branch: 'main' };
    const send = (files: unknown) => service.upload({ ...stated, source_files: files });
    const one = await send(FILES);
    const two = await send([sourceFile('src/b.ts', [1])]);
    expect([one.message, two.message]).toEqual(['Job #1.1', 'Job #2.1']);
  });
});

describe('a field means the same from every client that sends it', () => {
  test.each<readonly [client: string, fields: Fields, build: Partial<BuildJson>, job: Partial<JobJson>]>([
    ['npm coveralls on Buildkite', { service_pull_request: 'false' }, { pull_request: null }, {}],
    [
      'npm coveralls on Travis',
      { service_pull_request: 'false', service_job_id: '9.1' },
      { pull_request: null },
      { service_job_id: '9.1' },
    ],
    ['npm coveralls with COVERALLS_PARALLEL=false', { parallel: true }, { state: 'open' }, { parallel: true }],
    ['cpp-coveralls with COVERALLS_PARALLEL=false', { parallel: 'true' }, { state: 'open' }, { parallel: true }],
    [
      'PyPI python-coveralls with COVERALLS_PARALLEL=false',
      { parallel: 'false' },
      { state: 'closed' },
      { parallel: false },
    ],
    [
      'excoveralls',
      { parallel: '', service_pull_request: '' },
      { state: 'closed', pull_request: null },
      { parallel: false },
    ],
    [
      'the official reporter on CircleCI',
      { service_number: '0c3c4e9e-8a71-4f0b-9d0e-3f1d5a5e1b7a', service_job_number: '17' },
      { number: '0c3c4e9e-8a71-4f0b-9d0e-3f1d5a5e1b7a' },
      {},
    ],
    ['the official reporter on Drone', { service_job_id: '12', service_pull_request: '' }, { pull_request: null }, {}],
    [
      'the official reporter, of GitLab',
      { service_branch: 'feat/x', git: { branch: 'HEAD' } },
      { branch: 'feat/x' },
      {},
    ],
    [
      'ruby coveralls on CircleCI',
      { service_pull_request: 'https://github.com/acme/shop/pull/42' },
      { pull_request: 42 },
      {},
    ],
    ['maven on a detached checkout', { commit_sha: COMMIT, git: { branch: COMMIT } }, { branch: null }, {}],
    ['php-coveralls on GitHub', { git: { branch: 'refs/heads/main' } }, { branch: 'main' }, {}],
    ['coveralls.net', { git: { head: { id: COMMIT, committerName: 'Mona' } } }, { committer_name: 'Mona' }, {}],
    ['goveralls', { run_at: '2030-01-02T03:04:05.819200567Z' }, {}, { run_at: '2030-01-02T03:04:05.819Z' }],
    ['gcovr', { run_at: '2030-01-02 03:04:05 UTC' }, {}, { run_at: '2030-01-02T03:04:05.000Z' }],
    ['ruby coveralls', { run_at: '2030-01-02 03:04:05 -0800' }, {}, { run_at: '2030-01-02T11:04:05.000Z' }],
  ])('%s: %j', async (_, fields, build, job) => {
    const shown = await show({ commit_sha: COMMIT, ...fields });
    expect(shown.build).toMatchObject(build);
    expect(shown.job).toMatchObject(job);
    expect(shown.job.warnings).toEqual([]);
  });

  test.each([
    ['upper-case MD5 (gradle)', 'D41D8CD98F00B204E9800998ECF8427E', {}],
    ['upper-case SHA-512 (maven)', 'ABCDEF01'.repeat(16), {}],
    ['a source beside it (coveralls-next)', 'd41d8cd98f00b204e9800998ecf8427e', { source: 'ä\nb\n' }],
    ['MD5 of lossily decoded text (lcov uploader)', '00000000000000000000000000000000', {}],
  ])('source_digest is opaque: %s', async (_, source_digest, extra) => {
    const { job } = await show({ source_files: [{ name: 'a.x', coverage: [1], source_digest, ...extra }] });
    expect(job).toMatchObject({ covered_lines: 1, warnings: [] });
  });
});

test('the job may be in the field json_file of a form too: the name is the same in every encoding', async () => {
  const { token } = await service.newRepo({ service: 'github' });
  const body = new URLSearchParams({
    json_file: JSON.stringify({ repo_token: token, commit_sha: COMMIT, service_branch: 'main', source_files: FILES }),
  }).toString();
  const reply = await service.api.uploadBody({
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body,
  });
  expect([reply.status, reply.json.message]).toEqual([200, 'Job #1.1']);
});

test('the legs of a GitHub matrix share number and job id: all of them count', async () => {
  const { token } = await service.newRepo({ service: 'github' });
  const leg = (flag: string | undefined, name: string) =>
    service.upload({
      repo_token: token,
      service_name: 'github',
      service_number: '71',
      service_job_id: 'test',
      commit_sha: COMMIT,
      parallel: true,
      flag_name: flag,
      source_files: [sourceFile(name, [1, 0])],
    });
  const legs = [
    await leg('linux', 'a.ts'),
    await leg('macos', 'b.ts'),
    await leg(undefined, 'c.ts'),
    await leg(undefined, 'd.ts'),
  ];
  expect(new Set(legs.map(({ build }) => build)).size).toBe(1);
  expect(await service.close(token, 71)).toMatchObject({ covered_lines: 4, relevant_lines: 8 });
});

test('a python client that is refused sends the job again under another id: refused, nothing stored', async () => {
  const { token } = await service.newRepo({ service: 'github' });
  const broken = (id: string) => ({
    repo_token: token,
    commit_sha: shaOf('refused'),
    service_job_id: id,
    source_files: [{ name: 'a.py', coverage: ['x'] }],
  });
  for (const id of ['812', '812-48213']) {
    const reply = await service.api.uploadJob(broken(id), 'E4');
    expect([reply.status, reply.json.error]).toEqual([422, true]);
    expect(reply.json.message).toContain('source_files[0].coverage[0]');
  }
  expect((await service.api.buildJson(shaOf('refused'))).status).toBe(404);
});

describe('a job of 12 MB, beyond the usual limits of libraries, is taken as', () => {
  const name = 'a/long/name/'.repeat(10);
  const coverage = JSON.stringify(Array.from({ length: 10_000 }, (_, line) => (line % 3 === 0 ? null : line % 2)));
  const files = Array.from({ length: 400 }, (_, file) => `{"name":"${name}${file}.ts","coverage":${coverage}}`).join();
  const job = (token: string) => `{"repo_token":"${token}","service_number":"1","source_files":[${files}]}`;
  const encodings: readonly (readonly [string, (text: string) => ReturnType<typeof encodeJob>])[] = [
    ['E1', (text: string) => encodeJob(text, 'E1')],
    ['E2', (text: string) => multipart(text, { field: 'json', filename: null })],
    ['E4', (text: string) => encodeJob(text, 'E4')],
    ['E6', (text: string) => encodeJob(text, 'E6')],
    [
      'E7',
      (text: string) => ({ headers: { 'content-type': 'application/json' }, body: JSON.stringify({ json: text }) }),
    ],
  ];
  test.each(someOf(encodings))('%s', async (_, pack) => {
    const { token } = await service.newRepo({ service: 'github' });
    const text = job(token);
    expect(text.length).toBeGreaterThan(12_000_000);
    const reply = await service.api.uploadBody(pack(text));
    expect(reply.text).toContain('Job #1.1');
    expect((await service.api.jobJson(reply.json.url)).json.relevant_lines).toBe(400 * 6_666);
  });
});
