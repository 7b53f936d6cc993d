import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { countReads } from '../../../../test/support/count-reads.ts';
import {
  aDiff,
  anyComparison,
  branchesOf,
  type Edit,
  edits,
  followEdits,
  hitsOf,
} from '../../../../test/support/diffs.ts';
import { numRuns } from '../../../../test/support/property-runs.ts';
import { aFile, aReport, totals } from '../../../../test/support/records.ts';
import type { FileCoverage } from '../coverage/file-coverage.ts';
import type { LineRange } from '../coverage/line-ranges.ts';
import { addTotals, type CoverageTotals, fileTotals, NO_TOTALS, reportTotals } from '../coverage/totals.ts';
import type { FileDiff } from '../diff/file-diff.ts';
import { type Movement, splitChange } from './split-change.ts';

const sum = (...all: readonly CoverageTotals[]): CoverageTotals => all.reduce(addTotals, NO_TOTALS);
const moved = (before: CoverageTotals, after: CoverageTotals, lostLines = 0, gainedLines = 0): Movement => ({
  before,
  after,
  lostLines,
  gainedLines,
});
const NONE = moved(NO_TOTALS, NO_TOTALS);

const split = (
  base: readonly FileCoverage[],
  head: readonly FileCoverage[],
  files?: readonly FileDiff[],
  complete = true,
) => splitChange({ base: aReport(...base), head: aReport(...head), diff: files && { files, complete } });

describe('splitChange adds up', () => {
  test('whatever the reports and the diff: the parts are the whole, file by file too', () => {
    fc.assert(
      fc.property(anyComparison, (compared) => {
        const { base, head, changed, removed, outside, untouched, unexplained, files } = splitChange(compared);
        expect(base).toEqual(reportTotals(compared.base));
        expect(head).toEqual(reportTotals(compared.head));
        expect(sum(removed, outside.before, untouched.before, unexplained.before)).toEqual(base);
        expect(sum(changed, outside.after, untouched.after, unexplained.after)).toEqual(head);
        // Files that did not move are left out, so the listed ones hold the whole difference.
        const before = sum(...files.map((file) => addTotals(file.removed, file.rest.before)));
        const after = sum(...files.map((file) => addTotals(file.changed, file.rest.after)));
        expect(sum(base, after)).toEqual(sum(head, before));
        for (const counts of [
          changed,
          removed,
          ...[outside, untouched, unexplained].flatMap((part) => [part.before, part.after]),
        ])
          expect(Math.min(...Object.values(counts), counts.relevantLines - counts.coveredLines)).toBeGreaterThanOrEqual(
            0,
          );
      }),
      { numRuns: numRuns(500) },
    );
  });

  test('line by line, as the edits say', () => {
    const cases = edits.chain((all) => {
      const { map, added } = followEdits(all);
      return fc.record({
        all: fc.constant(all),
        before: hitsOf(map.length),
        after: hitsOf(added.length),
        branches: fc.tuple(branchesOf(map.length), branchesOf(added.length)),
      });
    });
    fc.assert(
      fc.property(cases, ({ all, before, after, branches }) => {
        const base = aFile('a.ts', before, { branches: branches[0], digest: 'old' });
        const head = aFile('a.ts', after, {
          branches: branches[1],
          digest: all.every((edit) => edit === 'keep') ? 'old' : 'new',
        });
        const { map, added } = followEdits(all);
        const isGone = (line: number) => line > 0 && map[line - 1] === undefined;
        const isNew = (line: number) => line > 0 && added[line - 1] === true;
        const { changed, removed, outside } = split([base], [head], [aDiff('a.ts', all)]);
        expect(removed).toEqual(countOn(base, isGone));
        expect(changed).toEqual(countOn(head, isNew));
        expect(outside.before).toEqual(countOn(base, (line) => !isGone(line)));
        expect(outside.after).toEqual(countOn(head, (line) => !isNew(line)));
        const pairs = map.flatMap((to, index) =>
          to === undefined ? [] : [[before[index] ?? -1, after[to - 1] ?? -1] as const],
        );
        expect(outside.lostLines).toBe(pairs.filter(([was, is]) => was > 0 && is === 0).length);
        expect(outside.gainedLines).toBe(pairs.filter(([was, is]) => was <= 0 && is > 0).length);
      }),
      { numRuns: numRuns(300) },
    );
  });
});

/** Counted one by one. */
function countOn({ hits, branches }: FileCoverage, chosen: (line: number) => boolean): CoverageTotals {
  const lines = [...hits].filter((_, index) => chosen(index + 1));
  const arms = [...branches.hits].filter((_, index) => chosen(branches.line[index] as number));
  const above = (all: readonly number[], min: number) => all.filter((value) => value >= min).length;
  return totals(above(lines, 1), above(lines, 0), above(arms, 1), arms.length);
}

