import { deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { numRuns } from '../../../../test/support/property-runs.ts';
import { Failure } from '../../core/failure.ts';
import { decodeReport } from '../codec/decode-report.ts';
import { decodeDiff } from '../codec/diff-codec.ts';
import { DEFAULT_INGEST_LIMITS, type IngestedJob, type UploadBody } from './ingest.ts';
import { ingestJob } from './ingest-job.ts';

const JOB = {
  repo_token: 'secret',
  service_name: 'ci',
  service_number: 71,
  diff: {
    base_sha: 'b'.repeat(40),
    head_sha: 'a'.repeat(40),
    files: [{ name: './lib/a.rb', kind: 'modified', hunks: [[1, 0, 1, 1]] }],
    complete: true,
  },
  source_files: [
    { name: './lib/a.rb', source_digest: 'ABC', coverage: [1, null, 0], branches: [1, 0, 0, 1, 1, 0, 1, 0] },
  ],
};
const TEXT = JSON.stringify(JOB);

const ingest = (
  bytes: string | Uint8Array,
  contentType = 'application/json',
  contentEncoding = '',
): Promise<IngestedJob> =>
  ingestJob({ bytes: Buffer.from(bytes as string), contentType, contentEncoding }, DEFAULT_INGEST_LIMITS);

const refusal = async (promise: Promise<unknown>): Promise<Failure> => {
  const error = await promise.then(
    () => expect.fail('was accepted'),
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(Failure);
  return error as Failure;
};

/** A multipart body with these part headers around `content`. */
function multipart(headers: string, content: string | Uint8Array, { boundary = 'XX', end = '\r\n' } = {}): Buffer {
  const head = `--${boundary}\r\n${headers}\r\n\r\n`;
  return Buffer.concat([Buffer.from(head), Buffer.from(content as string), Buffer.from(`\r\n--${boundary}--${end}`)]);
}

describe('what a client left out', () => {
  const warningsOf = async (left_out: unknown) => (await ingest(JSON.stringify({ ...JOB, left_out }))).warnings;

  it('is a warning in our words, with its folders quoted', async () => {
    const folders = ['/usr/include', 'x\n\u001b[31m<b>', 'y'.repeat(5_000), 7, 'c', 'd'];
    const found = await warningsOf({ files: 3, folders, ambiguous: 1, beyond_end: { lines: 7, files: 2 } });
    expect(found).toEqual([
      expect.stringMatching(
        /^The upload left out 3 files of its reports that are not in the checkout \(in "\/usr\/inc/,
      ),
      'The upload left out 1 file of its reports that may match several files of the checkout.',
      '7 lines beyond the end of 2 files are left out: the report was made from a different version of the file.',
    ]);
    expect(found[0]?.length).toBeLessThan(400);
    expect(found[0]).not.toMatch(/\p{Cc}|"d"/u);
  });

  it.each([
    undefined,
    null,
    'many',
    7,
    [],
    [{ files: 3 }],
    { files: '3', ambiguous: -1, beyond_end: 9 },
    { files: 1.5, folders: 'x' },
    { files: {}, beyond_end: { lines: Number.NaN, files: 1 } },
    { message: 'Verified' },
  ])('%j says nothing', async (value) => expect(await warningsOf(value)).toEqual([]));
});

describe('ingestJob reads every encoding of wire.md', () => {
  const form = 'multipart/form-data; boundary=XX';
  const file = 'Content-Disposition: form-data; name="json_file"; filename="json_file"';
  const cases: { name: string; body: string | Uint8Array; type: string; encoding?: string }[] = [
    { name: 'E1 npm coveralls', body: `json=${encodeURIComponent(TEXT)}`, type: 'application/x-www-form-urlencoded' },
    {
      name: 'E1 goveralls (plus for blank, charset)',
      body: `json=${new URLSearchParams({ a: JSON.stringify(JOB, null, 1) }).toString().slice(2)}`,
      type: 'application/x-www-form-urlencoded; charset=utf-8',
    },
    {
      name: 'E1 after another field',
      body: `a=1&json=${encodeURIComponent(TEXT)}&b=2`,
      type: 'application/x-www-form-urlencoded',
    },
    { name: 'E2 npm coveralls-next', body: multipart('Content-Disposition: form-data; name="json"', TEXT), type: form },
    {
      name: 'E2 npm coveralls-api (indented)',
      body: multipart('Content-Disposition: form-data; name="json"', JSON.stringify(JOB, null, 2)),
      type: form,
    },
    { name: 'E3 ruby', body: multipart(`${file}\r\nContent-Type: text/plain`, TEXT), type: form },
    {
      name: 'E3 maven',
      body: multipart(
        `${file}\r\nContent-Type: application/json;charset=UTF-8\r\nContent-Transfer-Encoding: binary`,
        TEXT,
      ),
      type: form,
    },
    {
      name: 'E3 sbt (part length)',
      body: multipart(`${file}\r\nContent-Type: application/octet-stream\r\nContent-Length: ${TEXT.length}`, TEXT),
      type: form,
    },
    {
      name: 'E3 a boundary that begins with --',
      body: multipart(`${file}\r\nContent-Type: application/json`, TEXT, { boundary: '----curl123' }),
      type: 'multipart/form-data; boundary=----curl123',
    },
    { name: 'E4 python', body: multipart(file, TEXT), type: form },
    { name: 'E4 c++ (lower-case headers)', body: multipart(file.toLowerCase(), TEXT), type: form },
    {
      name: 'E4 the comma of an old client',
      body: multipart(file, TEXT, { boundary: '282919' }),
      type: 'multipart/form-data, boundary=282919',
    },
    {
      name: 'E5 official reporter',
      body: multipart(`${file}\r\nContent-Type: application/gzip`, gzipSync(TEXT), { end: '' }),
      type: form,
    },
    {
      name: 'E5 elixir (unquoted names)',
      body: multipart(
        'Content-Disposition: form-data; name=json_file; filename=x.gz\r\nContent-Type: gzip/json',
        gzipSync(TEXT),
      ),
      type: form,
    },
    { name: 'E6 as documented', body: TEXT, type: 'application/json' },
    { name: 'E6 with charset and byte order mark', body: `\ufeff${TEXT}`, type: 'application/json; charset=utf-8' },
    { name: 'E6 our action: gzip', body: gzipSync(TEXT), type: 'application/json', encoding: 'gzip' },
    { name: 'E6 x-gzip', body: gzipSync(TEXT), type: 'application/json', encoding: 'x-gzip' },
    { name: 'E6 deflate', body: deflateSync(TEXT), type: 'application/json', encoding: 'deflate' },
    { name: 'E6 bare deflate', body: deflateRawSync(TEXT), type: 'application/json', encoding: 'deflate' },
    { name: 'E6 zstd', body: zstdCompressSync(TEXT), type: 'application/json', encoding: 'zstd' },
    { name: 'E6 two layers', body: gzipSync(zstdCompressSync(TEXT)), type: 'application/json', encoding: 'zstd, gzip' },
    { name: 'E6 gzip without a header', body: gzipSync(TEXT), type: 'application/json' },
    { name: 'E7 official reporter 0.5', body: JSON.stringify({ json: TEXT }), type: 'application/json' },
    { name: 'curl -d (form type, JSON body)', body: TEXT, type: 'application/x-www-form-urlencoded' },
    { name: 'no type', body: `\n ${TEXT}`, type: '' },
    { name: 'an unknown type around gzip', body: gzipSync(TEXT), type: 'application/octet-stream' },
    { name: 'an unrelated type around a form', body: `json=${encodeURIComponent(TEXT)}`, type: 'text/plain' },
  ];

  it.each(cases)('$name', async ({ body, type, encoding }) => {
    const job = await ingest(body, type, encoding);
    expect(job).toMatchObject({
      envelope: { repo_token: 'secret', service_name: 'ci', service_number: 71 },
      totals: { coveredLines: 1, relevantLines: 2, coveredBranches: 1, branches: 2 },
      files: 1,
      filesWithoutSource: 1,
      sources: [{ digest: job.diff?.digest }],
      diff: { base: 'b'.repeat(40), head: 'a'.repeat(40) },
      warnings: [],
    });
    expect(job.envelope).not.toHaveProperty('diff');
    expect(decodeDiff(job.sources[0]?.bytes ?? new Uint8Array())?.files).toMatchObject([
      { name: 'lib/a.rb', complete: true },
    ]);
    const [file] = decodeReport(job.report).files;
    expect(file).toMatchObject({ name: 'lib/a.rb', digest: 'abc', hits: Int32Array.of(1, -1, 0) });
  });
});

describe('ingestJob refuses, and says why', () => {
  it.each([
    { name: 'an empty body', body: '', type: 'application/json', says: /empty/ },
    {
      name: 'an unknown type',
      body: '<xml/>',
      type: 'text/xml',
      says: /"text\/xml" is not understood.*application\/json/,
    },
    {
      name: 'a form without the field',
      body: 'a=1',
      type: 'application/x-www-form-urlencoded',
      says: /no field `json`/,
    },
    { name: 'a multipart without boundary', body: TEXT, type: 'multipart/form-data', says: /boundary/ },
    {
      name: 'a multipart that was cut',
      body: multipart('a: b', TEXT).subarray(0, 60),
      type: 'multipart/form-data; boundary=XX',
      says: /cut/,
    },
    {
      name: 'a multipart of other fields',
      body: multipart('Content-Disposition: form-data; name="x"', TEXT),
      type: 'multipart/form-data; boundary=XX',
      says: /no part named `json_file` or `json`/,
    },
    {
      name: 'gzip that was cut',
      body: gzipSync(TEXT).subarray(0, 40),
      type: 'application/json',
      says: /not valid gzip/,
    },
    {
      name: 'broken JSON',
      body: '{"a":1,}',
      type: 'application/json',
      says: /at byte 7 of 8 stands "}" where a key in double quotes/,
    },
    {
      name: 'JSON that was cut',
      body: TEXT.slice(0, 50),
      type: 'application/json',
      says: /at byte 50 of 50 it ends where/,
    },
  ])('$name', async ({ body, type, says }) => {
    const failure = await refusal(ingest(body, type));
    expect(failure.code).toBe('payload-invalid');
    expect(failure.message).toMatch(says);
  });

  it('an unknown encoding', async () => {
    expect((await refusal(ingest(TEXT, 'application/json', 'br'))).message).toMatch(/"br" is not known/);
  });

  it('more than 100 parts', async () => {
    const part = '--XX\r\nContent-Disposition: form-data; name="x"\r\n\r\n1\r\n';
    const failure = await refusal(ingest(`${part.repeat(10_000)}--XX--\r\n`, 'multipart/form-data; boundary=XX'));
    expect(failure).toMatchObject({ code: 'payload-invalid', message: expect.stringContaining('more than 100 parts') });
  });

  it.each([
    ['gzip', gzipSync(Buffer.alloc(100_000, ' '))],
    ['zstd', zstdCompressSync(Buffer.alloc(100_000, ' '))],
    ['', Buffer.alloc(100_000, ' ')],
  ])('what unpacks beyond the limit, with the limit: %s', async (contentEncoding, bytes) => {
    const body: UploadBody = { bytes, contentType: 'application/json', contentEncoding };
    const failure = await refusal(ingestJob(body, { reportBytes: 50_000, unusualBytes: 1_000 }));
    expect(failure).toMatchObject({ code: 'payload-too-large', message: expect.stringContaining('50000 bytes') });
  });

  it('an unusual job above its own limit', async () => {
    const body: UploadBody = {
      bytes: Buffer.from(`{"parallel":1,"parallel":1${' '.repeat(2_000)}}`),
      contentType: '',
      contentEncoding: '',
    };
    const failure = await refusal(ingestJob(body, { reportBytes: 50_000, unusualBytes: 1_000 }));
    expect(failure).toMatchObject({ code: 'payload-too-large', message: expect.stringContaining('1000 bytes') });
  });
});

describe('a damaged upload', () => {
  const body = multipart('Content-Disposition: form-data; name="json_file"; filename="a"', TEXT);
  const packed = multipart('Content-Disposition: form-data; name="json_file"; filename="a"', gzipSync(TEXT));
  const types = ['multipart/form-data; boundary=XX', 'application/json', 'application/x-www-form-urlencoded', ''];

  /** Either a job or a Failure that blames the upload, and always soon. */
  async function expectAnswer(bytes: Uint8Array, contentType: string, contentEncoding = ''): Promise<void> {
    const outcome = await ingest(bytes, contentType, contentEncoding).catch((error: unknown) => error);
    if (outcome instanceof Failure) expect(outcome.code).toBe('payload-invalid');
    else expect(outcome).toMatchObject({ files: expect.any(Number) });
  }

  it('cut anywhere gets an answer', async () => {
    for (const whole of [body, packed]) {
      for (let length = 0; length < whole.length; length += 1)
        await expectAnswer(whole.subarray(0, length), types[0] as string);
    }
  });

  it('of any other kind gets an answer', async () => {
    const damage = fc.record({
      whole: fc.constantFrom<Buffer>(
        body,
        packed,
        Buffer.from(TEXT),
        gzipSync(TEXT),
        Buffer.from(`json=${encodeURIComponent(TEXT)}`),
      ),
      at: fc.nat(400),
      remove: fc.nat(5),
      insert: fc.oneof(
        fc.uint8Array({ maxLength: 5 }),
        fc.constantFrom(Buffer.from('\r\n--XX'), Buffer.from('"{['), Buffer.from('%2')),
      ),
      type: fc.constantFrom(...types),
      encoding: fc.constantFrom('', '', 'gzip', 'deflate'),
    });
    await fc.assert(
      fc.asyncProperty(damage, async ({ whole, at, remove, insert, type, encoding }) => {
        await expectAnswer(Buffer.concat([whole.subarray(0, at), insert, whole.subarray(at + remove)]), type, encoding);
      }),
      { numRuns: numRuns(500) },
    );
  });
});
