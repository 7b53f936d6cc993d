import { Failure } from '../../core/failure.ts';
import {
  ARCHIVE_KINDS,
  type ArchiveKind,
  type ArchiveReader,
  type ArchiveWriter,
  type KindProgress,
} from '../archive.ts';
import { BATCH_LIMITS, type BatchLimits, batchesOf } from './batches.ts';
import { addEntry, type KindDigest, measureEntry, NO_ENTRIES } from './digest.ts';

export interface StoreCopy {
  readonly from: ArchiveReader;
  readonly to: ArchiveWriter;
  /** The source is of one moment: it is not read again to find out whether it was changed in the meantime. */
  readonly isOneMoment?: boolean;
  readonly limits?: BatchLimits;
  readonly report?: (progress: CopyProgress) => void;
}

/** How far a step is; the last report of a kind says `isDone`. */
export interface CopyProgress {
  readonly step: 'copy' | 'check';
  readonly kind: ArchiveKind;
  /** Entries of this kind so far, those of an earlier run too. */
  readonly count: number;
  /** Bytes that this run wrote. */
  readonly bytes: number;
  readonly isDone: boolean;
}

/** A kind, read back from both sides after everything was written. */
export interface KindComparison {
  readonly kind: ArchiveKind;
  readonly from: KindDigest;
  readonly to: KindDigest;
  readonly isEqual: boolean;
  /** The source is no longer what was copied. */
  readonly hasChanged: boolean;
}

/**
 * Copies everything from one store to another that is empty, or continues where an earlier copy between them was cut
 * off, at any moment. At the end both are read again and compared; only when all of it is equal servers may start on
 * the target. Throws a Failure when the target holds something else.
 */
export async function copyStore(copy: StoreCopy): Promise<readonly KindComparison[]> {
  const { to } = copy;
  const progress = await beginOrResume(copy);
  const copied = new Map<ArchiveKind, KindDigest>();
  for (const kind of ARCHIVE_KINDS) copied.set(kind, await copyKind(copy, kind, progress[kind]));
  const comparisons: KindComparison[] = [];
  for (const kind of ARCHIVE_KINDS) comparisons.push(await compareKind(copy, kind, copied.get(kind) ?? NO_ENTRIES));
  if (comparisons.every(({ isEqual }) => isEqual)) await to.finish();
  return comparisons;
}

async function beginOrResume({ from, to }: StoreCopy): Promise<Readonly<Partial<Record<ArchiveKind, KindProgress>>>> {
  const note = await to.findNote();
  if (note !== undefined && note.from !== from.name) {
    throw new Failure(
      'conflict',
      `${to.name} holds an unfinished copy of ${note.from}, not of ${from.name}; ` +
        'finish that one, or name a new database with --to.',
    );
  }
  if (note !== undefined) return note.progress;
  const contents = await to.contents();
  if (contents.length > 0) {
    const seen = contents.map(({ what, count }) => `${what} (${count})`).join(', ');
    throw new Failure(
      'conflict',
      `${to.name} is not empty: it holds ${seen}. Nothing was written; name a new database with --to.`,
    );
  }
  await to.begin(from.name);
  return {};
}

async function copyKind(
  { from, to, limits = BATCH_LIMITS, report = () => undefined }: StoreCopy,
  kind: ArchiveKind,
  before: KindProgress | undefined,
): Promise<KindDigest> {
  let sum: KindDigest = before ?? NO_ENTRIES;
  let bytes = 0;
  for await (const batch of batchesOf({ kind, entries: from.read(kind, before?.after), before }, limits)) {
    await to.write(batch);
    sum = batch.progress;
    bytes += batch.bytes;
    report({ step: 'copy', kind, count: sum.count, bytes, isDone: false });
  }
  report({ step: 'copy', kind, count: sum.count, bytes, isDone: true });
  return sum;
}

async function compareKind(copy: StoreCopy, kind: ArchiveKind, copied: KindDigest): Promise<KindComparison> {
  const { from, to, isOneMoment = false, report = () => undefined } = copy;
  const readAgain = isOneMoment ? copied : digestKind(from, kind);
  const [there, here] = await Promise.all([readAgain, digestKind(to, kind)]);
  report({ step: 'check', kind, count: here.count, bytes: 0, isDone: true });
  return { kind, from: there, to: here, isEqual: isSame(there, here), hasChanged: !isSame(there, copied) };
}

/** Count and digest of all entries of a kind, read again. */
export async function digestKind(archive: ArchiveReader, kind: ArchiveKind): Promise<KindDigest> {
  let sum = NO_ENTRIES;
  for await (const entry of archive.read(kind, undefined)) sum = addEntry(sum, measureEntry(kind, entry));
  return sum;
}

function isSame(a: KindDigest, b: KindDigest): boolean {
  return a.count === b.count && a.digest === b.digest;
}
