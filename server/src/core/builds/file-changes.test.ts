import { describe, expect, test } from 'vitest';
import { aDiff, type Edit } from '../../../../test/support/diffs.ts';
import { aFile, aReport, toColumn, totals } from '../../../../test/support/records.ts';
import type { Report } from '../coverage/file-coverage.ts';
import type { Diff } from '../diff/file-diff.ts';
import { MAX_FILE_CHANGES, MAX_RANGES } from './build.ts';
import { compareFiles, type FileDiffs, uncoveredRanges } from './file-changes.ts';

test('of a file that lost coverage elsewhere those lines are told that were covered before', () => {
  const lost = (digests: readonly [string?, string?], base?: Diff) =>
    compareFiles(
      aReport(aFile('a.ts', [0, 0, 0, -1, 0, 1], { digest: digests[0] })),
      aReport(aFile('a.ts', [1, 0, 1, -1, 1, 1], { digest: digests[1] })),
      { base },
    ).changes[0];
  const newly = {
    newlyMissed: [
      [1, 1],
      [3, 5],
    ],
    newlyMissedRanges: 2,
  };
  expect(lost(['same', 'same'])).toMatchObject(newly);
  expect(lost([], { files: [], complete: true })).toMatchObject(newly);
  // Its text may be another: the numbers of its lines say nothing then.
  for (const unknown of [lost([]), lost([], { files: [], complete: false })]) {
    expect(unknown?.kind).toBe('elsewhere');
    expect(unknown).not.toHaveProperty('newlyMissed');
  }
});

describe('rule 25: lost is what was covered, did not change and is missed now', () => {
  const compare = (before: readonly number[], after: readonly number[], diffs: FileDiffs) =>
    compareFiles(aReport(aFile('a.ts', after)), aReport(aFile('a.ts', before)), diffs).changes;
  const edited = (...edits: readonly Edit[]): Diff => ({ files: [aDiff('a.ts', edits)], complete: true });
  const own: Diff = { files: [], complete: true };

  test('an unchanged line of a changed file, by its number now', () => {
    const diff = edited('add', 'add', 'keep', 'keep');
    expect(compare([1, 1], [1, 0, 1, 0], { base: diff, patch: diff })).toMatchObject([
      { kind: 'changed', newlyMissed: [[4, 4]], newlyMissedRanges: 1 },
    ]);
    // Only changed lines are missed there.
    expect(compare([1, 1], [0, 0, 1, 1], { base: diff, patch: diff })[0]).not.toHaveProperty('newlyMissed');
  });

  test('not what others put into a file that the change does not touch', () => {
    expect(compare([1, 1], [1, 1, 0], { base: edited('keep', 'keep', 'add'), patch: own })).toEqual([]);
  });

  test('also where as much was gained beside it', () => {
    expect(compare([1, 0, 0], [0, 1, 1], { base: own, patch: own })).toMatchObject([
      { kind: 'elsewhere', newlyMissed: [[1, 1]], newlyMissedRanges: 1 },
    ]);
  });

  test('a branch of a line that is covered still, by the number of the line now', () => {
    const diff = edited('add', 'keep', 'keep');
    const report = aReport(aFile('a.ts', [1, 1, 1], { branches: [3, 7, 0, 1, 3, 7, 1, 0] }));
    const base = aReport(aFile('a.ts', [1, 1], { branches: [2, 0, 0, 1, 2, 0, 1, 1] }));
    expect(compareFiles(report, base, { base: diff, patch: diff }).changes).toMatchObject([
      { kind: 'changed', newlyMissed: [], newlyMissedRanges: 0, newlyPartly: [3], newlyPartlyLines: 1 },
    ]);
    expect(compareFiles(base, report, { base: own, patch: own }).changes).toEqual([]);
  });

  test('a file in which only a branch was lost has lost, though as much was gained beside it', () => {
    const branches = (first: number, second: number) => [1, 0, 0, 1, 1, 0, 1, first, 2, 0, 0, 1, 2, 0, 1, second];
    const [report, base] = [branches(0, 1), branches(1, 0)].map((all) =>
      aReport(aFile('a.ts', [1, 1], { branches: all })),
    );
    expect(compareFiles(report as Report, base as Report, { base: own, patch: own }).changes).toMatchObject([
      { kind: 'elsewhere', newlyMissedRanges: 0, newlyPartly: [1], newlyPartlyLines: 1 },
    ]);
  });

  test('more missed branches that nobody covered before are not lost', () => {
    const report = aReport(aFile('a.ts', [1], { branches: [1, 0, 0, 1, 1, 0, 1, 0] }));
    const [change] = compareFiles(report, aReport(aFile('a.ts', [1])), { base: own, patch: own }).changes;
    expect(change).toMatchObject({ kind: 'elsewhere', newlyMissedRanges: 0 });
    expect(change).not.toHaveProperty('newlyPartly');
  });

  test('of many such lines the first are kept', () => {
    const lines = Array.from({ length: MAX_RANGES + 5 }, (_, index) => index + 1);
    const withBranch = (hits: number) =>
      aReport(
        aFile(
          'a.ts',
          lines.map(() => 1),
          { branches: lines.flatMap((line) => [line, 0, 0, hits]) },
        ),
      );
    const [change] = compareFiles(withBranch(0), withBranch(1), { base: own, patch: own }).changes;
    expect(change?.newlyPartly).toEqual(lines.slice(0, MAX_RANGES));
    expect(change?.newlyPartlyLines).toBe(MAX_RANGES + 5);
  });
});

