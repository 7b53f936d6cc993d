import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { aDiff } from '../../../../test/support/diffs.ts';
import { Failure } from '../../core/failure.ts';
import { decodeReport } from '../codec/decode-report.ts';
import type { UploadBody } from '../ingest/ingest.ts';
import { ingestJob } from '../ingest/ingest-job.ts';
import { createThreadPool, type ThreadPool, type ThreadPoolOptions } from './thread-pool.ts';

const LIMITS = { reportBytes: 2 ** 26, unusualBytes: 2 ** 26 };

const body = (job: unknown): UploadBody => ({
  bytes: gzipSync(JSON.stringify(job)),
  contentType: 'application/json',
  contentEncoding: 'gzip',
});
const jobOf = (hits: (number | null)[], source: string | null = 'x\n'.repeat(hits.length)) => ({
  service_name: 'ci',
  source_files: [{ name: 'a.ts', coverage: hits, source }],
});

/** A thread takes about a second to start, so most tests share one pool. */
const shared = createThreadPool({ threads: 1, limits: LIMITS, maxQueue: 8 });
let pool: ThreadPool | undefined;
const openOwn = (options: Partial<ThreadPoolOptions> = {}): ThreadPool => {
  pool = createThreadPool({ threads: 1, limits: LIMITS, maxQueue: 8, ...options });
  return pool;
};

afterEach(() => pool?.close());
afterAll(() => shared.close());

