import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { aDiff, anyComparison } from '../../../../test/support/diffs.ts';
import { aFile, aReport } from '../../../../test/support/records.ts';
import type { FileCoverage, Report } from '../coverage/file-coverage.ts';
import type { FileDiff } from '../diff/file-diff.ts';
import type { Thresholds } from './findings.ts';
import { forgivenParts, type SplitVerdict } from './ignored-parts.ts';
import { judgeBuild } from './judge-build.ts';
import { splitChange } from './split-change.ts';

const NONE: Thresholds = { minimum: null, allowedDrop: null };

function verdict(base: Report, head: Report, files: readonly FileDiff[], thresholds = NONE): SplitVerdict {
  const split = splitChange({ base, head, diff: { files, complete: true } });
  return {
    split,
    judged: { totals: split.head, base: { number: '70', totals: split.base }, thresholds, unreported: [] },
  };
}

const other = (hits: readonly number[]): FileCoverage => aFile('other.ts', hits);
const ones = (length: number): readonly number[] => Array<number>(length).fill(1);

/** Eight covered lines of ten in another file; four covered ones in `a.ts`, of which two are taken out. */
const BASE = aReport(aFile('a.ts', ones(4)), other([...ones(8), 0, 0]));
const REMOVED = aDiff('a.ts', ['keep', 'keep', 'remove', 'remove']);
const removal = (head: Report, thresholds?: Thresholds) => verdict(BASE, head, [REMOVED], thresholds);

const BOTH = { ignoreRemovedCode: true, ignoreUntouchedFiles: true, ignoreUnstableLines: false };
const failsByRemovedCodeAlone = (verdict: SplitVerdict): boolean =>
  forgivenParts(verdict, { ...BOTH, ignoreUntouchedFiles: false }) !== undefined;
const failsByUntouchedFilesAlone = (verdict: SplitVerdict): boolean =>
  forgivenParts(verdict, { ...BOTH, ignoreRemovedCode: false }) !== undefined;

describe('what alone must not fail a build', () => {
  const onlyRemoved = aReport(aFile('a.ts', ones(2)), other([...ones(8), 0, 0]));
  const onlyElsewhere = aReport(aFile('a.ts', ones(4)), other([...ones(7), 0, 0, 0]));
  const both = aReport(aFile('a.ts', ones(2)), other([...ones(7), 0, 0, 0]));

  test('removed code', () => {
    expect(failsByRemovedCodeAlone(removal(onlyRemoved))).toBe(true);
    expect(failsByUntouchedFilesAlone(removal(onlyRemoved))).toBe(false);
    expect(failsByRemovedCodeAlone(removal(both))).toBe(false);
  });

  test('removed code below the minimum, which the base held', () => {
    expect(failsByRemovedCodeAlone(removal(onlyRemoved, { minimum: 85, allowedDrop: null }))).toBe(true);
    expect(failsByRemovedCodeAlone(removal(onlyRemoved, { minimum: 90, allowedDrop: null }))).toBe(false);
  });

  test('untouched files', () => {
    const elsewhere = verdict(BASE, onlyElsewhere, []);
    expect(failsByUntouchedFilesAlone(elsewhere)).toBe(true);
    expect(failsByRemovedCodeAlone(elsewhere)).toBe(false);
    // The same loss in a file that the diff names is no business of theirs.
    expect(failsByUntouchedFilesAlone(verdict(BASE, onlyElsewhere, [aDiff('other.ts', [])]))).toBe(false);
  });

  test('a changed line that is not covered is never forgiven', () => {
    const worse = aReport(aFile('a.ts', [1, 1, 1, 1, 0]), other([...ones(8), 0, 0]));
    const added = verdict(BASE, worse, [aDiff('a.ts', ['keep', 'keep', 'keep', 'keep', 'add'])]);
    expect(judgeBuild(added.judged).state).toBe('failure');
    expect(forgivenParts(added, BOTH)).toBeUndefined();
    // Nor where it replaced a covered one: to git that one was removed.
    const rewritten = aReport(aFile('a.ts', [1, 1, 1, 0]), other([...ones(8), 0, 0]));
    expect(
      forgivenParts(verdict(BASE, rewritten, [aDiff('a.ts', ['keep', 'keep', 'keep', 'remove', 'add'])]), BOTH),
    ).toBeUndefined();
  });

  test('the settings decide, and the fewest parts are named', () => {
    const all = { removed: removal(onlyRemoved), both: removal(both) };
    expect(
      forgivenParts(all.removed, { ignoreRemovedCode: false, ignoreUntouchedFiles: false, ignoreUnstableLines: false }),
    ).toBeUndefined();
    expect(
      forgivenParts(all.removed, { ignoreRemovedCode: false, ignoreUntouchedFiles: true, ignoreUnstableLines: false }),
    ).toBeUndefined();
    expect(forgivenParts(all.removed, BOTH)).toEqual(['removed']);
    expect(
      forgivenParts(all.both, { ignoreRemovedCode: true, ignoreUntouchedFiles: false, ignoreUnstableLines: false }),
    ).toBeUndefined();
    expect(forgivenParts(all.both, BOTH)).toEqual(['removed', 'untouched']);
  });

  test('a gain elsewhere is not left out where removed code alone fails', () => {
    const gained = aReport(other([...ones(9), 0]));
    const base = aReport(aFile('a.ts', ones(30)), other([...ones(8), 0, 0]));
    const emptied = verdict(base, gained, [aDiff('a.ts', [], { kind: 'removed' })]);
    expect(forgivenParts(emptied, BOTH)).toEqual(['removed']);
  });

  test('no coverage at all, and incomplete builds, are never forgiven', () => {
    const none = verdict(BASE, aReport(), [aDiff('a.ts', [], { kind: 'removed' })]);
    expect(judgeBuild(none.judged).rule).toBe('no-coverage-arrived');
    expect(forgivenParts(none, BOTH)).toBeUndefined();
    const late = removal(onlyRemoved);
    expect(forgivenParts({ ...late, judged: { ...late.judged, unreported: ['api'] } }, BOTH)).toBeUndefined();
  });

  test('a passing verdict needs no forgiveness; a failing one is forgiven only if one part or both would pass', () => {
    fc.assert(
      fc.property(anyComparison, ({ base, head, diff }) => {
        const all = verdict(base, head, diff?.files ?? []);
        const parts = forgivenParts(all, BOTH);
        if (judgeBuild(all.judged).state !== 'failure') expect(parts).toBeUndefined();
        if (failsByRemovedCodeAlone(all)) expect(parts).toEqual(['removed']);
        else if (failsByUntouchedFilesAlone(all)) expect(parts).toEqual(['untouched']);
        else if (parts) expect(parts).toHaveLength(2);
      }),
      { numRuns: 300 },
    );
  });
});
