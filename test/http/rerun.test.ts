import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { job, jsonPost, type Reply, type RepoJson, shaOf, sourceFile } from '../support/coverage-api.ts';
import { type GithubStandIn, startGithubStandIn } from '../support/github-stand-in/github-stand-in.ts';
import { type Service, startService } from '../support/service.ts';

let github: GithubStandIn;
let service: Service;
beforeAll(async () => {
  github = await startGithubStandIn();
  service = await startService({ github });
});
afterAll(async () => {
  await service.stop();
  await github.close();
});

type Repo = RepoJson & { token: string };
type Answer = Reply<{ done: true; url: string; jobs: number }>;

const rerun = (fields: Record<string, string>, init: RequestInit = {}): Promise<Answer> =>
  service.api.send(`/rerun_build?${new URLSearchParams(fields)}`, init);
const part = (repo: Repo, flag: string, lines: number[], fields: object = {}) =>
  job({
    repo_token: repo.token,
    parallel: true,
    flag_name: flag,
    source_files: [sourceFile(`src/${flag}.ts`, lines)],
    ...fields,
  });
const closeCount = async (build: string) => (await service.store.builds.find(Number(build)))?.result?.closeCount;

/** Build 71, closed, of two jobs. */
async function closedBuild(repo: Repo) {
  await service.upload(part(repo, 'one', [1, 0]));
  await service.upload(part(repo, 'two', [1, 1]));
  return service.close(repo.token, 71);
}

describe('a rerun works a closed build out again', () => {
  test('from its stored jobs, and answers as a close does', async () => {
    const repo = await service.newRepo();
    const before = await closedBuild(repo);
    const { status, headers, json } = await rerun({ repo_token: repo.token, build_num: '71' });
    expect([status, json]).toEqual([200, { done: true, url: before.url, jobs: 2 }]);
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
    const after = await service.build(before.id);
    expect(after).toEqual({ ...before, closed_at: after.closed_at });
    expect(Date.parse(after.closed_at ?? '')).toBeGreaterThanOrEqual(Date.parse(before.closed_at ?? ''));
    expect(await closeCount(before.id)).toBe(2);
  });

  test('under the settings of now', async () => {
    const repo = await service.newRepo();
    const before = await closedBuild(repo);
    expect(before.verdict?.state).toBe('success');
    await service.change(repo, { commit_status_fail_threshold: 90 });
    await rerun({ repo_token: repo.token, build_num: '71' });
    expect((await service.build(before.id)).verdict).toMatchObject({ state: 'failure', rule: 'minimum' });
  });

  test('which the jobs that came late are part of', async () => {
    const repo = await service.newRepo();
    const { id } = await closedBuild(repo);
    await service.upload(part(repo, 'three', [0, 0]));
    expect((await service.build(id)).relevant_lines).toBe(4);
    expect((await rerun({ repo_token: repo.token, build_num: '71' })).json.jobs).toBe(3);
    expect(await service.build(id)).toMatchObject({ state: 'closed', relevant_lines: 6 });
  });

  test('once for many at the same time', async () => {
    const repo = await service.newRepo();
    const { id } = await closedBuild(repo);
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => rerun({ repo_token: repo.token, build_num: '71' })),
    );
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    expect((await service.build(id)).state).toBe('closed');
    expect(await closeCount(id)).toBeLessThanOrEqual(9);
  });
});

describe('the build of a rerun', () => {
  test('is named as for a close: number, job id, or the own number of a build without one', async () => {
    const repo = await service.newRepo();
    const byNumber = await closedBuild(repo);
    const own = await service.uploadAlone(
      part(repo, 'x', [1], { service_number: null, service_job_id: 'run-9', commit_sha: shaOf('x'), parallel: false }),
    );
    const meant = async (build_num: string) => (await rerun({ repo_token: repo.token, build_num })).json.url;
    expect([await meant('71'), await meant('1001'), await meant('run-9'), await meant(own.number)]).toEqual([
      byNumber.url,
      byNumber.url,
      own.url,
      own.url,
    ]);
  });

  test('is the newest closed one, though a newer open one has its number', async () => {
    const repo = await service.newRepo();
    const closed = await closedBuild(repo);
    await service.upload(part(repo, 'one', [1], { commit_sha: shaOf('next') }));
    expect((await rerun({ repo_token: repo.token, build_num: '71' })).json.url).toBe(closed.url);
  });

  test.each([
    ['nobody knows', { build_num: '4711' }, 'No build matching CI build number 4711 found'],
    ['is not named', {}, 'build_num is missing'],
    ['is named by nothing', { build_num: '' }, 'build_num is missing'],
  ] as const)('that %s: 422', async (_, fields, sentence) => {
    const repo = await service.newRepo();
    await closedBuild(repo);
    const { status, json } = await rerun({ repo_token: repo.token, ...fields });
    expect([status, json]).toEqual([422, { message: expect.stringContaining(sentence), error: true }]);
  });

  test('that never closed: 422, and it stays open', async () => {
    const repo = await service.newRepo();
    const { build } = await service.upload(part(repo, 'one', [1]));
    const { status, json } = await rerun({ repo_token: repo.token, build_num: '71' });
    expect([status, json.message]).toEqual([422, expect.stringContaining('has never been closed')]);
    expect((await service.build(build)).state).toBe('open');
  });

  test('of another repo is none', async () => {
    const [repo, other] = [await service.newRepo(), await service.newRepo()];
    await closedBuild(repo);
    expect((await rerun({ repo_token: other.token, build_num: '71' })).status).toBe(422);
  });
});