describe('createThreadPool', () => {
  it('has no thread until there is something to do', async () => {
    let started = 0;
    const count = (): void => {
      started += 1;
    };
    process.on('worker', count);
    try {
      const { memory, ingest } = openOwn();
      // Node tells of a thread once what started it has ended.
      await new Promise(setImmediate);
      expect(await memory()).toEqual({ threads: 0, heap: 0, external: 0 });
      expect(started).toBe(0);
      await ingest(body(jobOf([1])));
      expect(started).toBe(1);
    } finally {
      process.off('worker', count);
    }
    await createThreadPool({ threads: 1, limits: LIMITS, maxQueue: 8 }).close();
  });

  it('answers what ingestJob answers', async () => {
    const job = jobOf([1, null, 0]);
    const expected = await ingestJob(body(job), LIMITS);
    const bytes = (all: typeof expected) =>
      [all.report, ...all.sources.map((source) => source.bytes)].map((part) => Uint8Array.from(part));
    const answer = await shared.ingest(body(job));
    expect(answer).toMatchObject({
      envelope: { service_name: 'ci' },
      totals: expected.totals,
      contentDigest: expected.contentDigest,
    });
    expect(bytes(answer)).toEqual(bytes(expected));
  });

  it('hands a buffer over, and leaves others their shared one', async () => {
    const { ingest } = shared;
    const own = Uint8Array.from(Buffer.from('{}'));
    const view = Buffer.from('{}');
    await Promise.all(
      [own, view].map((bytes) => ingest({ bytes, contentType: 'application/json', contentEncoding: '' })),
    );
    expect(own).toHaveLength(0);
    expect(view.toString()).toBe('{}');
  });

  it('puts a body into the buffer of an earlier one, of which nothing is read', async () => {
    const plain = (job: object): UploadBody => {
      const json = Buffer.from(JSON.stringify(job));
      const bytes = shared.allocateBody(json.length);
      bytes.set(json);
      return { bytes, contentType: 'application/json', contentEncoding: '' };
    };
    const numbers = Array.from({ length: 400_000 }, (_, line) => 100 + (line % 800));
    const long = jobOf(numbers, null);
    const short = jobOf(Array(399_990).fill(107), null);
    for (const job of [long, short, { ...short, source_files: 'none' }, long]) {
      const sent = plain(job);
      const alone = ingestJob({ ...sent, bytes: sent.bytes.slice() }, LIMITS);
      const [inThread, here] = await Promise.allSettled([shared.ingest(sent), alone]);
      expect(sent.bytes).toHaveLength(0);
      expect(inThread).toEqual(here);
    }
    // The bytes of an earlier one still lie there.
    const reused = shared.allocateBody(Buffer.byteLength(JSON.stringify(short)));
    expect(Buffer.from(reused.buffer).includes('"source_files"')).toBe(true);
  });

  it('hands large reports over where they are merged ahead', async () => {
    let random = 1;
    const hits = Array.from({ length: 100_000 }, () => {
      random = (random * 48_271) % 2_147_483_647;
      return random % 1_009;
    });
    const { report } = await shared.ingest(body(jobOf(hits)));
    const reports = [report.slice(), report.slice()];
    const merged = decodeReport(await shared.mergeReports(reports));
    expect([...(merged.files[0]?.hits ?? [])]).toEqual(hits.map((count) => 2 * count));
    expect(reports.map(({ length }) => length)).toEqual([0, 0]);
  });

  it('brings a Failure across whole', async () => {
    const refused = shared.ingest(body(jobOf([true as unknown as number])));
    await expect(refused).rejects.toBeInstanceOf(Failure);
    await expect(refused).rejects.toMatchObject({
      code: 'payload-invalid',
      field: 'source_files[0].coverage[0]',
      message: 'source_files[0].coverage[0] must be a number or null, but is true.',
    });
  });

  it('composes the reports of a close', async () => {
    const threads = shared;
    const [first, second] = await Promise.all([
      threads.ingest(body(jobOf([1, 0]))),
      threads.ingest(body(jobOf([2, null, 0]))),
    ]);
    const composed = await threads.compose({
      jobs: [first, second].map(({ report }) => ({ flag: undefined, report })),
      carried: [],
      base: first.report,
    });
    expect(composed.totals).toMatchObject({ coveredLines: 1, relevantLines: 3 });
    expect([...(decodeReport(composed.report).files[0]?.hits ?? [])]).toEqual([3, 0, 0]);
    expect(first.report.length).toBeGreaterThan(0);
  });

  it('finds what a close asks before it composes, and takes what was found', async () => {
    const threads = shared;
    const withText = (source: string, source_digest: string, coverage: number[]) =>
      threads.ingest(body({ service_name: 'ci', source_files: [{ name: 'a.ts', coverage, source, source_digest }] }));
    const [old, now] = await Promise.all([
      withText('one\ntwo', '1', [7, 0]),
      withText('none\none\ntwo', '2', [0, 0, 0]),
    ]);
    const jobs = [{ flag: undefined, report: now.report }];
    const carried = { flag: 'ui', reports: [old.report] };
    const changed = await threads.findChangedCarried({ jobs, carried: [carried] });
    const [from, to] = [old, now].map(({ sources }) => sources[0]);
    expect(changed).toEqual([{ flag: 'ui', name: 'a.ts', from: from?.digest, to: to?.digest }]);
    const diff = await threads.diffSources({
      name: 'a.ts',
      from: from?.bytes ?? new Uint8Array(),
      to: to?.bytes ?? new Uint8Array(),
    });
    expect(diff?.hunks).toEqual([{ oldStart: 1, oldLines: 0, newStart: 1, newLines: 1 }]);
    const diffs = { base: { files: diff ? [diff] : [], complete: true }, patch: undefined };
    const composed = await threads.compose({
      jobs,
      carried: [{ ...carried, diff: diffs.base }],
      base: old.report,
      diffs,
    });
    expect([...(decodeReport(composed.report).files[0]?.hits ?? [])]).toEqual([0, 7, 0]);
    expect(composed).toMatchObject({ leftOutFiles: 0, split: { changed: { relevantLines: 1 } }, patch: undefined });
  });

  it('splits what moved flags', async () => {
    const threads = shared;
    const reports = [
      [1, 0, 0],
      [0, 1, 0],
      [1, 0],
    ].map((hits) => threads.ingest(body(jobOf(hits))));
    const [first, second, now] = (await Promise.all(reports)).map(({ report }) => report) as [
      Uint8Array,
      Uint8Array,
      Uint8Array,
    ];
    const diffs = { base: { files: [aDiff('a.ts', ['keep', 'remove', 'keep'])], complete: true } };
    const splits = await threads.splitFlags({
      flags: [{ flag: 'ui', reports: [now], baseReports: [first, second] }],
      diffs,
    });
    expect(splits).toMatchObject([
      {
        flag: 'ui',
        split: {
          base: { coveredLines: 2, relevantLines: 3 },
          head: { coveredLines: 1, relevantLines: 2 },
          removed: { coveredLines: 1, relevantLines: 1 },
        },
      },
    ]);
    const damaged = threads.splitFlags({
      flags: [{ flag: 'ui', reports: [now], baseReports: [Uint8Array.of(1)] }],
      diffs,
    });
    await expect(damaged).rejects.toMatchObject({ code: 'internal', message: expect.stringContaining('damaged') });
  });

  it('answers a damaged report with a Failure', async () => {
    const damaged = shared.compose({
      jobs: [{ flag: undefined, report: Uint8Array.of(1, 2, 3) }],
      carried: [],
      base: undefined,
    });
    await expect(damaged).rejects.toMatchObject({
      name: 'Failure',
      code: 'internal',
      message: expect.stringContaining('damaged'),
    });
  });

  it('ends a merge that takes too long, and continues with another thread', async () => {
    const limited = openOwn({ merge: { time: 1 } });
    const { report } = await shared.ingest(body(jobOf(Array.from({ length: 500_000 }, (_, line) => line % 7))));
    const jobs = Array.from({ length: 20 }, (_, index) => ({ flag: `${index}`, report }));
    const composing = limited.compose({ jobs, carried: [], base: undefined });
    await expect(composing).rejects.toMatchObject({ obstacle: { kind: 'time', limit: 1 } });
    await expect(limited.ingest(body(jobOf([1])))).resolves.toMatchObject({ files: 1 });
  });

  it('lets a repo wait for one merge of another repo, however many of those wait', async () => {
    const order: string[] = [];
    const first = Promise.withResolvers<void>();
    const merge = (repoId: number, name: string, until = Promise.resolve()) =>
      shared.merge(repoId, async () => {
        order.push(name);
        await until;
      });
    const all = [merge(1, 'a1', first.promise), merge(1, 'a2'), merge(1, 'a3'), merge(2, 'b1')];
    first.resolve();
    await Promise.all(all);
    expect(order).toEqual(['a1', 'b1', 'a2', 'a3']);
  });

  it('brings over why reports can never be merged', async () => {
    const narrow = openOwn({ merge: { memory: 1_000 } });
    const { report } = await shared.ingest(body(jobOf([1, 0])));
    const composing = narrow.compose({ jobs: [{ flag: undefined, report }], carried: [], base: report });
    await expect(composing).rejects.toMatchObject({ obstacle: { kind: 'memory', limit: 1_000 } });
  });

  it('refuses beyond its queue, and takes more once there is room', async () => {
    const threads = openOwn({ maxQueue: 2 });
    const outcomes = await Promise.allSettled(Array.from({ length: 12 }, () => threads.ingest(body(jobOf([1])))));
    const refused = outcomes.filter((outcome) => outcome.status === 'rejected');
    expect(refused.length).toBeGreaterThan(0);
    expect(refused.length).toBeLessThan(12);
    for (const { reason } of refused) expect(reason).toMatchObject({ name: 'Failure', code: 'unavailable' });
    await expect(threads.ingest(body(jobOf([1])))).resolves.toMatchObject({ files: 1 });
  });

  it('finishes what it accepted before it closes, and takes no more', async () => {
    const threads = openOwn();
    const accepted = Array.from({ length: 3 }, () => threads.ingest(body(jobOf([1]))));
    const closed = threads.close();
    await expect(threads.ingest(body(jobOf([1])))).rejects.toMatchObject({ code: 'unavailable' });
    await expect(Promise.all(accepted)).resolves.toHaveLength(3);
    await expect(closed).resolves.toBeUndefined();
  });
});
