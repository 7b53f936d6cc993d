import { describe, expect, test } from 'vitest';
import { decodeReport } from '../codec/decode-report.ts';
import type { UploadBody } from './ingest.ts';
import { ingestJob } from './ingest-job.ts';
import { MAX_JOB_FILES } from './refusals.ts';

const LIMITS = { reportBytes: 64 * 2 ** 20, unusualBytes: 2 ** 20 };

const body = (text: string, contentType = 'application/json'): UploadBody => ({
  bytes: Buffer.from(text),
  contentType,
  contentEncoding: '',
});
const read = (text: string, contentType?: string) => ingestJob(body(text, contentType), LIMITS);

describe('what would take a thread for minutes is refused', () => {
  test.each([
    ['empty fields', '&'.repeat(2 ** 20)],
    ['fields', 'a=b&'.repeat(2 ** 18)],
  ])('a form of nothing but %s', async (_, text) => {
    await expect(read(text, 'application/x-www-form-urlencoded')).rejects.toMatchObject({
      code: 'payload-invalid',
      message: 'The form has more than 1000 fields before `json`. Send the job in that field.',
    });
  });

  test.each([
    ['empty', '--b\r\n'],
    ['whole', '--b\r\nContent-Disposition: form-data; name="x"\r\n\r\n\r\n'],
  ])('a multipart body of a hundred thousand %s parts', async (_, part) => {
    await expect(read(`${part.repeat(100_000)}--b--\r\n`, 'multipart/form-data; boundary=b')).rejects.toMatchObject({
      code: 'payload-invalid',
      message: 'The multipart body has more than 100 parts. Send one, named `json_file`.',
    });
  });

  test('a multipart body whose part breaks off in its headers, which the parser would wait for', async () => {
    const text = `--b\r\nContent-Disposition: attachment\r\nX-Long: ${'h'.repeat(20_000)}\r\n\r\n{}`;
    await expect(read(text, 'multipart/form-data; boundary=b')).rejects.toMatchObject({ code: 'payload-invalid' });
  });

  test('more than a million branches out of order', async () => {
    const text = `{"source_files":[{"name":"a","branches":[${'9,0,0,1,'.repeat(2 ** 20)}1,0,0,1]}]}`;
    await expect(read(text)).rejects.toMatchObject({
      code: 'payload-too-large',
      message: expect.stringContaining('at most 1048576 branches'),
    });
  });

  test.each([
    ['usual', ''],
    ['unusual', '"source_files":[],'],
  ])('too many files in a %s job', async (_, repeated) => {
    const text = `{${repeated}"source_files":[${'{"name":"a"},'.repeat(MAX_JOB_FILES)}{"name":"a"}]}`;
    await expect(ingestJob(body(text), { ...LIMITS, unusualBytes: 2 ** 24 })).rejects.toMatchObject({
      code: 'payload-too-large',
      message: `A job can hold at most ${MAX_JOB_FILES} source files; this one has more. Split it with \`parallel\`.`,
    });
  });
});

describe('what looks as bad is read', () => {
  test('a file that comes 20,000 times, each with another branch', async () => {
    const files = Array.from(
      { length: 20_000 },
      (_, index) => `{"name":"a","coverage":[1],"branches":[${index},0,0,1]}`,
    );
    const { report } = await read(`{"source_files":[${files}]}`);
    const [file] = decodeReport(report).files;
    expect([file?.hits[0], file?.branches.hits.length]).toEqual([20_000, 20_000]);
  });

  test('text in another charset, beyond what other unusual jobs may have', async () => {
    const text = `{"source_files":[{"name":"a","source":"${'caf\xe9 '.repeat(2 ** 19)}"}]}`;
    const { warnings, files } = await ingestJob({ ...body(''), bytes: Buffer.from(text, 'latin1') }, LIMITS);
    expect(files).toBe(1);
    expect(warnings).toEqual([expect.stringContaining('not valid UTF-8')]);
  });
});