describe('uncoveredRanges', () => {
  test.each([
    ['nothing', [], []],
    ['all covered', [1, 2], []],
    ['nothing relevant', [-1, -1], []],
    ['one line', [1, 0, 1], [[2, 2]]],
    ['a run', [0, 0, 0, 1], [[1, 3]]],
    [
      'two runs',
      [0, 1, 0, 0],
      [
        [1, 1],
        [3, 4],
      ],
    ],
    [
      'a line that is not relevant does not break a run',
      [0, -1, -1, 0, 1, 0],
      [
        [1, 4],
        [6, 6],
      ],
    ],
    [
      'nor does it begin or end one',
      [-1, 0, -1, 1, -1, 0, -1],
      [
        [2, 2],
        [6, 6],
      ],
    ],
  ])('%s', (_, hits, expected) => {
    expect(uncoveredRanges(toColumn(hits))).toEqual({ ranges: expected, count: expected.length });
  });
});

describe('compareFiles', () => {
  test('of a file that lost coverage elsewhere only what the base did not miss is listed', () => {
    const base = aReport(aFile('a.ts', [0, 1, 0, -1, 2, 1, 1], { digest: 'same' }));
    const report = aReport(aFile('a.ts', [0, 0, 0, -1, 0, -1, 0], { digest: 'same' }));
    expect(compareFiles(report, base).changes).toMatchObject([
      {
        kind: 'elsewhere',
        uncovered: [
          [2, 2],
          [5, 7],
        ],
        uncoveredRanges: 2,
      },
    ]);
  });

  test.each([
    ['renamed alone', 'same', [1, 0], []],
    ['renamed, a line lost', 'same', [0, 0], [['new.ts', 'elsewhere', 1]]],
    ['renamed with another text', 'other', [1, 0, 0], [['new.ts', 'changed', 1]]],
  ])('a file that is %s', (_, digest, hits, expected) => {
    const diff: Diff = {
      complete: true,
      files: [{ name: 'new.ts', previousName: 'old.ts', kind: 'renamed', hunks: [], complete: true }],
    };
    const base = aReport(aFile('old.ts', [1, 0], { digest: 'same' }));
    const { changes } = compareFiles(aReport(aFile('new.ts', hits, { digest })), base, { base: diff });
    expect(changes.map(({ name, kind, baseTotals }) => [name, kind, baseTotals?.coveredLines])).toEqual(expected);
    // One that is still named was not renamed, whatever the diff says.
    const both = aReport(aFile('new.ts', hits, { digest }), aFile('old.ts', [1, 0], { digest: 'same' }));
    expect(compareFiles(both, base, { base: diff }).changes.map(({ name, kind }) => [name, kind])).toEqual([
      ['new.ts', 'added'],
    ]);
  });

  const one = (hits: readonly number[], digest?: string) => aReport(aFile('a.ts', hits, { digest }));

  test.each([
    ['new', one([1, 0]), aReport(), 'added'],
    ['gone', aReport(), one([1, 0]), 'removed'],
    ['another text', one([1, 0], 'new'), one([1, 0], 'old'), 'changed'],
    ['another text, better covered', one([1, 1], 'new'), one([1, 0], 'old'), 'changed'],
    ['the same text, as covered', one([2, 0], 'same'), one([1, 0], 'same'), undefined],
    ['the same text, better covered', one([1, 1], 'same'), one([1, 0], 'same'), undefined],
    ['the same text, a line lost', one([0, 0], 'same'), one([1, 0], 'same'), 'elsewhere'],
    ['a text unknown before, a line lost', one([0, 0], 'new'), one([1, 0]), 'elsewhere'],
    ['a text unknown now, as covered', one([1, 0]), one([1, 0], 'old'), undefined],
  ])('a file that is %s', (_, report, base, kind) => {
    const { changes, count } = compareFiles(report, base);
    expect(changes.map((change) => change.kind)).toEqual(kind === undefined ? [] : [kind]);
    expect(count).toBe(changes.length);
  });

  const CHANGED: Diff = {
    complete: true,
    files: (['modified', 'added', 'removed'] as const).map((kind) => ({
      name: `${kind}.ts`,
      previousName: undefined,
      kind,
      hunks: [],
      complete: true,
    })),
  };
  const all = (...names: readonly string[]) =>
    aReport(...names.map((name) => aFile(name, [1, 0], { digest: name.length.toString() })));

  test('where a diff is known it alone says which files changed', () => {
    const report = all('modified.ts', 'added.ts', 'measured-now.ts', 'kept.ts');
    const base = aReport(...all('removed.ts', 'gone.ts').files, aFile('modified.ts', [1, 0], { digest: '11' }));
    const kinds = (diffs: Parameters<typeof compareFiles>[2], before = base) =>
      Object.fromEntries(compareFiles(report, before, diffs).changes.map(({ name, kind }) => [name, kind]));
    const otherText = aReport(...base.files, aFile('kept.ts', [1, 1], { digest: 'other' }));
    const known = {
      'added.ts': 'added',
      'modified.ts': 'changed',
      'removed.ts': 'removed',
      'measured-now.ts': 'newly-measured',
      'gone.ts': 'no-longer-measured',
      'kept.ts': 'elsewhere',
    };
    expect(kinds({ patch: CHANGED }, otherText)).toEqual(known);
    expect(kinds({ base: CHANGED }, otherText)).toEqual(known);
    // What others did between the base and the change is no part of it.
    expect(kinds({ base: CHANGED, patch: { complete: true, files: [] } }, otherText)).toMatchObject({
      'added.ts': 'newly-measured',
      'removed.ts': 'no-longer-measured',
    });
    // A cut list says nothing of what it does not name.
    expect(kinds({ patch: { ...CHANGED, complete: false } }, otherText)).toEqual({
      ...known,
      'measured-now.ts': 'added',
      'gone.ts': 'removed',
      'kept.ts': 'changed',
    });
  });

  test('a lost branch is lost coverage too', () => {
    const branches = (hits: number) =>
      aReport(aFile('a.ts', [1], { digest: 'same', branches: [1, 0, 0, 1, 1, 0, 1, hits] }));
    expect(compareFiles(branches(0), branches(1)).changes).toMatchObject([
      { kind: 'elsewhere', totals: totals(1, 1, 1, 2), baseTotals: totals(1, 1, 2, 2) },
    ]);
  });

  test('what was is told beside what is', () => {
    expect(compareFiles(one([0, 1, 0], 'new'), one([1, 1], 'old')).changes).toEqual([
      {
        name: 'a.ts',
        kind: 'changed',
        totals: totals(1, 3),
        baseTotals: totals(2, 2),
        uncovered: [
          [1, 1],
          [3, 3],
        ],
        uncoveredRanges: 2,
      },
    ]);
  });

  test('the change first, then losses elsewhere; in each the most newly missed lines first, then by name', () => {
    const report = aReport(
      aFile('a-lost-1.ts', [0, 1]),
      aFile('b-lost-2.ts', [0, 0]),
      aFile('c-new-1.ts', [0]),
      aFile('d-new-2.ts', [0, 0]),
      aFile('e-new-1.ts', [0]),
      aFile('f-better.ts', [1, 1], { digest: 'new' }),
    );
    const base = aReport(
      aFile('a-lost-1.ts', [1, 1]),
      aFile('b-lost-2.ts', [1, 1]),
      aFile('f-better.ts', [0, 0], { digest: 'old' }),
    );
    expect(compareFiles(report, base).changes.map((change) => change.name)).toEqual([
      'd-new-2.ts',
      'c-new-1.ts',
      'e-new-1.ts',
      'f-better.ts',
      'b-lost-2.ts',
      'a-lost-1.ts',
    ]);
  });

  test('the worst are kept, all are counted; so with the ranges of a file', () => {
    const names = Array.from({ length: MAX_FILE_CHANGES + 50 }, (_, index) => `f${1_000 + index}.ts`);
    const worst = aFile(
      'z.ts',
      Array.from({ length: 100 }, (_, index) => index % 2),
    );
    const { changes, count } = compareFiles(aReport(worst, ...names.map((name) => aFile(name, [0]))), aReport());
    expect(count).toBe(MAX_FILE_CHANGES + 51);
    expect(changes).toHaveLength(MAX_FILE_CHANGES);
    expect(changes[0]).toMatchObject({ name: 'z.ts', uncoveredRanges: 50 });
    expect(changes[0]?.uncovered).toHaveLength(MAX_RANGES);
  });
});