describe('what a file belongs to', () => {
  const one = (digest?: string) => aFile('a.ts', [1, 1], { digest });
  const other = (digest?: string) => aFile('a.ts', [1, 0], { digest });
  const dropped = moved(totals(2, 2), totals(1, 2), 1);
  const unknown = moved(totals(2, 2), totals(1, 2));

  const none = { files: 0, lines: 0 };
  const cut: readonly Edit[] = ['keep', 'remove', 'add'];
  test.each<[string, FileCoverage, FileCoverage, readonly FileDiff[] | undefined, boolean, object]>([
    [
      'in the diff',
      one(),
      other(),
      [aDiff('a.ts', cut)],
      true,
      { changed: totals(0, 1), removed: totals(1, 1), outside: moved(totals(1, 1), totals(1, 1)) },
    ],
    ['not in it', one(), other(), [], true, { untouched: dropped }],
    ['not in it, same digest', one('x'), other('x'), [], true, { untouched: dropped }],
    [
      'not in it, yet another text: the diff is of other commits',
      one('x'),
      other('y'),
      [],
      true,
      { unexplained: unknown },
    ],
    ['not in a list that was cut', one(), other(), [], false, { unexplained: unknown }],
    ['not in a list that was cut, same digest', one('x'), other('x'), [], false, { untouched: dropped }],
    ['without any diff', one(), other(), undefined, true, { unexplained: unknown }],
    ['without any diff, same digest', one('x'), other('x'), undefined, true, { untouched: dropped }],
    [
      'in the diff, hunks not known',
      one(),
      other(),
      [aDiff('a.ts', [], { complete: false })],
      true,
      { unexplained: unknown },
    ],
    [
      'in the diff, hunks not known, same digest',
      one('x'),
      other('x'),
      [aDiff('a.ts', [], { complete: false })],
      true,
      { outside: dropped },
    ],
    ['in the diff, yet the same digest', one('x'), other('x'), [aDiff('a.ts', cut)], true, { outside: dropped }],
    ['of another mode', one(), other(), [aDiff('a.ts', [])], true, { outside: dropped }],
    ['of another mode, yet another text', one('x'), other('y'), [aDiff('a.ts', [])], true, { unexplained: unknown }],
    [
      'new, though the base has it',
      one(),
      other(),
      [aDiff('a.ts', cut, { kind: 'added' })],
      true,
      { unexplained: unknown },
    ],
    [
      'removed, though the build has it',
      one(),
      other(),
      [aDiff('a.ts', cut, { kind: 'removed' })],
      true,
      { unexplained: unknown },
    ],
  ])('%s', (_, base, head, files, complete, expected) => {
    const parts = { changed: NO_TOTALS, removed: NO_TOTALS, outside: NONE, untouched: NONE, unexplained: NONE };
    expect(split([base], [head], files, complete)).toMatchObject({ ...parts, ...expected });
  });

  test('a new file is changed as a whole, a removed one removed, whether their hunks are known or not', () => {
    const file = aFile('a.ts', [1, 0], { branches: [0, 0, 0, 1] });
    for (const complete of [true, false]) {
      const added = aDiff('a.ts', complete ? ['add', 'add'] : [], { kind: 'added', complete });
      const removed = aDiff('a.ts', complete ? ['remove', 'remove'] : [], { kind: 'removed', complete });
      expect(split([], [file], [added])).toMatchObject({ changed: fileTotals(file), outside: NONE });
      expect(split([file], [], [removed])).toMatchObject({ removed: fileTotals(file), outside: NONE });
    }
  });

  test('a renamed file is the one it was', () => {
    const renamed = aDiff('new.ts', ['keep', 'add', 'keep'], { kind: 'renamed', previousName: 'old.ts' });
    const result = split([aFile('old.ts', [1, 1])], [aFile('new.ts', [1, 0, 0])], [renamed]);
    expect(result).toMatchObject({
      changed: totals(0, 1),
      removed: NO_TOTALS,
      outside: moved(totals(2, 2), totals(1, 2), 1),
    });
    expect(result.files.map((file) => file.name)).toEqual(['new.ts']);
  });

  test('two that swapped their names are not mixed up', () => {
    const swap = (name: string, previousName: string) => aDiff(name, [], { kind: 'renamed', previousName });
    const result = split(
      [aFile('a.ts', [1, 1]), aFile('b.ts', [0])],
      [aFile('a.ts', [0]), aFile('b.ts', [1, 1])],
      [swap('a.ts', 'b.ts'), swap('b.ts', 'a.ts')],
    );
    expect(result).toMatchObject({ outside: moved(totals(2, 3), totals(2, 3)), files: [] });
  });

  test('a renamed file that is no longer reported lost no line: none is missed', () => {
    const renamed = aDiff('new.ts', ['remove', 'keep'], { kind: 'renamed', previousName: 'old.ts' });
    expect(split([aFile('old.ts', [1, 1])], [], [renamed])).toMatchObject({
      removed: totals(1, 1),
      outside: moved(totals(1, 1), NO_TOTALS),
    });
  });

  test('what a renamed file overwrote is not known', () => {
    const renamed = aDiff('b.ts', [], { kind: 'renamed', previousName: 'a.ts' });
    const result = split([aFile('a.ts', [1]), aFile('b.ts', [1, 0])], [aFile('b.ts', [1])], [renamed]);
    expect(result).toMatchObject({
      outside: moved(totals(1, 1), totals(1, 1)),
      unexplained: moved(totals(1, 2), NO_TOTALS),
    });
  });

  test('files that come and go without the diff naming them are untouched', () => {
    const result = split([aFile('gone.ts', [1, 0])], [aFile('late.ts', [0, 1, 1])], []);
    expect(result.untouched).toEqual(moved(totals(1, 2), totals(2, 3), 0, 2));
    expect(result.files.map(({ name, part }) => [name, part])).toEqual([
      ['late.ts', 'untouched'],
      ['gone.ts', 'untouched'],
    ]);
  });

  test.each<[string, FileCoverage, FileCoverage[], FileDiff[] | undefined, object]>([
    ['not named by the diff', aFile('a.ts', [1, 0, -1]), [], [], { files: 1, lines: 2 }],
    ['of an unknown diff', aFile('a.ts', [1, 0, -1]), [], undefined, { files: 1, lines: 2 }],
    ['removed by the diff', aFile('a.ts', [1, 0]), [], [aDiff('a.ts', [], { kind: 'removed' })], none],
    ['edited by the diff', aFile('a.ts', [1, 0]), [], [aDiff('a.ts', ['remove'])], none],
    ['without a relevant line', aFile('a.ts', [-1]), [], [], none],
    ['still reported', aFile('a.ts', [1, 0]), [aFile('a.ts', [0, 0])], [], none],
    ['still reported, its change unknown', aFile('a.ts', [1]), [aFile('a.ts', [0])], undefined, none],
  ])('what only the base reports is vanished: %s', (_, base, head, files, vanished) => {
    expect(split([base], head, files).vanished).toEqual(vanished);
  });

  test.each<[string, FileDiff[], LineRange[], object]>([
    ['on a line that the diff adds', [aDiff('a.ts', ['keep', 'add'])], [[2, 2]], { unexplained: unknown }],
    ['on another line', [aDiff('a.ts', ['keep', 'add'])], [[1, 1]], { changed: totals(0, 1) }],
    ['of a file that the diff leaves alone', [], [[2, 2]], { untouched: dropped }],
  ])('lines that no report may be believed about (rule 16): %s', (_, files, lines, expected) => {
    const [base, head] = [aReport(one()), aReport(other())];
    const diff = { files, complete: true };
    expect(splitChange({ base, head, diff, unmeasured: new Map([['a.ts', lines]]) })).toMatchObject(expected);
  });

  test('a file of which only a changed line with a branch counts has moved', () => {
    const head = aFile('a.ts', [1], { branches: [1, 0, 0, 1] });
    const { files, changed } = split([aFile('a.ts', [-1])], [head], [aDiff('a.ts', ['remove', 'add'])]);
    expect([changed, files.map(({ name }) => name)]).toEqual([totals(1, 1, 1, 1), ['a.ts']]);
  });

  test('a file that lost one line and gained another has moved, though its counts have not', () => {
    const { files, untouched } = split([aFile('a.ts', [1, 0])], [aFile('a.ts', [0, 1])], []);
    expect(untouched).toEqual(moved(totals(1, 2), totals(1, 2), 1, 1));
    expect(files).toHaveLength(1);
  });
});

