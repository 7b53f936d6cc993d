import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { job, type Reply, type RepoJson } from '../support/coverage-api.ts';
import { type GithubStandIn, startGithubStandIn } from '../support/github-stand-in/github-stand-in.ts';
import { type EncodedBody, encodeJob, multipart } from '../support/job-bodies.ts';
import { openRaw } from '../support/raw-http.ts';
import { type Service, startService } from '../support/service.ts';

const UPLOAD_LIMIT = 32 * 1024;
const REPORT_LIMIT = 64 * 1024;
const GITHUB_TOKEN = 'ghs_0123456789abcdefABCDEF0123456789abcd';
let github: GithubStandIn;
let service: Service;
let repo: RepoJson & { token: string };
beforeAll(async () => {
  github = await startGithubStandIn();
  service = await startService({ github, env: { MAX_UPLOAD_BYTES: '32KiB', MAX_REPORT_BYTES: '64KiB' } });
  repo = await service.newRepo({ service: 'github', name: 'acme/shop' });
});
afterAll(async () => {
  await service.stop();
  await github.close();
});

/** All builds and jobs that are stored. */
async function stored(): Promise<readonly unknown[]> {
  const all: unknown[] = [];
  for (let id = 1; ; id += 1) {
    const found = [await service.store.builds.find(id), await service.store.jobs.find(id)];
    if (found.every((one) => one === undefined)) return all;
    all.push(...found);
  }
}

let before: readonly unknown[] = [];
let lines = 0;
beforeEach(async () => {
  before = await stored();
  lines = service.log.lines.length;
});
// Whatever was refused: nothing is stored, no line holds a secret, and nothing counts as a fault of the server.
afterEach(async () => {
  expect(await stored()).toEqual(before);
  expect(service.log.text()).not.toMatch(/cvr_\w|cvp_\w|ghs_\w|ghp_\w|hunter2|admin-token-of/);
  expect(service.log.lines.slice(lines).filter(({ level }) => level === 'error')).toEqual([]);
});

/** Expects the failure of wire.md "Failures" with this status, and answers its sentence. */
function refused<T>(reply: Reply<T>, status: number): string {
  expect(reply.status).toBe(status);
  expect(reply.headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(reply.headers.get('x-request-id')).toMatch(/^\S+$/);
  expect(reply.json).toEqual({ message: expect.stringMatching(/^\S.*[.)]$|found$/s), error: true });
  return reply.json.message ?? '';
}
const upload = (fields: object, body?: EncodedBody) =>
  body ? service.api.uploadBody(body) : service.api.uploadJob({ ...job({ repo_token: repo.token }), ...fields });
const webhook = (query: string, body: unknown, type = 'application/json') =>
  service.api.send(`/webhook${query}`, {
    method: 'POST',
    headers: { 'content-type': type },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });

const nested = (depth: number): string => `${'['.repeat(depth)}${']'.repeat(depth)}`;

