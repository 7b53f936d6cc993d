import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { aDiff, anyComparison, type Edit } from '../../../../test/support/diffs.ts';
import { aFile, aReport } from '../../../../test/support/records.ts';
import { MAX_FILE_LINES, type Report } from '../coverage/file-coverage.ts';
import { reportTotals } from '../coverage/totals.ts';
import { type FileDiff, MAX_ADDED_LINES } from '../diff/file-diff.ts';
import { fitCarried } from './fit-carried.ts';

/** Nothing is known but what the reports say. */
const alone = (carried: Report, own: Report, assumesSame = false) => fitCarried(carried, own, { assumesSame });

describe('rule 16: a carried file of which no diff tells', () => {
  const carried = aFile('a.ts', [4, 0, 9, -1, 5], { branches: [1, 0, 0, 4], digest: 'old' });
  const unknown = aFile('a.ts', [4, 0, 9]);
  const same = aFile('a.ts', [-1, 3, 0, 2], { digest: 'old' });
  const other = aFile('a.ts', [-1, 3, 0, 2], { digest: 'new' });

  test.each([
    ['stays where its text is known to be the same', carried, same, [0, 0]],
    ['is left out where its text is known to be another', carried, other, [1, 1]],
    ['is left out where no job says its text, unless nobody can be asked', carried, aFile('b.ts', [1]), [1, 0]],
    ['is left out where a job does not say its text, unless nobody can be asked', carried, unknown, [1, 0]],
    ['is left out where it does not say its own text, unless nobody can be asked', unknown, other, [1, 0]],
  ])('%s', (_, file, own, [asked, unasked]) => {
    const fits = (leftOut: number | undefined) => ({ report: leftOut === 1 ? aReport() : aReport(file), leftOut });
    expect(alone(aReport(file), aReport(own))).toEqual(fits(asked));
    expect(alone(aReport(file), aReport(own), true)).toEqual(fits(unasked));
  });

  test('every such file is counted, and the others stay', () => {
    const files = [carried, aFile('b.ts', [1], { digest: 'same' }), aFile('c.ts', [1, 1], { digest: 'old' })] as const;
    const own = aReport(other, files[1], aFile('c.ts', [-1, -1], { digest: 'new' }));
    expect(alone(aReport(...files), own)).toEqual({ report: aReport(files[1]), leftOut: 2 });
  });
});

/** This many more lines at the beginning. */
function growing(name: string, newLines: number): FileDiff {
  return aDiff(name, [], { hunks: [{ oldStart: 1, oldLines: 0, newStart: 1, newLines }] });
}

describe('rule 16: where a diff can be had', () => {
  const carried = aFile('a.ts', [4, 0, 9, -1, 5], { branches: [3, 0, 0, 4, 5, 0, 0, 1], digest: 'old' });
  const current = aFile('a.ts', [-1, -1, 0, 1], { digest: 'new' });
  /** A line before all others, the third one gone. */
  const edits: readonly Edit[] = ['add', 'keep', 'keep', 'remove', 'keep', 'keep'];
  const moved = aFile('a.ts', [-1, 4, 0, -1, 5], { branches: [5, 0, 0, 1], digest: 'new' });
  const LEFT_OUT = { report: aReport(), leftOut: 1 };
  const fit = (own: Report, ...files: readonly FileDiff[]) =>
    fitCarried(aReport(carried), own, { diff: { files, complete: true } });

  test('its lines are moved, whatever the build’s own jobs call relevant', () => {
    expect(fit(aReport(current), aDiff('a.ts', edits))).toEqual({ report: aReport(moved), leftOut: 0 });
  });

  test('and take the build’s own source', () => {
    const own = { ...current, source: 'its text' };
    expect(fit(aReport(own), aDiff('./a.ts', edits)).report.files).toEqual([{ ...moved, source: 'its text' }]);
  });

  test.each<[string, FileDiff]>([
    ['of which no hunks are known', aDiff('a.ts', [], { complete: false })],
    ['of another file', aDiff('b.ts', edits)],
    ['without a hunk, though the text is another', aDiff('a.ts', ['keep'])],
    ['that calls the file new', aDiff('a.ts', ['add'], { kind: 'added' })],
    ['that calls the file gone, though a job names it', aDiff('a.ts', ['remove'], { kind: 'removed' })],
  ])('a diff %s: it is left out', (_, diff) => {
    expect(fit(aReport(current), diff)).toEqual(LEFT_OUT);
  });

  test.each([
    [true, 'stays'],
    [false, 'is left out'],
  ])('a file that no list names, complete: %s, %s', (complete) => {
    const fitted = fitCarried(aReport(carried), aReport(), { diff: { files: [], complete } });
    expect(fitted).toEqual(complete ? { report: aReport(carried), leftOut: 0 } : LEFT_OUT);
  });

  test('a file that the build knows the same text of stays as it was', () => {
    const own = aReport(aFile('a.ts', [1], { digest: 'old' }));
    expect(fit(own, aDiff('a.ts', edits))).toEqual({ report: aReport(carried), leftOut: 0 });
  });

  test.each([
    ['without a digest', aReport(aFile('a.ts', [1]))],
    ['not at all', aReport()],
  ])('a file that the build’s own jobs name %s is moved too', (_, own) => {
    const { digest: _old, ...unknown } = moved;
    const { report, leftOut } = fit(own, aDiff('a.ts', edits));
    expect(leftOut).toBe(0);
    expect(report.files).toMatchObject([unknown]);
    expect(report.files[0]?.digest).toBeUndefined();
  });

  test.each<[string, readonly FileDiff[]]>([
    ['of one file', [growing('a.ts', 2_147_483_640)]],
    ['of several', ['a.ts', 'b.ts', 'c.ts'].map((name) => growing(name, MAX_ADDED_LINES / 2))],
    ['of another file', [aDiff('a.ts', edits), growing('b.ts', MAX_ADDED_LINES)]],
  ])('one that adds more lines than any hand wrote, %s: it is left out', (_, diffs) => {
    expect(fit(aReport(current), ...diffs)).toEqual(LEFT_OUT);
  });

  test('one that adds as many as it may moves them all', () => {
    const { report, leftOut } = fit(aReport(current), growing('a.ts', MAX_ADDED_LINES));
    const [file] = report.files;
    expect([leftOut, file?.hits.length, file?.hits.indexOf(0)]).toEqual([0, MAX_ADDED_LINES + 5, MAX_ADDED_LINES + 1]);
  });

  test('one that leads beyond the last line that a file may have: it is left out', () => {
    const long = { ...carried, hits: new Int32Array(MAX_FILE_LINES) };
    const diff = { files: [growing('a.ts', 1)], complete: true };
    expect(fitCarried(aReport(long), aReport(current), { diff })).toEqual(LEFT_OUT);
  });

  test('a file that is gone is gone, unless a job names it', () => {
    const diff = aDiff('a.ts', [], { kind: 'removed', complete: false });
    expect(fit(aReport(), diff)).toEqual({ report: aReport(), leftOut: 0 });
  });
});

