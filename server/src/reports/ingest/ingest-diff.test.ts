import { zstdDecompressSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { MAX_DIFF_BYTES } from './diff-field.ts';
import { DEFAULT_INGEST_LIMITS, type IngestedJob, type UploadBody } from './ingest.ts';
import { ingestJob } from './ingest-job.ts';

const JOB = { repo_token: 'secret', source_files: [{ name: 'lib/a.rb', coverage: [1, null, 0] }] };
const TEXT = JSON.stringify(JOB);
const DIFF = {
  base_sha: 'b'.repeat(40),
  head_sha: 'a'.repeat(40),
  files: [{ name: 'lib/a.rb', kind: 'modified', hunks: [[1, 0, 1, 1]] }],
  complete: true,
};

const ingest = (text: string): Promise<IngestedJob> =>
  ingestJob({ bytes: Buffer.from(text), contentType: 'application/json', contentEncoding: '' }, DEFAULT_INGEST_LIMITS);

describe('a diff never refuses an upload', () => {
  const sent = (diff: unknown, more: object = {}): string => JSON.stringify({ ...JOB, diff, ...more });

  it.each<[string, string]>([
    ['a wrong type', sent({ files: 7 })],
    ['one too large', sent('x'.repeat(MAX_DIFF_BYTES))],
    [
      'one too large in blanks',
      sent('?').replace('"?"', `${'[ '.repeat(9)}${' '.repeat(MAX_DIFF_BYTES)}${']'.repeat(9)}`),
    ],
    ['one too large in an unusual job', sent('x'.repeat(MAX_DIFF_BYTES)).replace('{', '{"parallel":1,"parallel":0,')],
    ['one too large under an escaped key', sent('x'.repeat(MAX_DIFF_BYTES)).replace('"diff"', '"d\\u0069ff"')],
  ])('%s', async (_, text) => {
    const usual = await ingest(TEXT);
    const job = await ingest(text);
    expect(job).toMatchObject({ files: 1, diff: undefined, sources: [], contentDigest: usual.contentDigest });
    expect(job.warnings).toEqual([expect.stringContaining("The upload's diff was not used: ")]);
  });

  it('nor does it weigh on a large job as other unusual values do', async () => {
    const body: UploadBody = {
      bytes: Buffer.from(sent({ files: 7, more: 'x'.repeat(300_000) })),
      contentType: '',
      contentEncoding: '',
    };
    const job = await ingestJob(body, { reportBytes: 400_000, unusualBytes: 1_000 });
    expect(job).toMatchObject({ files: 1, diff: undefined });
  });

  it('and no source text is ever found as one, not even its own', async () => {
    const { sources } = await ingest(sent(DIFF));
    const text = zstdDecompressSync(sources[0]?.bytes ?? new Uint8Array()).toString();
    const [own, diff] = (await ingest(sent(DIFF, { source_files: [{ name: 'a', coverage: [1], source: text }] })))
      .sources;
    expect(zstdDecompressSync(own?.bytes ?? new Uint8Array()).toString()).toBe(text);
    expect([own?.digest, diff?.digest]).toEqual([expect.stringMatching(/^[0-9a-f]{64}$/), sources[0]?.digest]);
    expect(diff?.digest).toBe(`diff-${own?.digest}`);
  });

  it('and makes no other upload of the same report (rule 10)', async () => {
    expect((await ingest(sent(null))).contentDigest).toBe((await ingest(TEXT)).contentDigest);
  });
});
