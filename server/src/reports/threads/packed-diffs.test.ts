import { serialize } from 'node:v8';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { aDiff, anyComparison } from '../../../../test/support/diffs.ts';
import type { Diff, FileDiff, Hunk } from '../../core/diff/file-diff.ts';
import type { EncodedComposition } from '../report-engine.ts';
import { packComposition, packDiffs, packFlags, unpackComposition, unpackDiffs, unpackFlags } from './packed-diffs.ts';

const diff = anyComparison.map((one) => one.diff);

test('diffs that cross to another thread are there what they were here', () => {
  fc.assert(
    fc.property(fc.array(diff, { maxLength: 4 }), (diffs) => {
      const copied = diffs.map(
        (one) => one && { ...one, files: one.files.map((file): FileDiff => ({ ...file, source: 'upload' })) },
      );
      const all = [...diffs, ...copied, ...diffs];
      expect(unpackDiffs(structuredClone(packDiffs(all)))).toStrictEqual(all);
    }),
  );
});

test('what a close asks of a thread arrives whole', () => {
  fc.assert(
    fc.property(diff, diff, diff, diff, (base, patch, shown, moved) => {
      const input: EncodedComposition = {
        jobs: [{ flag: 'unit', report: Uint8Array.of(1) }],
        carried: [
          { flag: 'e2e', reports: [Uint8Array.of(2)], diff: moved },
          { flag: 'slow', reports: [], diff: undefined },
          { flag: 'web', reports: [], diff: base },
        ],
        base: Uint8Array.of(3),
        diffs: { base, patch, shown, patchSource: 'upload' },
      };
      expect(unpackComposition(structuredClone(packComposition(input)))).toStrictEqual(input);
    }),
  );
  const files = [aDiff('a.ts', ['keep', 'add', 'remove'])];
  const asked = {
    flags: [{ flag: 'unit', reports: [Uint8Array.of(1)], baseReports: [] }],
    diffs: {
      base: { files, complete: true },
      patch: { files, complete: true },
      before: { diff: { files, complete: false }, commits: 2, branch: 'main' },
    },
  };
  expect(unpackFlags(structuredClone(packFlags(asked)))).toStrictEqual(asked);
});

test('hunks cross as numbers, and those of a file that several diffs list cross once', () => {
  const hunks = Array.from(
    { length: 1_000 },
    (_, index): Hunk => ({ oldStart: 2 * index + 1, oldLines: 1, newStart: 2 * index + 1, newLines: 1 }),
  );
  const large: Diff = { files: [aDiff('a.ts', [], { hunks })], complete: true };
  const overlaid: Diff = { files: [...large.files, aDiff('b.ts', ['add'])], complete: true };
  const size = serialize(packDiffs([large, large, overlaid])).length;
  expect(size).toBeGreaterThan(32 * hunks.length);
  expect(size).toBeLessThan(33 * hunks.length);
});