describe('rule 16: a carried file that was renamed', () => {
  const carried = aFile('a.ts', [4, 0, 9], { digest: 'old' });
  const other = aFile('m.ts', [1]);
  const rename = (all: readonly Edit[], stated: Partial<FileDiff> = {}): FileDiff =>
    aDiff('z.ts', all, { kind: 'renamed', previousName: './a.ts', ...stated });
  const cut: readonly Edit[] = ['keep', 'remove', 'keep'];

  test.each<[string, readonly ReturnType<typeof aFile>[], FileDiff, ReturnType<typeof aFile> | undefined, number]>([
    ['as it was', [], rename([]), aFile('z.ts', [4, 0, 9], { digest: 'old' }), 0],
    [
      'as it was, also known to the build',
      [aFile('z.ts', [1], { digest: 'old' })],
      rename(cut),
      aFile('z.ts', [4, 0, 9], { digest: 'old' }),
      0,
    ],
    ['and changed', [], rename(cut), aFile('z.ts', [4, 9]), 0],
    [
      'and changed, also known to the build',
      [aFile('z.ts', [1], { digest: 'new' })],
      rename(cut),
      aFile('z.ts', [4, 9], { digest: 'new' }),
      0,
    ],
    [
      'and changed in an unknown way',
      [aFile('z.ts', [-1, 0], { digest: 'new' })],
      rename([], { complete: false }),
      undefined,
      1,
    ],
    ['and changed though the diff has no hunk', [aFile('z.ts', [0], { digest: 'new' })], rename([]), undefined, 1],
    ['and changed in an unknown way, unknown to the build', [], rename([], { complete: false }), undefined, 1],
    [
      'while the build knows another file of that name',
      [aFile('a.ts', [1], { digest: 'new' })],
      rename(cut),
      aFile('z.ts', [4, 9]),
      0,
    ],
  ])('%s', (_, own, diff, expected, leftOut) => {
    const fitted = fitCarried(aReport(carried, other), aReport(...own), { diff: { files: [diff], complete: true } });
    expect(fitted).toEqual({ report: expected === undefined ? aReport(other) : aReport(other, expected), leftOut });
  });

  test('every one, in the order of the new names', () => {
    const swapped = [rename([]), aDiff('b.ts', [], { kind: 'renamed', previousName: 'm.ts' })];
    const fitted = fitCarried(aReport(carried, other), aReport(), { diff: { files: swapped, complete: true } });
    expect(fitted.report.files.map(({ name }) => name)).toEqual(['b.ts', 'z.ts']);
  });

  test('onto a name that the carried report has too: both are one (rule 8)', () => {
    const diff = { files: [rename([])], complete: true };
    const fitted = fitCarried(aReport(carried, aFile('z.ts', [1])), aReport(), { diff });
    expect(fitted.report).toEqual(aReport(aFile('z.ts', [5, 0, 9], { digest: 'old' })));
  });
});

test('rule 16: whatever the diff is, a report comes out, sorted, without a line more than was carried', () => {
  fc.assert(
    fc.property(anyComparison, ({ base, head, diff }) => {
      const { report, leftOut } = fitCarried(base, head, { diff });
      const names = report.files.map(({ name }) => name);
      expect(names).toEqual([...new Set(names)].sort());
      expect(reportTotals(report).relevantLines).toBeLessThanOrEqual(reportTotals(base).relevantLines);
      expect(leftOut).toBeLessThanOrEqual(base.files.length);
    }),
  );
});
