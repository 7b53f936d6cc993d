import type { BuildJson } from '@coverage/shared';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { job, type Reply } from '../support/coverage-api.ts';
import { type Service, startService } from '../support/service.ts';

let service: Service;
let repo: Awaited<ReturnType<Service['newRepo']>>;
let tokens: Readonly<Record<string, string>>;
beforeAll(async () => {
  service = await startService();
  repo = await service.newRepo();
  const { json } = await service.api.readRepo(repo.name, 'manual');
  tokens = {
    'repo token': repo.token,
    'personal token': await service.tokenOf('alice'),
    'badge token': (json as unknown as { badge_token: string }).badge_token,
    'secret of this server': service.adminToken,
    'GitHub token': `ghp_${'0aZ'.repeat(12)}`,
  };
});
afterAll(() => service.stop());

const answers: Reply<object>[] = [];
/** No token in any answer so far. */
afterEach(() => {
  expect(answers.length).toBeGreaterThan(0);
  for (const { text, headers } of answers.splice(0)) {
    for (const token of Object.values(tokens)) expect(JSON.stringify([text, ...headers])).not.toContain(token);
  }
});

const ask = async (path: string, init: RequestInit = {}) => {
  const reply = await service.api.send<{ message?: string }>(path, init);
  answers.push(reply);
  return reply;
};
const post = (path: string, body: object | string, type = 'application/json') =>
  ask(path, {
    method: 'POST',
    headers: { 'content-type': type },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
const upload = (fields: object) => post('/api/v1/jobs', { ...job({ repo_token: repo.token }), ...fields });
const asAdmin = { authorization: 'token admin', 'content-type': 'application/json' };
const admin = () => ({ ...asAdmin, authorization: `token ${service.adminToken}` });
const KINDS = ['repo token', 'personal token', 'badge token', 'secret of this server', 'GitHub token'] as const;
const refusal = (field: string, kind: string) => [
  422,
  expect.stringContaining(`${field} holds what looks like a ${kind}`),
];
const builds = async () =>
  (await service.api.send<{ builds: BuildJson[] }>(`/manual/${repo.name}.json`, { headers: admin() })).json.builds;

describe('an upload with a token in another field is refused and not stored', () => {
  test.each(KINDS)('a %s', async (kind) => {
    const reply = await upload({ service_number: tokens[kind] });
    expect([reply.status, reply.json.message]).toEqual(refusal('service_number', kind));
  });

  test.each([
    'service_name',
    'service_number',
    'service_job_id',
    'service_job_number',
    'service_pull_request',
    'service_branch',
    'flag_name',
    'commit_sha',
    'compare_sha',
    'repo_name',
    'run_at',
  ])('in %s', async (field) => {
    const reply = await upload({ [field]: `x ${tokens['personal token']}` });
    expect([reply.status, reply.json.message]).toEqual(refusal(field, 'personal token'));
  });

  test('in git.branch, or as a switch', async () => {
    const { status, json } = await upload({ git: { branch: `feature/${tokens['GitHub token']}` } });
    expect([status, json.message]).toEqual(refusal('git.branch', 'GitHub token'));
    expect((await upload({ parallel: tokens['GitHub token'] })).status).toBe(422);
  });

  afterAll(async () => expect(await builds()).toEqual([]));
});

test('an upload may bring its own token as its job id, and names that only begin like one', async () => {
  const repo = await service.newRepo();
  const named = job({ repo_token: repo.token, service_job_id: repo.token, flag_name: 'cvr_pipeline_integration' });
  const { build } = await service.upload({ ...named, git: { branch: 'weighs_everything-again-and-more' } });
  const shown = await ask(`/builds/${build}.json`, { headers: admin() });
  expect(shown.json).toMatchObject({ branch: 'weighs_everything-again-and-more' });
  expect(JSON.stringify(await service.store.jobs.ofBuild(Number(build)))).not.toContain(repo.token);
});

test('a token in a text that is only shown is left out, with a warning', async () => {
  const other = await service.newRepo();
  const message = `Remove ${tokens['GitHub token']}${' '.repeat(70_000)}`;
  const head = { message, author_name: tokens['personal token'] };
  const { build } = await service.upload({
    ...job({ repo_token: other.token, service_job_url: `https://ci.example/?x=${tokens['badge token']}` }),
    git: { head, branch: 'main' },
  });
  const shown = await ask(`/builds/${build}.json`, { headers: admin() });
  expect(shown.json).toMatchObject({ commit_message: 'Remove [secret]' });
  expect(shown.text).toContain('git.head.message held what looks like a GitHub token; it was left out. Revoke it');
  await ask(`/builds/${build}`, { headers: admin() });
  expect(JSON.stringify(await service.store.builds.find(Number(build)))).not.toContain(tokens['GitHub token']);
});

describe('a close or rerun with a token in another field is refused', () => {
  test.each(KINDS)('a %s', async (kind) => {
    const token = tokens[kind] ?? '';
    const query = new URLSearchParams({ repo_token: repo.token, build_num: token });
    for (const path of [`/webhook?${query}`, `/rerun_build?${query}`]) {
      const reply = await post(path, {});
      expect([reply.status, reply.json.message]).toEqual(refusal('build_num', kind));
    }
    const asked = { repo_token: repo.token, payload: { build_num: token } };
    const bodies: readonly (readonly [string, object | string, string?])[] = [
      ['payload.build_num', asked],
      ['payload', { ...asked, payload: JSON.stringify(asked.payload) }],
      [
        'payload.build_num',
        String(new URLSearchParams({ 'payload[build_num]': token })),
        'application/x-www-form-urlencoded',
      ],
      ['carryforward', { ...asked, payload: {}, carryforward: ['unit', token] }],
      ['repo_name', { ...asked, payload: {}, repo_name: token }],
    ];
    for (const [field, body, type] of bodies) {
      const reply = await post('/webhook', body, type);
      expect([reply.status, reply.json.message]).toEqual(refusal(field, kind));
    }
  });
});

test('settings take no token, and what was read may be written back', async () => {
  const path = `/api/v1/repos/manual/${repo.name}`;
  const read = await service.api.send<object>(path, { headers: admin() });
  expect(read.text).toContain(repo.token);
  const put = (to: string, body: object) => ({
    to,
    init: { method: 'PUT', headers: admin(), body: JSON.stringify(body) },
  });
  const back = put(path, { repo: read.json });
  expect((await service.api.send(back.to, back.init)).status).toBe(200);
  const branch = put(`${path}/settings`, { default_branch: tokens['repo token'] });
  const refused = await ask(branch.to, branch.init);
  expect([refused.status, refused.json.message]).toEqual(refusal('default_branch', 'repo token'));
  const made = await ask('/api/v1/repos', {
    method: 'POST',
    headers: admin(),
    body: JSON.stringify({ repo: { service: 'manual', name: `acme/${tokens['personal token']}` } }),
  });
  expect([made.status, made.json.message]).toEqual(refusal('repo.name', 'personal token'));
});

describe('what reads', () => {
  test.each(KINDS)('refuses a %s in the query, and repeats none of an address', async (kind) => {
    const token = encodeURIComponent(tokens[kind] ?? '');
    for (const [field, path] of [
      ['branch', `/manual/${repo.name}.json?branch=${token}`],
      ['flag', `/repos/manual/${repo.name}/badge.svg?flag=${token}`],
      ['filename', `/builds/1/source.json?filename=${token}`],
    ] as const) {
      const reply = await ask(path, { headers: admin() });
      expect([reply.status, reply.json.message]).toEqual(refusal(field, kind));
    }
    for (const path of [`/${token}`, `/builds/${token}.json`, `/github/acme/${token}`, `/jobs/${token}`]) {
      for (const accept of ['text/html', 'application/json'])
        expect([path, (await ask(path, { headers: { accept } })).status]).toEqual([path, 404]);
    }
  });

  test.each(KINDS)('answers no request id that is a %s', async (kind) => {
    const token = tokens[kind] ?? '';
    const reply = await ask('/healthz', { headers: { 'X-Request-Id': token } });
    expect(reply.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
    expect(service.log.text().includes(token)).toBe(false);
  });

  test('answers no request id that is the credential itself, of whatever kind', async () => {
    const secret = 'of-another-service-0123456789';
    const headers = { 'X-Request-Id': secret, Authorization: `token ${secret}` };
    const replies = [
      await ask('/builds/1.json', { headers }),
      await ask(`/builds/1.json?repo_token=${secret}`, { headers: { 'X-Request-Id': secret } }),
      await ask('/builds/1.json', { headers: { Authorization: `${secret} x` } }),
    ];
    for (const { text, headers: answered } of replies)
      expect(JSON.stringify([text, ...answered])).not.toContain(secret);
    expect(service.log.text().includes(secret)).toBe(false);
  });
});
