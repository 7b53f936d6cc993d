import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { aDiff, branchesOf, type Edit, edits, followEdits, hitsOf } from '../../../../test/support/diffs.ts';
import { numRuns } from '../../../../test/support/property-runs.ts';
import { aFile, aReport, totals } from '../../../../test/support/records.ts';
import type { FileCoverage } from '../coverage/file-coverage.ts';
import { subtractRatios, totalPercent } from '../coverage/percent.ts';
import { addTotals, type CoverageTotals, NO_TOTALS, subtractTotals } from '../coverage/totals.ts';
import { diffBetween } from '../diff/diff-between.ts';
import { type Diff, type FileDiff, MAX_ADDED_LINES } from '../diff/file-diff.ts';
import { patchCoverage } from '../diff/patch-coverage.ts';
import { attributeChange, CHANGE_PARTS } from './attribute-change.ts';
import { type ChangeSums, sumOwnChange } from './split-change.ts';

const sum = (...all: readonly CoverageTotals[]): CoverageTotals => all.reduce(addTotals, NO_TOTALS);
const all = (...files: readonly FileDiff[]): Diff => ({ files, complete: true });
const split = (
  base: readonly FileCoverage[],
  head: readonly FileCoverage[],
  diffs: { readonly between: Diff; readonly patch: Diff },
): ChangeSums => {
  const found = sumOwnChange(
    { base: aReport(...base), head: aReport(...head) },
    {
      base: all(),
      patch: diffs.patch,
      before: { diff: diffs.between, commits: 1, branch: 'main' },
    },
  );
  if (found === undefined) throw new Error('no split');
  return found;
};

/** Where each line of a text comes from: a line of the base by its number, or nowhere. */
type Origins = readonly (number | undefined)[];

const follow = (before: Origins, step: readonly Edit[]): Origins => {
  let line = 0;
  return step.flatMap((edit): Origins => {
    if (edit === 'add') return [undefined];
    const origin = before[line];
    line += 1;
    return edit === 'keep' ? [origin] : [];
  });
};

/** The edits that lead from a text of this many lines to one whose lines come from there. */
const editsTo = (count: number, origins: Origins): readonly Edit[] => {
  const found: Edit[] = [];
  let next = 1;
  for (const origin of origins) {
    for (; origin !== undefined && next < origin; next += 1) found.push('remove');
    found.push(origin === undefined ? 'add' : 'keep');
    if (origin !== undefined) next += 1;
  }
  return [...found, ...Array<Edit>(Math.max(0, count - next + 1)).fill('remove')];
};

/** Two steps that follow each other, and coverage of the first and of the last text. */
const twoSteps = edits.chain((one) => {
  const lines = followEdits(one).added.length;
  const step = fc.array(fc.constantFrom<Edit>('keep', 'keep', 'keep', 'add', 'remove'), { maxLength: 40 });
  return step.chain((drawn) => {
    let left = lines;
    const two = drawn.filter((edit) => edit === 'add' || left-- > 0);
    const rest = Math.max(0, left);
    const whole = [...two, ...Array<Edit>(rest).fill('keep')];
    const before = followEdits(one).map.length;
    const after = followEdits(whole).added.length;
    return fc.record({
      one: fc.constant(one),
      two: fc.constant(whole),
      before: hitsOf(before),
      after: hitsOf(after),
      branches: fc.tuple(branchesOf(before), branchesOf(after)),
      other: fc.tuple(hitsOf(6), hitsOf(6)),
    });
  });
});

/** Counted one by one. */
function countOn({ hits, branches }: FileCoverage, chosen: (line: number) => boolean): CoverageTotals {
  const lines = [...hits].filter((_, index) => chosen(index + 1));
  const arms = [...branches.hits].filter((_, index) => chosen(branches.line[index] as number));
  const above = (values: readonly number[], min: number) => values.filter((value) => value >= min).length;
  return totals(above(lines, 1), above(lines, 0), above(arms, 1), arms.length);
}

