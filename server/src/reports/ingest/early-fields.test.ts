import { deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type EncodedBody, encodeJob, multipart } from '../../../../test/support/job-bodies.ts';
import { numRuns } from '../../../../test/support/property-runs.ts';
import { EARLY_BYTES, findLateToken, readEarlyFields } from './early-fields.ts';
import type { UploadBody } from './ingest.ts';

const TOKEN = 'cvr_0123456789"\\é';
const PLAIN = 'cvr_0123456789';
const who = (token: string) => ({ repo_token: token, repo_name: 'acme/shop' });
/** So large that what comes after them is not in the beginning, however well it packs. */
const lines = Array.from({ length: 30_000 }, (_, line) => (line * 7_919) % 1_009);
const files = { source_files: [{ name: 'a.ts', coverage: lines, source: 'x' }] };

const toBody = ({ headers, body }: EncodedBody): UploadBody => ({
  bytes: Buffer.from(body as Uint8Array),
  contentType: headers['content-type'] ?? '',
  contentEncoding: headers['content-encoding'] ?? '',
});
const begin = (body: UploadBody) => readEarlyFields({ ...body, bytes: body.bytes.subarray(0, EARLY_BYTES) });
const packed = (contentEncoding: string, bytes: Uint8Array): UploadBody => ({
  bytes,
  contentType: 'application/json',
  contentEncoding,
});

/** wire.md, E1 to E7, and packed. */
const ENCODINGS: readonly (readonly [name: string, encode: (job: object) => UploadBody])[] = [
  ['E1', (job) => toBody(encodeJob(job, 'E1'))],
  ['E2', (job) => toBody(multipart(JSON.stringify(job), { field: 'json', filename: null }))],
  ['E3', (job) => toBody(encodeJob(job, 'E3'))],
  ['E5', (job) => toBody(multipart(gzipSync(JSON.stringify(job)), { boundary: '--odd' }))],
  ['E6', (job) => toBody(encodeJob(job, 'E6'))],
  ['E7', (job) => toBody(encodeJob({ json: JSON.stringify(job) }))],
  ['gzip', (job) => packed('gzip', gzipSync(JSON.stringify(job)))],
  ['gzip without a header', (job) => packed('', gzipSync(JSON.stringify(job)))],
  ['deflate', (job) => packed('deflate', deflateSync(JSON.stringify(job)))],
  ['bare deflate', (job) => packed('deflate', deflateRawSync(JSON.stringify(job)))],
  ['zstd in gzip', (job) => packed('zstd, gzip', gzipSync(zstdCompressSync(JSON.stringify(job))))],
];

describe.each(ENCODINGS)('%s', (name, encode) => {
  test('says whose it is, if the token is in its beginning', async () => {
    const small = { service_name: 'ci', source_files: [{ name: 'a', coverage: [1] }], ...who(TOKEN) };
    for (const job of [{ ...who(TOKEN), ...files }, small])
      expect(await begin(encode(job))).toEqual({ token: TOKEN, repoName: 'acme/shop', hasNoToken: false });
  });

  test('does not say it, if the token is behind the source files', async () => {
    const body = encode({ ...files, ...who(PLAIN) });
    expect(await begin(body)).toEqual({ token: undefined, repoName: undefined, hasNoToken: false });
    const isPlain = ['E1', 'E2', 'E3', 'E6'].includes(name);
    expect(findLateToken(body)).toBe(isPlain ? PLAIN : undefined);
  });

  test('says that there is none, if it is all there', async () => {
    expect(await begin(encode({ service_name: 'ci' }))).toMatchObject({ token: undefined, hasNoToken: true });
  });
});

const json = (text: string): UploadBody => packed('', Buffer.from(text));

test.each([
  ['of a repeated key the last', '{"repo_token":"a","repo_token":"b"}', 'b', false],
  ['an escaped key', '{"repo\\u005ftoken":" a "}', 'a', false],
  ['not one of a deeper level', '{"git":{"repo_token":"a"},"source_files":[{"repo_token":"b"}]}', undefined, true],
  ['not one that is no text', '{"repo_token":17}', undefined, false],
  ['not one that is empty', '{"repo_token":""}', undefined, false],
  ['not one that is cut off', '{"repo_token":"cvr_01', undefined, false],
  ['not one in a job that has its own', '{"repo_token":"a","json":"{\\"repo_token\\":\\"b\\"}"}', 'a', false],
  ['not one behind hundreds of keys', `{${'"x":1,'.repeat(600)}"repo_token":"a"}`, undefined, false],
  ['nothing of what is broken', '{"repo_token":"a",}', undefined, false],
  ['nothing of what is no job', '[1,2]', undefined, false],
  ['nothing of no bytes', '', undefined, false],
])('takes %s', async (_, text, token, hasNoToken) => {
  expect(await begin(json(text))).toEqual({ token, repoName: undefined, hasNoToken });
});

test('stops unpacking when it has seen enough, and takes damaged and odd bodies', async () => {
  const bomb = gzipSync(gzipSync(Buffer.alloc(2 ** 22, 0x20)));
  const odd: readonly UploadBody[] = [
    packed('gzip, gzip', bomb),
    packed('gzip', Buffer.from('no gzip')),
    packed('br', Buffer.from('{}')),
    packed('gzip,gzip,gzip,gzip', bomb),
    { ...json('x'), contentType: 'multipart/form-data' },
    { ...json('--b\r\nContent-Disposition: form-da'), contentType: 'multipart/form-data; boundary=b' },
    { ...json(`--b\r\n${'x'.repeat(20_000)}`), contentType: 'multipart/form-data; boundary=b' },
  ];
  for (const body of odd) expect(await begin(body)).toMatchObject({ token: undefined, hasNoToken: false });
});

test('a body that is cut anywhere says the same, or nothing', async () => {
  const job = { service_name: 'ci"\\\u0007', ...who(TOKEN), service_number: 7 };
  const encoded = ENCODINGS.map(([, encode]) => encode(job));
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...encoded), fc.nat(600), async (body, length) => {
      const { token } = await readEarlyFields({ ...body, bytes: body.bytes.subarray(0, length) });
      expect([TOKEN, undefined]).toContain(token);
    }),
    { numRuns: numRuns(150) },
  );
});