describe('a token that is not the repo’s', () => {
  const unknown: readonly (readonly [kind: string, token: unknown])[] = [
    ['no repo_token was sent', undefined],
    ['no repo_token was sent', ''],
    ['no repo_token was sent', null],
    ['a repo token of this service', 'cvr_0123456789abcdefghijklmnopqrstuvwxyz'],
    ['a personal token of this service', 'cvp_0123456789abcdefghijklmnopqrstuvwxyz'],
    ['a GitHub token', GITHUB_TOKEN],
    ['a GitHub personal token', 'ghp_0123456789abcdefABCDEF0123456789abcd'],
    ['the name of a variable that was not replaced', '%COVERALLS_REPO_TOKEN%'],
    ['a token of another kind', 'hunter2hunter2hunter2hunter2'],
    ['a text that is no token of this service', 'hunter2'],
  ];
  test.each(unknown)('in an upload: 422 says that it is %s, and which repo was asked for', async (kind, token) => {
    const message = refused(await upload({ repo_token: token, repo_name: 'acme/other' }), 422);
    expect(message).toContain(kind);
    expect(message).toContain('acme/other');
    if (typeof token === 'string' && token !== '') expect(message).not.toContain(token);
  });
  test.each(unknown)('in a close: 422 says that it is %s', async (kind, token) => {
    const message = refused(await webhook('', { repo_token: token, payload: { build_num: 71, status: 'done' } }), 422);
    expect(message).toContain(kind);
    if (typeof token === 'string' && token !== '') expect(message).not.toContain(token);
  });
  test('in the query of a close', async () => {
    const message = refused(await webhook(`?repo_token=${GITHUB_TOKEN}`, { payload: {} }), 422);
    expect(message).not.toContain(GITHUB_TOKEN);
  });
  test.each(['administrator', 'owner'])('but the %s’s personal one: 422', async (who) => {
    const token = who === 'owner' ? await service.tokenOf('alice') : service.adminToken;
    expect(refused(await upload({ repo_token: token }), 422)).not.toContain(token);
  });
  test('any more: a token that was replaced, and one whose repo was removed', async () => {
    const other = await service.newRepo();
    const headers = { authorization: `token ${service.adminToken}`, 'content-type': 'application/json' };
    const path = `/api/v1/repos/manual/${other.name}`;
    const { json } = await service.api.send<{ token: string }>(`${path}/token`, {
      method: 'POST',
      headers,
      body: '{}',
    });
    const gone = 'a repo token of this service that no repo has (any more): it was replaced, its repo was removed, or';
    expect(refused(await upload({ repo_token: other.token }), 422)).toContain(gone);
    await service.api.send(path, { method: 'DELETE', headers });
    expect(refused(await upload({ repo_token: json.token }), 422)).toContain(gone);
    expect(refused(await webhook(`?repo_token=${json.token}`, {}), 422)).toContain(gone);
    const read = await service.api.send(`/jobs/1.json?repo_token=${json.token}`, {});
    expect(refused(read, 422)).toContain(gone);
  });
});

describe('an upload that is not what it says', () => {
  const raw = (
    body: string | Uint8Array,
    type = 'application/json',
    more: Record<string, string> = {},
  ): EncodedBody => ({
    headers: { 'content-type': type, ...more },
    body: new Uint8Array(Buffer.from(body as string)),
  });
  const good = JSON.stringify(job({ repo_token: 'x' }));
  test.each<readonly [what: string, body: EncodedBody, says: RegExp]>([
    ['an empty body', raw(''), /empty.*json_file/i],
    ['broken JSON', raw('{"repo_token": "x",, }'), /not valid JSON: at byte 19 /],
    ['JSON that ends too early', raw(good.slice(0, -10)), /not valid JSON.*it ends/],
    ['a list', raw('[]'), /must be a JSON object/],
    ['a text', raw('"job"'), /must be a JSON object/],
    ['null', raw('null'), /must be a JSON object/],
    ['HTML', raw('<html>', 'text/html'), /text\/html.*not understood/],
    ['a form without the field', raw('job=1', 'application/x-www-form-urlencoded'), /no field `json`/],
    ['broken JSON in a form', raw('json=%7B', 'application/x-www-form-urlencoded'), /not valid JSON/],
    ['a multipart body without the part', multipart(good, { field: 'report' }), /no part named `json_file`/],
    ['a multipart body without a boundary', raw(good, 'multipart/form-data'), /boundary/],
    [
      'a multipart body that was cut',
      raw('--XX\r\nContent-Disposition: form-data; name="json_file"\r\n\r\n{', 'multipart/form-data; boundary=XX'),
      /cannot be read/,
    ],
    [
      'broken gzip',
      raw(gzipSync(good).subarray(0, 40), 'application/json', { 'content-encoding': 'gzip' }),
      /not valid gzip/,
    ],
    ['an unknown Content-Encoding', raw(good, 'application/json', { 'content-encoding': 'br' }), /"br" is not known/],
    ['broken JSON within JSON', raw('{"json": "{"}'), /not valid JSON/],
  ])('%s: 422', async (_, body, says) => {
    expect(refused(await upload({}, body), 422)).toMatch(says);
  });
});