describe('what others did before a change is told apart from it (rule 19)', () => {
  test('line by line, and the parts sum exactly to the change, with the provider’s diff and with a derived one', () => {
    fc.assert(
      fc.property(twoSteps, ({ one, two, before, after, branches, other }) => {
        const base = aFile('a.ts', before, { branches: branches[0] });
        const head = aFile('a.ts', after, { branches: branches[1] });
        const count = followEdits(one).map.length;
        const atFork = follow(
          Array.from({ length: count }, (_, index) => index + 1),
          one,
        );
        const survivors = new Set(atFork);
        const atHead = follow(
          atFork.map((origin) => origin ?? 0),
          two,
        );
        const own = followEdits(two).added;
        const left = new Set(atHead);
        const patch = all(aDiff('a.ts', two));
        const files = [[base, aFile('b.ts', other[0])] as const, [head, aFile('b.ts', other[1])] as const] as const;
        const found = split(...files, { between: all(aDiff('a.ts', one)), patch });
        const isLine = (line: number) => line > 0;
        expect(found.changed).toEqual(countOn(head, (line) => isLine(line) && own[line - 1] === true));
        expect(found.before?.added).toEqual(countOn(head, (line) => isLine(line) && atHead[line - 1] === 0));
        expect(found.before?.removed).toEqual(countOn(base, (line) => isLine(line) && !survivors.has(line)));
        expect(found.removed).toEqual(countOn(base, (line) => isLine(line) && survivors.has(line) && !left.has(line)));
        const whole = all(
          aDiff(
            'a.ts',
            editsTo(
              count,
              atHead.map((origin) => (origin === 0 ? undefined : origin)),
            ),
          ),
        );
        const between = diffBetween(whole, patch);
        const derived = split(...files, { between, patch });
        for (const sums of [found, derived]) expectExact(sums);
        if (between.files.every(({ complete }) => complete)) expect(derived.changed).toEqual(found.changed);
      }),
      { numRuns: numRuns(300) },
    );
  });

  test('whatever the two diffs claim', () => {
    const diff = fc.record({
      complete: fc.boolean(),
      files: fc.array(
        fc.record({
          name: fc.constantFrom('a.ts', 'b.ts', 'c.ts'),
          kind: fc.constantFrom('modified', 'renamed', 'added', 'removed'),
          previous: fc.constantFrom('a.ts', 'b.ts', 'c.ts'),
          step: edits,
          complete: fc.boolean(),
        }),
        { maxLength: 4 },
      ),
    });
    const toDiff = ({ complete, files }: typeof diff extends fc.Arbitrary<infer T> ? T : never): Diff => ({
      complete,
      files: files.map(({ name, kind, previous, step, complete: known }) =>
        aDiff(name, known ? step : [], {
          kind,
          previousName: kind === 'renamed' ? previous : undefined,
          complete: known,
        }),
      ),
    });
    const report = fc.uniqueArray(
      fc.record({
        name: fc.constantFrom('a.ts', 'b.ts', 'c.ts'),
        hits: hitsOf(8),
        branches: branchesOf(8),
        digest: fc.constantFrom(undefined, 'one', 'two'),
      }),
      { selector: ({ name }) => name, maxLength: 3 },
    );
    fc.assert(
      fc.property(report, report, diff, diff, fc.boolean(), (base, head, first, second, isDerived) => {
        const patch = toDiff(second);
        const between = isDerived ? diffBetween(toDiff(first), patch) : toDiff(first);
        const files = (some: typeof base) => some.map(({ name, hits, ...more }) => aFile(name, hits, more));
        expectExact(split(files(base), files(head), { between, patch }));
      }),
      { numRuns: numRuns(500) },
    );
  });

  test.each<[string, FileCoverage[], FileCoverage[], FileDiff[], FileDiff[], object]>([
    [
      'a file that others added',
      [aFile('a.ts', [1, 1])],
      [aFile('a.ts', [1, 1]), aFile('b.ts', [0, 0])],
      [aDiff('b.ts', [], { kind: 'added' })],
      [],
      { changed: totals(0, 0), before: { added: totals(0, 2), removed: NO_TOTALS, totals: totals(2, 4) } },
    ],
    [
      'a file that others removed',
      [aFile('a.ts', [1, 0]), aFile('b.ts', [1, 1])],
      [aFile('a.ts', [1, 0])],
      [aDiff('b.ts', [], { kind: 'removed' })],
      [],
      { removed: totals(0, 0), before: { added: NO_TOTALS, removed: totals(2, 2), totals: totals(1, 2) } },
    ],
    [
      'a file that others renamed, and the change edits',
      [aFile('old.ts', [1, 1])],
      [aFile('new.ts', [1, 0, 1])],
      [aDiff('new.ts', [], { kind: 'renamed', previousName: 'old.ts' })],
      [aDiff('new.ts', ['keep', 'add', 'keep'])],
      { changed: totals(0, 1), before: { totals: totals(2, 2), added: NO_TOTALS, removed: NO_TOTALS } },
    ],
    [
      'a file that others edited, and the change renames',
      [aFile('old.ts', [1, 1])],
      [aFile('new.ts', [1, 0, 1])],
      [aDiff('old.ts', ['keep', 'add', 'keep'])],
      [aDiff('new.ts', [], { kind: 'renamed', previousName: 'old.ts' })],
      { changed: totals(0, 0), before: { totals: totals(2, 3), added: totals(0, 1), removed: NO_TOTALS } },
    ],
    [
      'a file that others added, and the change edits',
      [aFile('a.ts', [1])],
      [aFile('a.ts', [1]), aFile('b.ts', [0, 1])],
      [aDiff('b.ts', [], { kind: 'added' })],
      [aDiff('b.ts', ['keep', 'add'])],
      { changed: totals(1, 1), before: { totals: totals(1, 2), added: totals(0, 1), removed: NO_TOTALS } },
    ],
    [
      'unchanged lines of a file that others edited: nobody’s',
      [aFile('a.ts', [1, 1])],
      [aFile('a.ts', [1, 0, 0])],
      [aDiff('a.ts', ['keep', 'keep', 'add'])],
      [],
      { untouched: { lostLines: 1 }, before: { totals: totals(2, 3), added: totals(0, 1), removed: NO_TOTALS } },
    ],
    [
      'a file whose lines others changed in a way that is not known',
      [aFile('a.ts', [1, 1])],
      [aFile('a.ts', [1, 0])],
      [aDiff('a.ts', [], { complete: false })],
      [aDiff('a.ts', ['keep', 'add'])],
      { changed: totals(0, 0), unexplainedFiles: 1, before: { totals: totals(2, 2), added: NO_TOTALS } },
    ],
    [
      'a file that others removed, and the change adds again',
      [aFile('a.ts', [1]), aFile('b.ts', [1, 1])],
      [aFile('a.ts', [1]), aFile('b.ts', [0])],
      [aDiff('b.ts', [], { kind: 'removed' })],
      [aDiff('b.ts', [], { kind: 'added' })],
      { changed: totals(0, 1), unexplainedFiles: 0, before: { removed: totals(2, 2), totals: totals(1, 1) } },
    ],
    [
      'a file that others put another in place of',
      [aFile('a.ts', [1]), aFile('b.ts', [0, 0])],
      [aFile('b.ts', [1, 0])],
      [aDiff('b.ts', ['keep', 'add'], { kind: 'renamed', previousName: 'a.ts' })],
      [],
      { unexplainedFiles: 0, before: { removed: totals(0, 2), added: totals(0, 1), totals: totals(1, 2) } },
    ],
    [
      'a file that others added, by the diff, though the base has it',
      [aFile('a.ts', [1, 1])],
      [aFile('a.ts', [1, 0])],
      [aDiff('a.ts', [], { kind: 'added' })],
      [],
      { unexplainedFiles: 1, before: { totals: totals(2, 2), added: NO_TOTALS } },
    ],
    [
      'a file that both added',
      [aFile('a.ts', [1])],
      [aFile('a.ts', [1]), aFile('b.ts', [0, 1])],
      [aDiff('b.ts', [], { kind: 'added' })],
      [aDiff('b.ts', [], { kind: 'added' })],
      { changed: totals(1, 2), unexplainedFiles: 0, before: { added: NO_TOTALS, totals: totals(1, 1) } },
    ],
    [
      'a file that only the build reports, and others changed in a way that is not known',
      [aFile('a.ts', [1])],
      [aFile('a.ts', [1]), aFile('b.ts', [0, 1])],
      [aDiff('b.ts', [], { complete: false })],
      [],
      { unexplainedFiles: 1, before: { added: NO_TOTALS, totals: totals(1, 1) } },
    ],
    [
      'a file that others changed in a way that is not known, and the change renames',
      [aFile('old.ts', [1, 1])],
      [aFile('new.ts', [1, 0, 1])],
      [aDiff('old.ts', [], { complete: false })],
      [aDiff('new.ts', ['keep', 'add', 'keep'], { kind: 'renamed', previousName: 'old.ts' })],
      { changed: totals(0, 0), unexplainedFiles: 1 },
    ],
    [
      'one file that others changed in a way that is not known, beside one that the change edits',
      [aFile('a.ts', [1, 1]), aFile('b.ts', [1])],
      [aFile('a.ts', [1, 0]), aFile('b.ts', [1, 0])],
      [aDiff('a.ts', [], { complete: false })],
      [aDiff('b.ts', ['keep', 'add'])],
      { changed: totals(0, 1), unexplainedFiles: 1 },
    ],
  ])('%s', (_, base, head, between, patch, expected) => {
    const found = split(base, head, { between: all(...between), patch: all(...patch) });
    expect(found).toMatchObject(expected);
    expectExact(found);
  });

  test.each<[string, string | undefined, string | undefined, object]>([
    ['the same digest: the same text', 'one', 'one', { untouched: { lostLines: 1 }, unexplainedFiles: 0 }],
    ['another digest', 'one', 'two', { unexplainedFiles: 1 }],
    ['a digest of the base alone', 'one', undefined, { unexplainedFiles: 1 }],
    ['no digest', undefined, undefined, { unexplainedFiles: 1 }],
  ])('a file that a list of what others did, which was cut, does not name: %s', (_, was, is, expected) => {
    const [base, head] = [[aFile('a.ts', [1, 1], { digest: was })], [aFile('a.ts', [1, 0], { digest: is })]];
    expect(split(base, head, { between: { files: [], complete: false }, patch: all() })).toMatchObject(expected);
  });

  test('lines that others put into a file are not known where the list of the change was cut', () => {
    const between = all(aDiff('a.ts', ['keep', 'add']));
    const found = split([aFile('a.ts', [1])], [aFile('a.ts', [1, 0])], {
      between,
      patch: { files: [], complete: false },
    });
    expect(found).toMatchObject({ unexplainedFiles: 1, before: { totals: totals(1, 1), added: NO_TOTALS } });
  });

  test('nothing is claimed where what others did is not known', () => {
    const reports = { base: aReport(aFile('a.ts', [1])), head: aReport(aFile('a.ts', [0])) };
    const before = { diff: undefined, commits: 1, branch: 'main' };
    expect(sumOwnChange(reports, { base: all(), patch: all(), before })).toBeUndefined();
    expect(sumOwnChange(reports, { base: all(), before: { ...before, diff: all() } })).toBeUndefined();
  });

  test.each<[number, boolean]>([
    [MAX_ADDED_LINES, true],
    [MAX_ADDED_LINES + 1, false],
  ])('diffs of more lines than anybody writes move nothing: %i', (count, isMoved) => {
    const reports = { base: aReport(aFile('a.ts', [1])), head: aReport(aFile('a.ts', [0])) };
    const hunks = (oldLines: number, newLines: number) => [{ oldStart: 2, oldLines, newStart: 2, newLines }];
    const many = all(aDiff('a.ts', [], { hunks: hunks(0, count) }));
    const undone = all(aDiff('a.ts', [], { hunks: hunks(count, 0) }));
    for (const [diff, patch] of [
      [many, all()],
      [all(), undone],
    ] as const)
      expect(
        sumOwnChange(reports, { base: all(), patch, before: { diff, commits: 1, branch: 'main' } }) !== undefined,
      ).toBe(isMoved);
  });
});

