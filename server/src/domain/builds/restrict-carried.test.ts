import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { aDiff, anyComparison, type Edit } from '../../../../test/support/diffs.ts';
import { aFile, aReport } from '../../../../test/support/records.ts';
import { MAX_FILE_LINES } from '../coverage/file-coverage.ts';
import { reportTotals } from '../coverage/totals.ts';
import { type FileDiff, MAX_ADDED_LINES } from '../diff/file-diff.ts';
import { restrictCarried } from './restrict-carried.ts';

describe('rule 16: a carried file that has changed since', () => {
  const branches = [1, 0, 0, 4, 2, 0, 0, 0, 3, 0, 0, 7];
  const carried = aFile('a.ts', [4, 0, 9, -1, 5], { branches, digest: 'old' });
  const current = aFile('a.ts', [-1, 3, 0, 2], { digest: 'new' });

  test('counts only on lines that the build’s own jobs call relevant, branches alike', () => {
    const { report, restricted } = restrictCarried(aReport(carried), aReport(current));
    expect(restricted).toBe(1);
    expect(report).toEqual(
      aReport(aFile('a.ts', [-1, 0, 9, -1], { branches: [2, 0, 0, 0, 3, 0, 0, 7], digest: 'new' })),
    );
  });

  test.each([
    ['the same text', aFile('a.ts', [-1, 3, 0, 2], { digest: 'old' })],
    ['no digest in this build', aFile('a.ts', [-1, 3, 0, 2])],
    ['another file', aFile('b.ts', [-1, 3, 0, 2], { digest: 'new' })],
  ])('%s: stays as it was', (_, own) => {
    expect(restrictCarried(aReport(carried), aReport(own))).toEqual({ report: aReport(carried), restricted: 0 });
  });

  test('no digest in the carried report: stays as it was', () => {
    const unknown = aFile('a.ts', [4, 0, 9]);
    expect(restrictCarried(aReport(unknown), aReport(current))).toEqual({ report: aReport(unknown), restricted: 0 });
  });

  test('counts every such file, and leaves the others', () => {
    const other = aFile('b.ts', [1], { digest: 'same' });
    const third = aFile('c.ts', [1, 1], { digest: 'old' });
    const own = aReport(current, other, aFile('c.ts', [-1, -1], { digest: 'new' }));
    const { report, restricted } = restrictCarried(aReport(carried, other, third), own);
    expect(restricted).toBe(2);
    expect(report.files[1]).toBe(other);
    expect([...(report.files[2]?.hits ?? [])]).toEqual([-1, -1]);
  });

  test('columns stay as narrow as their values', () => {
    const large = 2 ** 40;
    const wide = aFile('a.ts', [large, 5], { branches: [1, 0, 0, large, 2, 0, 0, 1], digest: 'old' });
    const { report } = restrictCarried(aReport(wide), aReport(aFile('a.ts', [-1, 1], { digest: 'new' })));
    expect(report).toEqual(aReport(aFile('a.ts', [-1, 5], { branches: [2, 0, 0, 1], digest: 'new' })));
  });
});

/** So many lines more at the beginning. */
function growing(name: string, newLines: number): FileDiff {
  return aDiff(name, [], { hunks: [{ oldStart: 1, oldLines: 0, newStart: 1, newLines }] });
}

