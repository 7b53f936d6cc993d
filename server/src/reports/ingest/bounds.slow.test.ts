import { expect, test } from 'vitest';
import { ingestJob } from './ingest-job.ts';

const LIMITS = { reportBytes: 64 * 2 ** 20, unusualBytes: 2 ** 20 };

test.each(['-1', '0.5', '1e1', '9999999999'])('more than two million numbers like %s are refused', async (number) => {
  const text = `{"source_files":[{"name":"a","coverage":[${`${number},`.repeat(2 ** 21 + 1)}1]}]}`;
  const body = { bytes: Buffer.from(text), contentType: 'application/json', contentEncoding: '' };
  await expect(ingestJob(body, LIMITS)).rejects.toMatchObject({
    code: 'payload-too-large',
    message: expect.stringContaining('unusual'),
  });
});

test('as many source texts as there may be files, the later ones as they are', async () => {
  const source = (index: number): string => `${index}${'x'.repeat(600)}`;
  const files = Array.from({ length: 20_100 }, (_, index) => `{"name":"f${index}","source":"${source(index)}"}`);
  const { sources } = await ingestJob(
    { bytes: Buffer.from(`{"source_files":[${files}]}`), contentType: 'application/json', contentEncoding: '' },
    LIMITS,
  );
  expect(sources).toHaveLength(20_100);
  expect(sources.filter(({ bytes }) => bytes.length > 600)).toHaveLength(100);
});
