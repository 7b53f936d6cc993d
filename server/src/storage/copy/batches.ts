import type { ArchiveBatch, ArchiveEntry, ArchiveKind, KindProgress } from '../archive.ts';
import { addEntry, type KindDigest, measureEntry, NO_ENTRIES } from './digest.ts';

/** What is held in memory at once; one entry is always taken, whatever its size. */
export interface BatchLimits {
  readonly entries: number;
  readonly bytes: number;
}

export const BATCH_LIMITS: BatchLimits = { entries: 500, bytes: 16 * 1_048_576 };

/** A batch, and how many bytes it holds. */
export interface SizedBatch<K extends ArchiveKind> extends ArchiveBatch<K> {
  readonly bytes: number;
}

/** The entries of a kind in batches, each with the progress that it makes; `before`: what was written earlier. */
export async function* batchesOf<K extends ArchiveKind>(
  { kind, entries, before }: { kind: K; entries: AsyncIterable<ArchiveEntry<K>>; before: KindProgress | undefined },
  limits: BatchLimits,
): AsyncGenerator<SizedBatch<K>> {
  let sum: KindDigest = before ?? NO_ENTRIES;
  let batch: ArchiveEntry<K>[] = [];
  let bytes = 0;
  let after = before?.after ?? '';
  for await (const entry of entries) {
    const measured = measureEntry(kind, entry);
    if (batch.length > 0 && (batch.length >= limits.entries || bytes + measured.size > limits.bytes)) {
      yield { kind, entries: batch, bytes, progress: { after, count: sum.count, digest: sum.digest } };
      batch = [];
      bytes = 0;
    }
    batch.push(entry);
    bytes += measured.size;
    sum = addEntry(sum, measured);
    after = measured.key;
  }
  if (batch.length > 0)
    yield { kind, entries: batch, bytes, progress: { after, count: sum.count, digest: sum.digest } };
}