describe('an upload with a wrong value', () => {
  const file = (fields: object) => ({ source_files: [{ name: 'a.py', coverage: [1, 0], ...fields }] });
  test.each<readonly [field: string, fields: object, seen: string]>([
    ['parallel', { parallel: 'maybe' }, 'maybe'],
    ['service_number', { service_number: [71] }, ''],
    ['service_job_id', { service_job_id: { a: 1 } }, ''],
    ['flag_name', { flag_name: ['unit'] }, ''],
    ['commit_sha', { commit_sha: {} }, ''],
    ['repo_token', { repo_token: ['x'] }, ''],
    ['source_files', { source_files: 'a.py' }, 'a.py'],
    ['source_files', { source_files: {} }, 'an object'],
    ['source_files[0]', { source_files: ['a.py'] }, 'a.py'],
    ['source_files[0].name', file({ name: 7 }), '7'],
    ['source_files[0].name', file({ name: '' }), '""'],
    ['source_files[0].name', file({ name: undefined }), 'is missing'],
    ['source_files[0].coverage', file({ coverage: 'full' }), 'full'],
    ['source_files[0].coverage[1]', file({ coverage: [1, '1'] }), '"1"'],
    ['source_files[0].coverage[0]', file({ coverage: [true] }), 'true'],
    ['source_files[0].branches', file({ branches: [1, 0, 0] }), '3 numbers'],
    ['source_files[0].branches[3]', file({ branches: [1, 0, 0, null] }), 'null'],
    ['source_files[0].branches[0]', file({ branches: [1.5, 0, 0, 1] }), '1.5'],
  ])('%s: 422 names the field and the value seen', async (field, fields, seen) => {
    const message = refused(await upload(fields), 422);
    expect(message).toMatch(new RegExp(`^${field.replace(/[[\].]/g, '\\$&')}(?![\\w.[])`));
    expect(message).toContain(seen);
  });
});

describe('an upload that is too large: 413 with the limit', () => {
  const large = (length: number) => JSON.stringify({ ...job({ repo_token: repo.token }), filler: 'x'.repeat(length) });
  test.each<readonly [what: string, body: () => EncodedBody, limit: number]>([
    ['as sent', () => encodeJob(large(UPLOAD_LIMIT)), UPLOAD_LIMIT],
    ['as sent, in a form', () => encodeJob(large(UPLOAD_LIMIT), 'E1'), UPLOAD_LIMIT],
    ['unpacked', () => encodeJob(large(REPORT_LIMIT), 'E6-gzip'), REPORT_LIMIT],
    ['unpacked, in a part', () => multipart(gzipSync(large(REPORT_LIMIT)), {}), REPORT_LIMIT],
    ['unpacked, many times', () => encodeJob(large(20_000_000), 'E6-gzip'), REPORT_LIMIT],
  ])('%s', async (_, body, limit) => {
    expect(refused(await upload({}, body()), 413)).toContain(String(limit));
  });
});

describe('an upload that stops half way', () => {
  test('is not stored, whether the client ends, hangs up or sends rubbish', async () => {
    const body = JSON.stringify(job({ repo_token: repo.token }));
    const head = 'POST /api/v1/jobs HTTP/1.1\r\n';
    const whole = `${head}Content-Length: ${body.length}\r\n\r\n`;
    const ended = await openRaw(service.port);
    ended.send(whole + body.slice(0, 100));
    ended.socket.end();
    const answer = await ended.answer();
    expect([answer.status, answer.headers['content-type']]).toEqual([408, 'application/json; charset=utf-8']);
    expect(JSON.parse(answer.body)).toMatchObject({ error: true });
    const chunked = await openRaw(service.port);
    chunked.send(
      `${head}Transfer-Encoding: chunked\r\n\r\n${(64).toString(16)}\r\n${body.slice(0, 64)}\r\nrubbish\r\n`,
    );
    expect((await chunked.answer()).status).toBe(408);
    const gone = await openRaw(service.port);
    gone.send(whole + body.slice(0, 100));
    gone.socket.resetAndDestroy();
    const outcomes = async (): Promise<readonly (readonly (string | undefined)[])[]> => {
      const headers = { authorization: `Bearer ${service.adminToken}` };
      const metrics = await (await fetch(`${service.url}/metrics`, { headers })).text();
      const counted = metrics.matchAll(/^coverage_uploads_total\{outcome="(body-\S+)"\} (\d+)/gm);
      return [...counted].map(([, outcome, count]) => [outcome, count]);
    };
    // Nobody is told of the one that hung up.
    await expect.poll(outcomes).toEqual([['body-incomplete', '3']]);
  });
});

