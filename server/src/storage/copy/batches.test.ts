import { describe, expect, it } from 'vitest';
import type { ArchiveEntry, KindProgress } from '../archive.ts';
import { type BatchLimits, batchesOf } from './batches.ts';

async function* sources(sizes: readonly number[], first = 1): AsyncGenerator<ArchiveEntry<'source'>> {
  for (const [index, size] of sizes.entries()) {
    yield { record: { repoId: first + index, digest: 'd' }, bytes: new Uint8Array(size) };
  }
}

async function collect<T>(items: AsyncIterable<T>): Promise<readonly T[]> {
  const list: T[] = [];
  for await (const item of items) list.push(item);
  return list;
}

function batch(sizes: readonly number[], limits: BatchLimits) {
  return collect(batchesOf({ kind: 'source', entries: sources(sizes), before: undefined }, limits));
}

describe('batches', () => {
  it('end where they have enough entries or bytes, and hold one at least', async () => {
    const sizesOf = async (sizes: readonly number[], limits: BatchLimits) =>
      (await batch(sizes, limits)).map(({ entries }) => entries.map(({ bytes }) => bytes?.length));
    expect(await sizesOf([1, 2, 3, 4, 5], { entries: 2, bytes: 10_000 })).toEqual([[1, 2], [3, 4], [5]]);
    expect(await sizesOf([500, 600, 5_000, 1, 2], { entries: 9, bytes: 1_000 })).toEqual([
      [500],
      [600],
      [5_000],
      [1, 2],
    ]);
    expect(await sizesOf([], { entries: 2, bytes: 10 })).toEqual([]);
  });

  it('note a progress from which another process continues', async () => {
    const limits = { entries: 2, bytes: 10_000 };
    const [first, ...rest] = await batch([1, 2, 3, 4, 5], limits);
    const before = first?.progress as KindProgress;
    expect(before).toMatchObject({ after: '2/d', count: 2 });
    const resumed = await collect(batchesOf({ kind: 'source', entries: sources([3, 4, 5], 3), before }, limits));
    expect(resumed).toEqual(rest);
    expect(resumed.at(-1)?.progress).toMatchObject({ after: '5/d', count: 5 });
  });
});
