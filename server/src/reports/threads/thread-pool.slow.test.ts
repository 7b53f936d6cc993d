import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { UploadBody } from '../ingest/ingest.ts';
import { createThreadPool, type ThreadPool, type ThreadPoolOptions } from './thread-pool.ts';
import { processorTimeSince } from './thread-time.ts';

const LIMITS = { reportBytes: 2 ** 26, unusualBytes: 2 ** 26 };

const body = (job: unknown): UploadBody => ({
  bytes: gzipSync(JSON.stringify(job)),
  contentType: 'application/json',
  contentEncoding: 'gzip',
});
const jobOf = (hits: (number | null)[]) => ({
  service_name: 'ci',
  source_files: [{ name: 'a.ts', coverage: hits, source: 'x' }],
});

let pool: ThreadPool | undefined;
const open = (options: Partial<ThreadPoolOptions> = {}): ThreadPool => {
  pool = createThreadPool({ threads: 1, limits: LIMITS, maxQueue: 8, ...options });
  return pool;
};

afterEach(async () => {
  await pool?.close();
});

describe('createThreadPool with much to do', () => {
  it('survives a thread that runs out of memory', async () => {
    const faults: unknown[] = [];
    const threads = open({ heapMb: 24, onFault: (error) => faults.push(error) });
    const files = Array.from({ length: 200_000 }, (_, index) => ({ name: `file-${index}`, coverage: [1, 0] }));
    const greedy = gzipSync(JSON.stringify({ source_files: files }));
    const outcomes = await Promise.allSettled([
      threads.ingest({ bytes: greedy, contentType: 'application/json', contentEncoding: 'gzip' }),
      threads.ingest(body(jobOf([1]))),
    ]);
    expect(outcomes[0]).toMatchObject({ status: 'rejected', reason: { name: 'Failure', code: 'internal' } });
    expect(outcomes[1]).toMatchObject({ status: 'fulfilled', value: { files: 1 } });
    expect(faults).toHaveLength(1);
  });

  it('gives up an upload that takes too long, and says how long it had', async () => {
    const file = Buffer.concat([
      Buffer.from('{"name":"a","coverage":['),
      Buffer.alloc(2 ** 24, '1,0,'),
      Buffer.from('1]},'),
    ]);
    const job = Buffer.concat([
      Buffer.from('{"source_files":['),
      file,
      file,
      file,
      file,
      file,
      file,
      Buffer.from('{"name":"a"}]}'),
    ]);
    const slow: UploadBody = { bytes: job, contentType: 'application/json', contentEncoding: '' };
    // What it used is told by the thread; on a busy machine that may be little.
    let used = 0;
    const processorTime: typeof processorTimeSince = async (beginning, threads) => {
      await vi.waitUntil(() => beginning[1] !== 0, { timeout: 30_000 });
      used = await processorTimeSince(beginning, threads);
      return 100;
    };
    const { ingest } = open({ limits: { ...LIMITS, reportBytes: 2 ** 28 }, checkLimit: 100, processorTime });
    await expect(ingest(slow)).rejects.toMatchObject({
      code: 'payload-too-large',
      message: expect.stringMatching(/^This upload \(\d{9} bytes as sent\) could not be checked within 0\.1 s/),
    });
    expect(used).toBeGreaterThan(0);
  });

  it('checks a small upload beside a large one, and one that only looks small among the others', async () => {
    const { ingest } = open();
    const order: string[] = [];
    const lines = `{"source_files":[{"name":"a","coverage":[${'1,0,'.repeat(2 ** 22)}1]}]}`;
    const plain = { contentType: 'application/json', contentEncoding: '' };
    const large = ingest({ ...plain, bytes: Buffer.from(lines) }).then(() => order.push('large'));
    const packed = ingest({ ...plain, bytes: gzipSync(lines) }).then(({ files }) =>
      order.push(`packed, ${files} file`),
    );
    const small = ingest(body(jobOf([1]))).then(() => order.push('small'));
    await Promise.all([large, packed, small]);
    expect(order.slice(1)).toEqual(['large', 'packed, 1 file']);
  });
});