describe('rule 16: where a diff can be had', () => {
  const carried = aFile('a.ts', [4, 0, 9, -1, 5], { branches: [3, 0, 0, 4, 5, 0, 0, 1], digest: 'old' });
  const current = aFile('a.ts', [-1, -1, 0, 1], { digest: 'new' });
  /** A line before all others, the third one gone. */
  const edits: readonly Edit[] = ['add', 'keep', 'keep', 'remove', 'keep', 'keep'];
  const moved = aFile('a.ts', [-1, 4, 0, -1, 5], { branches: [5, 0, 0, 1], digest: 'new' });
  const fit = (own: Parameters<typeof restrictCarried>[1], ...files: readonly FileDiff[]) =>
    restrictCarried(aReport(carried), own, { files, complete: true });

  test('its lines are moved, whatever the build’s own jobs call relevant', () => {
    expect(fit(aReport(current), aDiff('a.ts', edits))).toEqual({ report: aReport(moved), restricted: 0 });
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
  ])('a diff %s: as without one', (_, diff) => {
    const { report, restricted } = fit(aReport(current), diff);
    expect(restricted).toBe(1);
    expect(report).toEqual(restrictCarried(aReport(carried), aReport(current)).report);
  });

  test('a file that the build knows the same text of stays as it was', () => {
    const own = aReport(aFile('a.ts', [1], { digest: 'old' }));
    expect(fit(own, aDiff('a.ts', edits))).toEqual({ report: aReport(carried), restricted: 0 });
  });

  test.each([
    ['without a digest', aReport(aFile('a.ts', [1]))],
    ['not at all', aReport()],
  ])('a file that the build’s own jobs name %s is moved too', (_, own) => {
    const { digest: _old, ...unknown } = moved;
    const { report, restricted } = fit(own, aDiff('a.ts', edits));
    expect(restricted).toBe(0);
    expect(report.files).toMatchObject([unknown]);
    expect(report.files[0]?.digest).toBeUndefined();
  });

  test.each<[string, readonly FileDiff[]]>([
    ['of one file', [growing('a.ts', 2_147_483_640)]],
    ['of several', ['a.ts', 'b.ts', 'c.ts'].map((name) => growing(name, MAX_ADDED_LINES / 2))],
    ['of another file', [aDiff('a.ts', edits), growing('b.ts', MAX_ADDED_LINES)]],
  ])('one that adds more lines than any hand wrote, %s: as without one', (_, diffs) => {
    expect(fit(aReport(current), ...diffs)).toEqual(restrictCarried(aReport(carried), aReport(current)));
  });

  test('one that adds as many as it may moves them all', () => {
    const { report, restricted } = fit(aReport(current), growing('a.ts', MAX_ADDED_LINES));
    const [file] = report.files;
    expect([restricted, file?.hits.length, file?.hits.indexOf(0)]).toEqual([
      0,
      MAX_ADDED_LINES + 5,
      MAX_ADDED_LINES + 1,
    ]);
  });

  test('one that leads beyond the last line that a file may have: as without one', () => {
    const long = { ...carried, hits: new Int32Array(MAX_FILE_LINES) };
    const { report, restricted } = restrictCarried(aReport(long), aReport(current), {
      files: [growing('a.ts', 1)],
      complete: true,
    });
    expect([restricted, report.files[0]?.hits.length]).toEqual([1, 4]);
  });

  test('a file that is gone is gone, unless a job names it', () => {
    const diff = aDiff('a.ts', [], { kind: 'removed', complete: false });
    expect(fit(aReport(), diff)).toEqual({ report: aReport(), restricted: 0 });
  });
});

describe('rule 16: a carried file that was renamed', () => {
  const carried = aFile('a.ts', [4, 0, 9], { digest: 'old' });
  const other = aFile('m.ts', [1]);
  const rename = (all: readonly Edit[], stated: Partial<FileDiff> = {}): FileDiff =>
    aDiff('z.ts', all, { kind: 'renamed', previousName: './a.ts', ...stated });
  const cut: readonly Edit[] = ['keep', 'remove', 'keep'];

  test.each<[string, readonly ReturnType<typeof aFile>[], FileDiff, ReturnType<typeof aFile>, number]>([
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
      aFile('z.ts', [-1, 0], { digest: 'new' }),
      1,
    ],
    [
      'and changed though the diff has no hunk',
      [aFile('z.ts', [0], { digest: 'new' })],
      rename([]),
      aFile('z.ts', [4], { digest: 'new' }),
      1,
    ],
    ['and changed in an unknown way, unknown to the build', [], rename([], { complete: false }), carried, 0],
  ])('%s', (_, own, diff, expected, restricted) => {
    const fitted = restrictCarried(aReport(carried, other), aReport(...own), { files: [diff], complete: true });
    expect(fitted).toEqual({ report: aReport(expected, other), restricted });
  });

  test('onto a name that the carried report has too: both are one (rule 8)', () => {
    const fitted = restrictCarried(aReport(carried, aFile('z.ts', [1])), aReport(), {
      files: [rename([])],
      complete: true,
    });
    expect(fitted.report).toEqual(aReport(aFile('z.ts', [5, 0, 9], { digest: 'old' })));
  });
});

test('rule 16: whatever the diff is, a report comes out, sorted, without a line more than was carried', () => {
  fc.assert(
    fc.property(anyComparison, ({ base, head, diff }) => {
      const { report, restricted } = restrictCarried(base, head, diff);
      const names = report.files.map(({ name }) => name);
      expect(names).toEqual([...new Set(names)].sort());
      expect(reportTotals(report).relevantLines).toBeLessThanOrEqual(reportTotals(base).relevantLines);
      expect(restricted).toBeLessThanOrEqual(base.files.length);
    }),
  );
});
