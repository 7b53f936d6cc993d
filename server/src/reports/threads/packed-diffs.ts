import type { Diff, FileDiff, Hunk } from '../../core/diff/file-diff.ts';
import type { ChangeDiffs } from '../../core/verdict/split-change.ts';
import type { EncodedComposition, EncodedFlags } from '../report-engine.ts';

/**
 * Diffs as they cross from one thread to another. As objects the hunks of a large one would hold up the main thread,
 * which answers requests, for a tenth of a second and more each time: they cross as one column of numbers.
 */
export interface PackedDiffs {
  /** Every file once, however many of the diffs list it. */
  readonly files: readonly Omit<FileDiff, 'hunks'>[];
  /** How many hunks each file has. */
  readonly hunkCounts: Int32Array;
  /** Old start, old lines, new start, new lines, of one hunk after the other. */
  readonly hunks: Float64Array;
  /** As given: the places of each diff's files. */
  readonly diffs: readonly ({ readonly complete: boolean; readonly places: Int32Array } | undefined)[];
}

/** A message to a thread with the diffs that were in it beside it. */
export interface WithDiffs<Message> {
  readonly message: Message;
  readonly packed: PackedDiffs;
}

export function packDiffs(diffs: readonly (Diff | undefined)[]): PackedDiffs {
  const places = new Map<FileDiff, number>();
  for (const diff of diffs) {
    for (const file of diff?.files ?? []) if (!places.has(file)) places.set(file, places.size);
  }
  const files = [...places.keys()];
  return {
    files: files.map(({ hunks: _, ...file }) => file),
    hunkCounts: Int32Array.from(files, ({ hunks }) => hunks.length),
    hunks: packHunks(files),
    diffs: diffs.map(
      (diff) =>
        diff && {
          complete: diff.complete,
          places: Int32Array.from(diff.files, (file) => places.get(file) as number),
        },
    ),
  };
}

/** The diffs as they were given, in their order. */
export function unpackDiffs({ files, hunkCounts, hunks, diffs }: PackedDiffs): readonly (Diff | undefined)[] {
  let at = 0;
  const whole = files.map((file, index): FileDiff => {
    const start = at;
    at += 4 * (hunkCounts[index] as number);
    return { ...file, hunks: unpackHunks(hunks.subarray(start, at)) };
  });
  return diffs.map(
    (diff) => diff && { complete: diff.complete, files: Array.from(diff.places, (place) => whole[place] as FileDiff) },
  );
}

export function packComposition(input: EncodedComposition): WithDiffs<EncodedComposition> {
  const { diffs: { base, patch, before, shown, ...others } = {}, carried, ...rest } = input;
  return {
    message: {
      ...rest,
      carried: carried.map(({ diff: _, ...one }) => one),
      diffs: { ...others, ...(before && { before: { ...before, diff: undefined } }) },
    },
    packed: packDiffs([base, patch, before?.diff, shown, ...carried.map(({ diff }) => diff)]),
  };
}

export function unpackComposition({ message, packed }: WithDiffs<EncodedComposition>): EncodedComposition {
  const [base, patch, earlier, shown, ...ofCarried] = unpackDiffs(packed);
  return {
    ...message,
    carried: message.carried.map((one, index) => ({ ...one, diff: ofCarried[index] })),
    diffs: { ...message.diffs, ...withDiffs(message.diffs ?? {}, [base, patch, earlier]), shown },
  };
}

export function packFlags({ diffs: { base, patch, before }, ...rest }: EncodedFlags): WithDiffs<EncodedFlags> {
  return {
    message: { ...rest, diffs: before === undefined ? {} : { before: { ...before, diff: undefined } } },
    packed: packDiffs([base, patch, before?.diff]),
  };
}

export function unpackFlags({ message, packed }: WithDiffs<EncodedFlags>): EncodedFlags {
  return { ...message, diffs: withDiffs(message.diffs, unpackDiffs(packed)) };
}

function withDiffs({ before }: ChangeDiffs, [base, patch, earlier]: readonly (Diff | undefined)[]): ChangeDiffs {
  return { base, patch, ...(before && { before: { ...before, diff: earlier } }) };
}

function packHunks(files: readonly FileDiff[]): Float64Array {
  const packed = new Float64Array(4 * files.reduce((sum, { hunks }) => sum + hunks.length, 0));
  let at = 0;
  for (const { hunks } of files) {
    for (const { oldStart, oldLines, newStart, newLines } of hunks) {
      packed[at] = oldStart;
      packed[at + 1] = oldLines;
      packed[at + 2] = newStart;
      packed[at + 3] = newLines;
      at += 4;
    }
  }
  return packed;
}

function unpackHunks(packed: Float64Array): Hunk[] {
  const hunks: Hunk[] = [];
  for (let at = 0; at < packed.length; at += 4) {
    const [oldStart, oldLines, newStart, newLines] = [
      packed[at],
      packed[at + 1],
      packed[at + 2],
      packed[at + 3],
    ] as number[];
    hunks.push({ oldStart, oldLines, newStart, newLines } as Hunk);
  }
  return hunks;
}
