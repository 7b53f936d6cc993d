import type { CloseAnswer } from '@coverage/shared';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { job, type Reply, shaOf, sourceFile } from '../support/coverage-api.ts';
import { type Service, startService } from '../support/service.ts';

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

type Fields = Readonly<Record<string, unknown>>;
type Body = { readonly json: unknown } | { readonly form: Readonly<Record<string, string>> } | undefined;

const post = (query: string, body: Body, on = service): Promise<Reply<CloseAnswer>> => {
  if (body === undefined) return on.api.send(`/webhook${query}`, { method: 'POST' });
  const [type, text] =
    'json' in body
      ? ['application/json', JSON.stringify(body.json)]
      : ['application/x-www-form-urlencoded', new URLSearchParams(body.form).toString()];
  return on.api.send(`/webhook${query}`, { method: 'POST', headers: { 'content-type': type }, body: text });
};
const parallel = (token: string, fields: Fields = {}) => ({ ...job({ repo_token: token, parallel: true }), ...fields });
const NUMBERLESS = { service_number: null, service_job_id: null };

describe('a close is taken', () => {
  type Ask = (token: string) => readonly [query: string, body: Body];
  const payload = { build_num: '71', status: 'done' };
  const cases: readonly (readonly [string, Ask])[] = [
    ['JSON, the token in the query', (token) => [`?repo_token=${token}`, { json: { payload } }]],
    ['JSON, the token in the body', (token) => ['', { json: { repo_token: token, payload } }]],
    [
      'JSON with a number',
      (token) => [`?repo_token=${token}`, { json: { payload: { build_num: 71, status: 'done' } } }],
    ],
    ['JSON without a status', (token) => [`?repo_token=${token}`, { json: { payload: { build_num: 71 } } }]],
    [
      'JSON whose payload is a JSON string',
      (token) => [`?repo_token=${token}`, { json: { payload: JSON.stringify(payload) } }],
    ],
    [
      'form pairs',
      (token) => [`?repo_token=${token}`, { form: { 'payload[build_num]': '71', 'payload[status]': 'done' } }],
    ],
    [
      'form pairs, the token among them',
      (token) => ['', { form: { repo_token: token, 'payload[build_num]': '71', 'payload[status]': 'done' } }],
    ],
    [
      'a form whose payload is a JSON string',
      (token) => ['', { form: { repo_token: token, payload: JSON.stringify(payload) } }],
    ],
    ['with unknown fields', (token) => ['', { json: { repo_token: token, payload: { ...payload, x: 1 }, y: [] } }]],
    ['an empty body', (token) => [`?repo_token=${token}`, undefined]],
    ['an empty object', (token) => [`?repo_token=${token}`, { json: {} }]],
    ['a payload of null', (token) => [`?repo_token=${token}`, { json: { payload: null } }]],
    ['a build_num of null', (token) => [`?repo_token=${token}`, { json: { payload: { build_num: null } } }]],
    [
      'an empty build_num',
      (token) => [`?repo_token=${token}`, { form: { 'payload[build_num]': '', 'payload[status]': 'done' } }],
    ],
  ];

  test.each(cases)('as %s', async (_, ask) => {
    const { token } = await service.newRepo();
    const { build } = await service.upload(parallel(token));
    const reply = await post(...ask(token));
    expect([reply.status, reply.headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8']);
    expect(reply.text).toBe(`{"done":true,"url":"${service.url}/builds/${build}","jobs":1}`);
    expect(await service.build(build)).toMatchObject({ state: 'closed', closed_by: 'webhook', covered_percent: 50 });
  });

  test.each(['//webhook', '/webhook/'])('at %s, without a redirect, whatever Accept says', async (path) => {
    const { token } = await service.newRepo();
    await service.upload(parallel(token));
    const init: RequestInit = { method: 'POST', redirect: 'manual', headers: { accept: 'text/html' } };
    const reply = await service.api.send(`${path}?repo_token=${token}`, init);
    expect([reply.status, reply.headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8']);
  });

  test('twice: the same answer, and nothing changes', async () => {
    const { token } = await service.newRepo();
    await service.upload(parallel(token));
    await service.upload(parallel(token, { flag_name: 'e2e' }));
    const close = () => post(`?repo_token=${token}`, { json: { payload } });
    const first = await close();
    expect(first.json.jobs).toBe(2);
    const closed = await service.build(first.json.url.split('/').at(-1) ?? '');
    expect((await close()).text).toBe(first.text);
    expect(await service.build(closed.id)).toEqual(closed);
  });

  test('many times at once: one close, the same answer to all', async () => {
    const { token } = await service.newRepo();
    const { build } = await service.upload(parallel(token));
    const replies = await Promise.all(
      Array.from({ length: 8 }, () => post(`?repo_token=${token}`, { json: { payload } })),
    );
    expect(new Set(replies.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect((await service.store.builds.find(Number(build)))?.result?.closeCount).toBe(1);
  });

  test('while uploads come: every job that was answered before it counts', async () => {
    const { token } = await service.newRepo();
    const upload = (index: number) =>
      service.upload(parallel(token, { source_files: [sourceFile(`src/${index}.ts`, [1])] }));
    await Promise.all([0, 1, 2].map(upload));
    const [reply] = await Promise.all([post(`?repo_token=${token}`, { json: { payload } }), ...[3, 4, 5].map(upload)]);
    expect(reply?.json.jobs).toBeGreaterThanOrEqual(3);
    expect(await service.close(token, 71)).toMatchObject({ state: 'closed', relevant_lines: 6 });
  });
});

describe('carryforward is taken', () => {
  const lines = (flag: string) => ({ flag_name: flag, source_files: [sourceFile(`src/${flag}.ts`, [1, 1])] });
  test.each<readonly [what: string, query: string, body: Fields, expected: readonly string[]]>([
    ['a comma list in the query', '&carryforward=e2e,lint', {}, ['e2e', 'lint']],
    ['a comma list with blanks', '&carryforward=e2e,%20lint%20,', {}, ['e2e', 'lint']],
    ['repeated in the query', '&carryforward=e2e&carryforward=lint', {}, ['e2e', 'lint']],
    ['all in the query', '&carryforward=all', {}, ['e2e', 'lint']],
    ['a comma list in the body', '', { carryforward: 'e2e' }, ['e2e']],
    ['a list in the body', '', { carryforward: ['e2e', 'lint'] }, ['e2e', 'lint']],
    ['all in the body', '', { carryforward: 'all' }, ['e2e', 'lint']],
    ['none, when empty', '&carryforward=', { carryforward: [] }, []],
    ['none, when null', '', { carryforward: null }, []],
  ])('as %s', async (_, query, body, expected) => {
    const { token } = await service.newRepo();
    for (const flag of ['e2e', 'lint'])
      await service.upload(parallel(token, { ...lines(flag), service_number: '70', commit_sha: shaOf('70') }));
    await service.close(token, '70');
    await service.upload(parallel(token, lines('unit')));
    const reply = await post(`?repo_token=${token}${query}`, { json: { ...body, payload: { build_num: 71 } } });
    const build = await service.build(reply.json.url.split('/').at(-1) ?? '');
    expect(build.flags.filter(({ carried_from }) => carried_from !== null).map(({ name }) => name)).toEqual(expected);
  });
});

describe('build_num means', () => {
  const closeOf = async (token: string, buildNumber: unknown) => {
    const reply = await post(`?repo_token=${token}`, { json: { payload: { build_num: buildNumber } } });
    return reply.status === 200 ? reply.json.url.split('/').at(-1) : reply.text;
  };
  const send = async (token: string, fields: Fields) => (await service.upload(parallel(token, fields))).build;

  test('a service_number before a job id, a job id before a build’s own number', async () => {
    const { token } = await service.newRepo();
    const own = await send(token, { ...NUMBERLESS, commit_sha: shaOf('1') });
    const byJobId = await send(token, { service_number: 'x', service_job_id: '5' });
    const byNumber = await send(token, { service_number: '7', service_job_id: '8' });
    expect(await closeOf(token, 1)).toBe(own);
    expect(await closeOf(token, '5')).toBe(byJobId);
    expect(await closeOf(token, '7')).toBe(byNumber);
    const shadows = await send(token, { service_number: '1', service_job_id: '7', commit_sha: shaOf('2') });
    expect(await closeOf(token, '1')).toBe(shadows);
    expect(await closeOf(token, '7')).toBe(byNumber);
  });

  test('never a build by its chronological number where it has a service_number', async () => {
    const { token } = await service.newRepo();
    await send(token, { service_number: '71' });
    expect(await closeOf(token, 1)).toBe('{"message":"No build matching CI build number 1 found","error":true}');
  });

  test('the newest open one, else the newest', async () => {
    const { token } = await service.newRepo();
    const pull = (number: number) => ({ service_pull_request: String(number), commit_sha: shaOf(`pull ${number}`) });
    const one = await send(token, pull(1));
    const two = await send(token, pull(2));
    const three = await send(token, pull(3));
    expect(await closeOf(token, 71)).toBe(three);
    expect(await closeOf(token, 71)).toBe(two);
    expect(await closeOf(token, 71)).toBe(one);
    expect(await closeOf(token, 71)).toBe(three);
  });

  test('nothing of another repo', async () => {
    const [ours, theirs] = [await service.newRepo(), await service.newRepo()];
    const build = await send(theirs.token, {});
    const reply = await post(`?repo_token=${ours.token}`, { json: { payload: { build_num: 71, status: 'done' } } });
    expect(reply.status).toBe(422);
    expect(reply.text).toBe('{"message":"No build matching CI build number 71 found","error":true}');
    expect((await service.build(build)).state).toBe('open');
  });
});

describe('a close without a number means', () => {
  let timed: Service;
  beforeAll(async () => {
    timed = await startService({ env: { BUILD_QUIET_PERIOD: '1h' } });
  });
  afterAll(() => timed.stop());
  const closeOf = async (token: string) => {
    const reply = await post(`?repo_token=${token}`, undefined, timed);
    return reply.status === 200 ? reply.json.url.split('/').at(-1) : reply.status;
  };
  const send = async (token: string, fields: Fields) => (await timed.upload(parallel(token, fields))).build;

  test('the newest open parallel build without a service_number, else any', async () => {
    const { token } = await timed.newRepo();
    const older = await send(token, { ...NUMBERLESS, commit_sha: shaOf('1') });
    const newer = await send(token, { ...NUMBERLESS, commit_sha: shaOf('2') });
    const numbered = await send(token, { service_number: '71' });
    expect(await closeOf(token)).toBe(newer);
    expect(await closeOf(token)).toBe(older);
    expect(await closeOf(token)).toBe(numbered);
    expect(await closeOf(token)).toBe(numbered);
  });

  test('with none open, the last that was closed this way within 10 minutes', async () => {
    const { token } = await timed.newRepo();
    const build = await send(token, NUMBERLESS);
    expect(await closeOf(token)).toBe(build);
    const named = await send(token, { service_number: '71' });
    await timed.close(token, '71');
    expect(named).not.toBe(build);
    await timed.time.pass(9 * 60_000);
    expect(await closeOf(token)).toBe(build);
    await timed.time.pass(65_000);
    expect(await closeOf(token)).toBe(422);
  });

  test('nothing where nothing was parallel', async () => {
    const { token } = await timed.newRepo();
    await timed.uploadAlone(parallel(token, { parallel: false }));
    const reply = await post(`?repo_token=${token}`, undefined, timed);
    expect([reply.status, reply.json.error]).toEqual([422, true]);
    expect(reply.json.message).toMatch(/^No open parallel build found/);
  });
});