function expectExact(sums: ChangeSums): void {
  const { base, head, before, changed, removed, outside, untouched, unexplained } = sums;
  expect(sum(removed, outside.before, untouched.before, unexplained.before)).toEqual(before?.totals);
  expect(sum(changed, outside.after, untouched.after, unexplained.after)).toEqual(head);
  const points = attributeChange(sums);
  const [was, is] = [totalPercent(base), totalPercent(head)];
  if (points === undefined || was === undefined || is === undefined) return;
  const exact = CHANGE_PARTS.map((part) => points[part]).reduce((a, b) => ({
    numerator: a.numerator * b.denominator + b.numerator * a.denominator,
    denominator: a.denominator * b.denominator,
  }));
  expect(subtractRatios(exact, subtractRatios(is, was)).numerator).toBe(0n);
}

test('the patch and the split count the same changed lines', () => {
  const base = [aFile('a.ts', [1, 1, 1])];
  const head = [aFile('a.ts', [0, 1, 1, 0])];
  const patch = all(aDiff('a.ts', ['keep', 'keep', 'keep', 'add']));
  const found = split(base, head, { between: all(aDiff('a.ts', ['remove', 'add', 'keep', 'keep'])), patch });
  expect(found.changed).toEqual(patchCoverage(aReport(...head), patch.files).totals);
  expect(found.changed).toEqual(totals(0, 1));
  expect(subtractTotals(found.head, found.changed)).toEqual(totals(2, 3));
});
