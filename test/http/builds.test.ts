import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { job, type RepoJson, shaOf } from '../support/coverage-api.ts';
import { type Service, startService } from '../support/service.ts';

let service: Service;
let alice: string;
let bob: string;
beforeAll(async () => {
  service = await startService();
  [alice, bob] = [await service.tokenOf('alice'), await service.tokenOf('bob')];
});
afterAll(() => service.stop());

/** A repo that belongs to Alice. */
async function repoOfAlice(): Promise<RepoJson & { token: string }> {
  repos += 1;
  const headers = { authorization: `token ${alice}`, 'content-type': 'application/json' };
  const body = JSON.stringify({ repo: { service: 'manual', name: `alice/shop-${repos}` } });
  const reply = await service.api.send<{ repo: RepoJson & { token: string } }>('/api/v1/repos', {
    method: 'POST',
    headers,
    body,
  });
  return reply.json.repo;
}
let repos = 0;
const send = (path: string, headers: Record<string, string> = {}) =>
  service.api.send<Record<string, unknown>>(path, { headers });

describe('GET /builds/<id>.json', () => {
  const KEYS = [
    ...[
      'badge_url',
      'base',
      'branch',
      'cause',
      'checks',
      'closed_at',
      'closed_by',
      'commit_message',
      'commit_sha',
      'committer_email',
      'committer_name',
    ],
    ...[
      'coverage_change',
      'covered_branches',
      'covered_lines',
      'covered_percent',
      'created_at',
      'flags',
      'flips',
      'groups',
      'id',
      'is_base',
      'jobs',
      'landed',
      'lost',
      'missed_branches',
    ],
    ...[
      'missed_lines',
      'number',
      'overall',
      'owners',
      'patch',
      'provisional_since',
      'pull_request',
      'relevant_branches',
      'relevant_lines',
      'repo_name',
      'rules',
      'service_number',
      'state',
      'unverified',
      'unverified_reason',
      'url',
    ],
    ...['verdict', 'warnings'],
  ];

  test('has every key of the contract before the first close, the numbers null', async () => {
    const repo = await repoOfAlice();
    const { build, job: id } = await service.upload(job({ repo_token: repo.token, parallel: true, flag_name: 'unit' }));
    const found = await service.build(build);
    expect(Object.keys(found).sort()).toEqual(KEYS);
    expect(found).toEqual({
      id: build,
      url: `${service.url}/builds/${build}`,
      number: '71',
      service_number: '71',
      state: 'open',
      closed_by: null,
      closed_at: null,
      repo_name: repo.name,
      badge_url: `${service.url}/repos/manual/${repo.name}/badge.svg`,
      branch: 'main',
      commit_sha: shaOf('commit'),
      commit_message: 'Change prices',
      committer_name: 'Mona Lisa',
      committer_email: 'mona@example.com',
      pull_request: null,
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      covered_percent: null,
      coverage_change: null,
      covered_lines: null,
      missed_lines: null,
      relevant_lines: null,
      covered_branches: null,
      missed_branches: null,
      relevant_branches: null,
      verdict: null,
      overall: {
        state: 'pending',
        sentence: 'Waiting for more jobs.',
        failing: [],
        failing_count: 0,
        would_fail: [],
        would_fail_count: 0,
        passing_count: 0,
      },
      landed: null,
      provisional_since: null,
      unverified: false,
      unverified_reason: null,
      base: null,
      is_base: { may_be: 'no', reason: 'open', explanation: 'Not used as a base yet: it has no result.' },
      patch: null,
      lost: [],
      cause: null,
      checks: [],
      flags: [],
      flips: null,
      groups: [],
      owners: [],
      rules: null,
      jobs: [
        {
          number: '71.1',
          flag_name: 'unit',
          service_job_id: '1001',
          covered_percent: 50,
          url: `${service.url}/jobs/${id}`,
        },
      ],
      warnings: [expect.stringContaining('came without source')],
    });
  });

  test('has the same keys after it, with numbers, base, flags and verdict', async () => {
    const { token } = await repoOfAlice();
    const base = await service.uploadAlone(
      job({ repo_token: token, service_number: '70', commit_sha: shaOf('70'), flag_name: 'unit' }),
    );
    const build = await service.uploadAlone(
      job({ repo_token: token, flag_name: 'unit', service_pull_request: '7', service_base_branch: 'main' }),
    );
    expect(Object.keys(build).sort()).toEqual(KEYS);
    expect(build).toMatchObject({
      state: 'closed',
      closed_by: 'job',
      closed_at: expect.stringMatching(/Z$/),
      pull_request: 7,
      covered_percent: 50,
      coverage_change: 0,
      covered_lines: 1,
      missed_lines: 1,
      relevant_lines: 2,
      covered_branches: 0,
      missed_branches: 0,
      relevant_branches: 0,
      verdict: {
        state: 'success',
        rule: 'no-decrease',
        explanation: `Coverage is 50.00%, unchanged from ${shaOf('70').slice(0, 7)}.`,
        provisional: false,
      },
    });
    expect(build.checks).toMatchObject([
      { id: 'total', kind: 'total', name: null, state: 'success', required: true, covered_percent: 50, remedy: null },
      { id: 'flag:unit', kind: 'flag', name: 'unit', state: 'success', required: true, coverage_change: 0 },
    ]);
    expect(build.overall).toMatchObject({ state: 'success', failing: [], passing_count: 2 });
    expect(build.base).toEqual({ build: base.id, commit_sha: shaOf('70'), rule: 'base-branch', commits_away: null });
    const verdict = {
      state: 'success',
      rule: 'no-decrease',
      explanation: `Coverage is 50.00%, unchanged from ${shaOf('70').slice(0, 7)}.`,
    };
    expect(build.flags).toEqual([
      { name: 'unit', covered_percent: 50, coverage_change: 0, verdict, cause: null, carried_from: null },
    ]);
  });

  test('ids in jobs are integers as texts, and a job has its own', async () => {
    const { token } = await repoOfAlice();
    const { job: id, build } = await service.upload(job({ repo_token: token, flag_name: 'unit', parallel: true }));
    expect([id, build].every((one) => /^[1-9]\d*$/.test(one))).toBe(true);
    expect((await service.api.jobJson(id)).json).toMatchObject({
      id,
      build,
      number: '71.1',
      flag_name: 'unit',
      service_name: 'github-actions',
    });
  });

  test('answers JSON whatever Accept says, and with a charset', async () => {
    const { token } = await repoOfAlice();
    const { build } = await service.upload(job({ repo_token: token }));
    const reply = await send(`/builds/${build}.json`, { accept: 'text/html', authorization: `token ${alice}` });
    expect([reply.status, reply.headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8']);
  });

  test('by a sha in whatever case, the newest of several repos; unknown ones are 404', async () => {
    const [one, two] = [await repoOfAlice(), await repoOfAlice()];
    const commit = shaOf('in two repos');
    await service.upload(job({ repo_token: one.token, commit_sha: commit }));
    const first = await service.api.buildJson(commit.toUpperCase());
    expect(first.json.repo_name).toBe(one.name);
    // Another millisecond, so that one of the two is the newer.
    while (Date.now() <= Date.parse(first.json.created_at)) await service.store.check();
    await service.upload(job({ repo_token: two.token, commit_sha: commit }));
    expect((await service.api.buildJson(commit)).json.repo_name).toBe(two.name);
    expect((await service.api.buildJson(commit, { repoToken: one.token })).json.repo_name).toBe(one.name);
    for (const unknown of ['999999', '0', shaOf('nobody'), 'abc', '1e3', '-1', '99999999999999999999']) {
      const reply = await service.api.buildJson(unknown);
      expect([reply.status, reply.json.error]).toEqual([404, true]);
      expect((await service.api.jobJson(unknown)).status).toBe(404);
    }
  });
});

describe('who may read', () => {
  const asks = (
    token: string,
    repoToken: string,
    other: string,
  ): readonly (readonly [string, number, Record<string, string>, string])[] => [
    ['the owner', 200, { authorization: `token ${token}` }, ''],
    ['the owner as Bearer', 200, { authorization: `Bearer ${token}` }, ''],
    ['an administrator', 200, { authorization: `token ${service.adminToken}` }, ''],
    ['the repo token', 200, {}, `?repo_token=${repoToken}`],
    ['the repo token in the header', 200, { authorization: `Bearer ${repoToken}` }, ''],
    ['another user', 404, { authorization: `token ${bob}` }, ''],
    ['another repo’s token', 404, {}, `?repo_token=${other}`],
    ['another repo’s token in the header', 404, { authorization: `token ${other}` }, ''],
    ['nobody', 404, {}, ''],
    ['an unknown personal token', 401, { authorization: 'token cvp_unknown_0123456789' }, ''],
    ['an unknown repo token', 422, {}, '?repo_token=cvr_unknown_0123456789'],
  ];

  test('a build, its page and its jobs', async () => {
    const [repo, other] = [await repoOfAlice(), await repoOfAlice()];
    const commit = shaOf('who may read');
    const { build, job: id } = await service.upload(job({ repo_token: repo.token, commit_sha: commit }));
    for (const path of [
      `/builds/${build}.json`,
      `/builds/${build}`,
      `/builds/${commit}.json`,
      `/builds/${commit}`,
      `/jobs/${id}.json`,
    ]) {
      for (const [who, status, headers, query] of asks(alice, repo.token, other.token)) {
        const reply = await send(`${path}${query}`, headers);
        expect([path, who, reply.status]).toEqual([path, who, status]);
        if (status !== 200) expect(reply.json).toEqual({ message: expect.any(String), error: true });
      }
    }
  });

  test('an e-mail address: not strangers, even of a public repo', async () => {
    const repo = await repoOfAlice();
    const { build } = await service.upload(job({ repo_token: repo.token }));
    await service.store.repos.update({ repoId: repo.id, settings: { visibility: 'public' }, at: Date.now() });
    const emailFor = async (headers: Record<string, string>, query = '') => {
      const { status, json } = await send(`/builds/${build}.json${query}`, headers);
      return [status, json.committer_name, json.committer_email];
    };
    expect(await emailFor({})).toEqual([200, 'Mona Lisa', null]);
    expect(await emailFor({ authorization: `token ${bob}` })).toEqual([200, 'Mona Lisa', null]);
    expect(await emailFor({ authorization: `token ${alice}` })).toEqual([200, 'Mona Lisa', 'mona@example.com']);
    const other = await repoOfAlice();
    expect((await emailFor({}, `?repo_token=${other.token}`)).at(-1)).toBeNull();
    expect((await emailFor({}, `?repo_token=${repo.token}`)).at(-1)).toBe('mona@example.com');
    const page = await send(`/builds/${build}`);
    expect(page.status).toBe(200);
    expect(page.text).not.toContain('mona@example.com');
  });
});