test('each line is looked at a few times, however many there are', () => {
  const readsOf = (lines: number): number => {
    const hits = Int32Array.from({ length: lines }, (_, index) => (index % 3) - 1);
    const [base, head] = [countReads(hits), countReads(hits.map((value) => Math.min(value, 0)))];
    const hunks = Array.from({ length: lines / 10 }, (_, index) => ({
      oldStart: index * 10 + 1,
      oldLines: 1,
      newStart: index * 10 + 1,
      newLines: 1,
    }));
    const file = aFile('a.ts', []);
    split([{ ...file, hits: base.values }], [{ ...file, hits: head.values }], [aDiff('a.ts', [], { hunks })]);
    return base.reads() + head.reads();
  };
  expect(readsOf(2_000)).toBeGreaterThan(2_000);
  expect(readsOf(2_000)).toBeLessThan(2_000 * 10);
  expect(readsOf(20_000)).toBeLessThan(readsOf(2_000) * 10.5);
});

test('of a million lines', () => {
  const hits = Int32Array.from({ length: 1_000_000 }, (_, index) => (index % 3) - 1);
  const base: FileCoverage = { ...aFile('a.ts', []), hits };
  const head: FileCoverage = { ...base, hits: hits.map((value) => Math.min(value, 0)) };
  const hunks = Array.from({ length: 100_000 }, (_, index) => ({
    oldStart: index * 10 + 1,
    oldLines: 1,
    newStart: index * 10 + 1,
    newLines: 1,
  }));
  const { changed, outside } = split([base], [head], [aDiff('a.ts', [], { hunks })]);
  expect(changed.relevantLines + outside.after.relevantLines).toBe(666_666);
  expect(outside.lostLines).toBe(outside.before.coveredLines);
  expect(changed.relevantLines).toBe(66_666);
});