describe('the ways to ask', () => {
  const form = (body: Record<string, string>): RequestInit => ({ method: 'POST', body: new URLSearchParams(body) });

  test.each([
    ['GET, all in the query', (token: string) => rerun({ repo_token: token, build_num: '71' })],
    ['POST, all in the query', (token: string) => rerun({ repo_token: token, build_num: '71' }, { method: 'POST' })],
    ['POST, JSON', (token: string) => rerun({}, jsonPost({ repo_token: token, build_num: 71 }))],
    [
      'POST, JSON as a close has it',
      (token: string) => rerun({}, jsonPost({ repo_token: token, payload: { build_num: '71' } })),
    ],
    ['POST, a form', (token: string) => rerun({}, form({ repo_token: token, build_num: '71' }))],
    [
      'POST, a form as a close has it',
      (token: string) => rerun({ repo_token: token }, form({ 'payload[build_num]': '71' })),
    ],
    [
      'a browser, which is not answered a page',
      (token: string) => rerun({ repo_token: token, build_num: '71' }, { headers: { accept: 'text/html' } }),
    ],
  ])('%s', async (_, ask) => {
    const repo = await service.newRepo();
    const { url } = await closedBuild(repo);
    const { status, json: answer, headers } = await ask(repo.token);
    expect([status, answer]).toEqual([200, { done: true, url, jobs: 2 }]);
    expect(headers.get('cache-control')).toBe('no-store');
  });

  test('without a token, or with a wrong one: 422 as JSON, and no token in the log', async () => {
    for (const fields of [{}, { repo_token: 'cvr_wrong' }]) {
      const {
        status,
        json: answer,
        headers,
      } = await rerun({ ...fields, build_num: '71' }, { headers: { accept: 'text/html' } });
      expect([status, answer.error]).toEqual([422, true]);
      expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
    }
    expect(service.log.text()).not.toContain('cvr_wrong');
  });
});

describe('what a rerun announces', () => {
  let repos = 0;
  async function githubRepo(): Promise<Repo> {
    repos += 1;
    const name = `octo/rerun-${repos}`;
    github.addRepo(name);
    return service.newRepo({ service: 'github', name });
  }
  const states = (repo: Repo) =>
    github.statuses(repo.name, shaOf('commit')).map(({ context, state }) => `${context} ${state}`);

  test('is what could not be delivered before', async () => {
    const repo = await githubRepo();
    const closed = await service.uploadAlone(part(repo, 'unit', [1, 0], { parallel: false }));
    await service.delivered();
    const warned = (await service.build(closed.id)).warnings.filter((warning) =>
      warning.includes('could not be delivered'),
    );
    expect([warned.length, states(repo)]).toEqual([2, []]);
    github.addCommit(repo.name, { sha: shaOf('commit'), branch: 'main' });
    await rerun({ repo_token: repo.token, build_num: '71' });
    await service.delivered();
    expect(states(repo).sort()).toEqual(['coverage (unit) success', 'coverage success']);
    expect((await service.build(closed.id)).warnings).toEqual([]);
  });

  test('is nothing that stands there already (rule 23), and what changed', async () => {
    const repo = await githubRepo();
    github.addCommit(repo.name, { sha: shaOf('commit'), branch: 'main' });
    await service.uploadAlone(part(repo, 'unit', [1, 0], { parallel: false }));
    await service.delivered();
    await rerun({ repo_token: repo.token, build_num: '71' });
    await service.delivered();
    expect(states(repo)).toHaveLength(2);
    await service.change(repo, { commit_status_fail_threshold: 90 });
    await rerun({ repo_token: repo.token, build_num: '71' });
    await service.delivered();
    expect(states(repo).slice(2)).toEqual(['coverage failure']);
  });
});