describe('a close that does not fit', () => {
  const query = () => `?repo_token=${repo.token}`;
  test.each<readonly [what: string, body: unknown, says: RegExp]>([
    [
      'an unknown build',
      { payload: { build_num: 71, status: 'done' } },
      /^No build matching CI build number 71 found$/,
    ],
    [
      'an unknown build, hostile',
      { payload: { build_num: '7"<b>', status: 'done' } },
      /^No build matching CI build number 7.{1,2}<b> found$/,
    ],
    [
      'a status other than done',
      { payload: { build_num: 71, status: 'pending' } },
      /^payload\.status must be "done", but is "pending"\.$/,
    ],
    ['a status that is no text', { payload: { status: ['a', {}] } }, /^payload\.status /],
    ['a number that is no number', { payload: { build_num: { a: 1 } } }, /^payload\.build_num /],
    ['a payload that is a list', { payload: [1] }, /^payload /],
    ['a payload that is broken JSON', { payload: '{"build_num":' }, /^payload /],
    ['a list', [1], /^the body |must be an object/i],
    ['broken JSON', '{"payload": {', /not JSON/],
    ['nothing open', {}, /^No open parallel build found/],
  ])('%s: 422', async (_, body, says) => {
    expect(refused(await webhook(query(), body), 422)).toMatch(says);
  });
  test.each([
    ['an unknown build', 'payload[build_num]=71&payload[status]=done', 'No build matching CI build number 71 found'],
    [
      'a status other than done',
      'payload[build_num]=71&payload[status]=running',
      'payload.status must be "done", but is "running".',
    ],
  ])('%s, in a form: 422', async (_, body, sentence) => {
    expect(refused(await webhook(query(), body, 'application/x-www-form-urlencoded'), 422)).toBe(sentence);
  });
  test.each([
    ['a payload nested 9,000 deep', `{"payload":${nested(9_000)}}`, /^payload must be an object, but is \[+…/],
    ['a payload nested so in a text', { payload: nested(9_000) }, /^payload must be .* its JSON, but is "\[+…/],
    ['a token nested so', `{"repo_token":{"a":${nested(9_000)}}}`, /^repo_token must be .*, but is \{"a":\[+…/],
    ['a payload nested 30,000 deep', `{"payload":${nested(30_000)}}`, /^The body is made of more than 10000 values/],
    ['a payload nested so in a text', { payload: `{"a":${nested(30_000)}}` }, /^payload must be .* its JSON, but is /],
    ['60,000 of [', '['.repeat(60_000), /^The body is not a JSON object/],
  ])('%s: 422', async (_, body, says) => {
    expect(refused(await webhook('', body), 422)).toMatch(says);
  });
  test('a body over its limit: 413', async () => {
    expect(refused(await webhook(query(), { filler: 'x'.repeat(65_536) }), 413)).toContain('65536');
  });
});

describe('an address that does not exist', () => {
  test.each([
    ['GET', '/api/v1/jobs', 'POST'],
    ['PUT', '/api/v1/jobs', 'POST'],
    ['GET', '/webhook', 'POST'],
    ['POST', '/', '/api/v1/jobs'],
    ['POST', '/api/v2/jobs', '/api/v1/jobs'],
    ['POST', '/builds/1.json', 'GET'],
    ['DELETE', '/builds/1', 'GET'],
  ])('%s %s: 404 says what does', async (method, path, remedy) => {
    const body = method === 'GET' ? {} : { body: JSON.stringify(job({ repo_token: repo.token })) };
    expect(refused(await service.api.send(path, { method, ...body }), 404)).toContain(remedy);
  });
});
