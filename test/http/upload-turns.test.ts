import { gzipSync } from 'node:zlib';
import type { JobAnswer } from '@coverage/shared';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { job, sourceFile } from '../support/coverage-api.ts';
import { type EncodedBody, encodeJob, type JobEncoding, multipart } from '../support/job-bodies.ts';
import { openRaw } from '../support/raw-http.ts';
import { type Service, startService } from '../support/service.ts';
import { waitFor } from '../support/wait-for.ts';

const MIB = 2 ** 20;

/** Nothing is taken of an address whose callers are unknown: an answer says whose turn an upload took. */
let service: Service;
beforeAll(async () => {
  service = await startService({ env: { MAX_ADDRESS_BYTES_PER_DAY: '1', MAX_REPORT_BYTES: '4MiB' } });
});
afterAll(() => service.stop());

const post = (body: EncodedBody, headers: Record<string, string> = {}) =>
  service.api.send<JobAnswer>('/api/v1/jobs', {
    method: 'POST',
    headers: { ...body.headers, ...headers },
    body: body.body,
  });

/** So large that its end is not in its beginning, however well it packs. */
const lines = Array.from({ length: 30_000 }, (_, line) => (line * 7_919) % 1_009);
const large = { source_files: [sourceFile('src/large.ts', lines)] };
const tokenFirst = (token: string): object =>
  Object.assign({ repo_token: token }, job({ repo_token: token, ...large }));
const tokenLast = (token: string): object => {
  const { repo_token, ...rest } = job({ repo_token: token, ...large });
  return { ...rest, repo_token };
};
const asText = (text: object) => multipart(JSON.stringify(text), { field: 'json', filename: null });
const ENCODINGS: readonly JobEncoding[] = ['E1', 'E3', 'E4', 'E6', 'E6-gzip'];

describe('a token that nobody knows', () => {
  test.each(ENCODINGS)('is refused before anything else is looked at: %s', async (encoding) => {
    const broken = { repo_token: 'cvr_nobodys', repo_name: 'acme/shop', ...large, more: [[[]]] };
    const text = `${JSON.stringify(broken).slice(0, -5)}, what is no JSON`;
    const { status, json } = await post(encodeJob(text, encoding));
    expect([status, json.message]).toEqual([
      422,
      expect.stringContaining('Couldn\'t find the repo "acme/shop": repo_token is a repo token of this service that'),
    ]);
  });

  test('in front of a bomb: the bomb is not unpacked', async () => {
    const bomb = gzipSync(`{"repo_token":"cvr_nobodys","x":"${' '.repeat(64 * MIB)}`);
    const body = { headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' }, body: bomb };
    expect((await post({ ...body, body: new Uint8Array(bomb) })).status).toBe(422);
  });

  test('is refused while the rest is still to come, and the connection stays good', async () => {
    const connection = await openRaw(service.port);
    const head = (length: number) =>
      `POST /api/v1/jobs HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`;
    connection.send(`${head(MIB)}{"repo_token":"cvr_nobodys","x":"${' '.repeat(64 * 1_024)}`);
    const answer = await connection.answer();
    expect([answer.status, answer.body]).toEqual([422, expect.stringContaining("Couldn't find a repo")]);
    connection.send(Buffer.alloc(MIB - 64 * 1_024 - 33));
    connection.send(`${head(2)}{}`);
    expect((await connection.answer()).status).toBe(429);
    connection.socket.destroy();
  });

  test('in the header decides where the job is seen to have none', async () => {
    const { repo_token: _, ...small } = job({ repo_token: '' });
    const headers = { authorization: 'Bearer cvr_nobodys' };
    expect((await post(encodeJob(small), headers)).status).toBe(422);
    expect((await post(encodeJob({ ...small, ...large }), headers)).status).toBe(429);
  });
});

describe("a repo's own token", () => {
  test.each(ENCODINGS)('is known at the beginning: %s', async (encoding) => {
    const { token } = await service.newRepo();
    const { status, json } = await post(encodeJob(tokenFirst(token), encoding));
    expect([status, json.message]).toEqual([200, 'Job #71.1']);
  });

  test('is known at the end of what is not packed, and of what is small', async () => {
    const { token } = await service.newRepo();
    const bodies = (['E1', 'E3', 'E4', 'E6'] as const).map((encoding) => encodeJob(tokenLast(token), encoding));
    for (const body of [...bodies, asText(tokenLast(token))]) expect((await post(body)).status).toBe(200);
    expect((await post(encodeJob({ ...tokenLast(token), source_files: [] }, 'E6-gzip'))).status).toBe(200);
  });

  test('is looked up once, wherever it stands', async () => {
    const { token } = await service.newRepo();
    const look = vi.spyOn(service.store.repos, 'findByToken');
    const small = { ...tokenFirst(token), source_files: [] };
    const { repo_token: _, ...without } = job({ repo_token: '', ...large });
    const header = { authorization: `Bearer ${token}` };
    const sent: [EncodedBody, Record<string, string>?][] = [
      [encodeJob(small)],
      [encodeJob(tokenFirst(token))],
      [encodeJob(tokenLast(token))],
      [encodeJob(without), header],
    ];
    for (const [body, headers] of sent) {
      look.mockClear();
      expect([(await post(body, headers)).status, look.mock.calls.length]).toEqual([200, 1]);
    }
    look.mockRestore();
  });

  test('is looked up again where the rest took long to arrive: it may have been replaced', async () => {
    const { id, token } = await service.newRepo();
    const body = JSON.stringify(tokenFirst(token));
    const look = vi.spyOn(service.store.repos, 'findByToken');
    const connection = await openRaw(service.port);
    const head = `POST /api/v1/jobs HTTP/1.1\r\nHost: x\r\nContent-Length: ${body.length}\r\n\r\n`;
    connection.send(head + body.slice(0, 20_000));
    await waitFor(() => look.mock.calls.length === 1, { what: 'the look at its beginning' });
    look.mockRestore();
    const replaced = { lookup: 'another', sealed: 'another', expiresAt: undefined };
    await service.store.repos.replaceToken({ repoId: id, token: replaced, oldUntil: undefined, at: Date.now() });
    await service.time.pass(10_000);
    connection.send(body.slice(20_000));
    const answer = await connection.answer();
    expect([answer.status, answer.body]).toEqual([422, expect.stringContaining("Couldn't find")]);
    connection.socket.destroy();
  });

  test('counts in the job, though the header has another one that is known', async () => {
    const [own, other] = [await service.newRepo(), await service.newRepo()];
    const headers = { authorization: `Bearer ${other.token}` };
    const { json } = await post(encodeJob(tokenLast(own.token), 'E6-gzip'), headers);
    const stored = await service.store.jobs.find(Number(json.url.split('/').at(-1)));
    const build = await service.store.builds.find(stored?.buildId ?? 0);
    expect(build?.repoId).toBe(own.id);
  });

  test('is known in the header, wherever the job ends', async () => {
    const { token } = await service.newRepo();
    const { repo_token: _, ...rest } = job({ repo_token: '', ...large });
    expect((await post(encodeJob(rest, 'E6-gzip'), { authorization: `Bearer ${token}` })).status).toBe(200);
  });

  test('is not known at the end of what is packed: the address counts', async () => {
    const { token } = await service.newRepo();
    const { status, headers, json } = await post(encodeJob(tokenLast(token), 'E6-gzip'));
    expect([status, json.message]).toEqual([429, expect.stringContaining('(MAX_ADDRESS_BYTES_PER_DAY)')]);
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
  });
});
