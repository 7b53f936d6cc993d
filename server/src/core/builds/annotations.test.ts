import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { aDiff, type Edit, followEdits, hitsOf } from '../../../../test/support/diffs.ts';
import { numRuns } from '../../../../test/support/property-runs.ts';
import { aFile, aReport } from '../../../../test/support/records.ts';
import type { FileCoverage } from '../coverage/file-coverage.ts';
import type { Diff, FileDiff } from '../diff/file-diff.ts';
import { markLines, SAME_TEXT } from './annotations.ts';
import { type AnnotationPlace, MAX_MARKS } from './build-facts.ts';

const added = (name: string): FileDiff => aDiff(name, [], { kind: 'added', complete: false });
const diff = (...files: readonly FileDiff[]): Diff => ({ files, complete: true });
const mark = (files: readonly FileCoverage[], patch: readonly FileDiff[], shown: Diff = SAME_TEXT) =>
  markLines({ report: aReport(...files), patch: diff(...patch), shown });
const at = (file: string, first: number, last = first): AnnotationPlace => ({ file, first, last });
/** Hits of a file in which every other line is missed: this many places of one line. */
const places = (count: number): readonly number[] => Array.from({ length: 2 * count }, (_, index) => index % 2);

describe('the lines that are marked', () => {
  const edits: readonly Edit[] = ['keep', 'add', 'add', 'add', 'keep', 'add'];

  test('are the uncovered changed ones, neighbors together, lines that do not count among them', () => {
    const found = mark([aFile('a.ts', [0, 0, -1, 0, 0, 1])], [aDiff('a.ts', edits)]);
    expect(found).toEqual({ places: [at('a.ts', 2, 4)], more: 0, lostFiles: 0 });
  });

  test.each<[string, readonly number[], readonly FileDiff[]]>([
    ['nothing that tests cover', [0, 1, -1, 1, 0, 1], [aDiff('a.ts', edits)]],
    ['nothing that the change leaves alone', [0, 1, 1, 1, 0, 1], [aDiff('a.ts', edits)]],
    ['no file outside of the change', [0, 0], [aDiff('b.ts', edits)]],
    ['no file whose changed lines nobody knows', [0, 0], [aDiff('a.ts', edits, { complete: false })]],
    ['nothing beyond the end of the hits', [0], [aDiff('a.ts', edits)]],
  ])('are %s', (_, hits, patch) => {
    expect(mark([aFile('a.ts', hits)], patch)).toEqual({ places: [], more: 0, lostFiles: 0 });
  });

  test('have the numbers of the text that is shown, and its name for the file', () => {
    const file = aFile('new.ts', [1, 0, 0, 1, 0]);
    const patch = [aDiff('new.ts', ['keep', 'add', 'add', 'keep', 'add'])];
    const moved = aDiff('new.ts', ['add', 'keep', 'remove', 'keep', 'keep', 'add'], {
      kind: 'renamed',
      previousName: 'old.ts',
    });
    // The tested text is: put in, 1, 3, 4, put in; its lines 2 and 3 are lines 1 and 3 there, its last line is not in
    // it.
    expect(mark([file], patch, diff(moved))).toEqual({
      places: [at('old.ts', 1), at('old.ts', 3)],
      more: 0,
      lostFiles: 1,
    });
  });

  test('are one run where only foreign lines lay between', () => {
    const shown = diff(aDiff('a.ts', ['keep', 'add', 'keep']));
    const patch = [aDiff('a.ts', ['add', 'keep', 'add'])];
    expect(mark([aFile('a.ts', [0, 1, 0])], patch, shown).places).toEqual([at('a.ts', 1, 2)]);
  });

  test.each<[string, Diff]>([
    ['the list was cut and does not name it', { files: [], complete: false }],
    ['its hunks are not known', diff(aDiff('a.ts', [], { complete: false }))],
    ['it is not in that text', diff(added('a.ts'))],
  ])('a file whose lines cannot be found is counted instead: %s', (_, shown) => {
    expect(mark([aFile('a.ts', [0, 1]), aFile('b.ts', [1])], [added('a.ts'), added('b.ts')], shown)).toEqual({
      places: [],
      more: 0,
      lostFiles: 1,
    });
  });

  test.each(['a\nb.ts', 'a\u0000.ts', 'a\ud800.ts'])(
    'a name that hosts may refuse costs no other marks: %j',
    (name) => {
      const found = mark([aFile(name, [0]), aFile('z.ts', [0])], [added(name), added('z.ts')]);
      expect(found).toEqual({ places: [at('z.ts', 1)], more: 0, lostFiles: 1 });
    },
  );

  test('name files as git does', () => {
    expect(mark([aFile('src/a.ts', [0])], [added('src//a.ts')]).places).toEqual([at('src//a.ts', 1)]);
  });
});

describe('of more than fifty places', () => {
  test('each file has its share, the worst first, and the rest are counted', () => {
    const files = [aFile('big.ts', places(200)), aFile('mid.ts', places(30)), aFile('small.ts', places(3))];
    const found = mark(
      files,
      files.map(({ name }) => added(name)),
    );
    const taken = Map.groupBy(found.places, ({ file }) => file);
    expect([...taken].map(([name, list]) => [name, list.length])).toEqual([
      ['big.ts', 24],
      ['mid.ts', 23],
      ['small.ts', 3],
    ]);
    expect(found.more).toBe(233 - MAX_MARKS);
  });

  test('a file takes all that no other needs', () => {
    const found = mark([aFile('a.ts', places(60))], [added('a.ts')]);
    expect([found.places.length, found.more]).toEqual([50, 10]);
  });

  test('a file shows its largest places', () => {
    const hits = [...places(60), 1, 0, 0, 0];
    const found = mark([aFile('a.ts', hits)], [added('a.ts')]);
    expect(found.places.at(-1)).toEqual(at('a.ts', 122, 124));
  });

  test('where there are more files than places, the worst have one each', () => {
    const files = Array.from({ length: 70 }, (_, index) => aFile(`f${index}.ts`, Array(index + 1).fill(0)));
    const found = mark(
      files,
      files.map(({ name }) => added(name)),
    );
    expect(found.places.map(({ file }) => file)).toEqual(Array.from({ length: 50 }, (_, index) => `f${69 - index}.ts`));
    expect(found.more).toBe(20);
  });
});

/** Edits that lead to a text of these lines: true if one was put in; before each, this many are removed. */
const editsTo = (length: number): fc.Arbitrary<readonly Edit[]> =>
  fc
    .array(fc.record({ put: fc.boolean(), out: fc.nat({ max: 2 }) }), { minLength: length, maxLength: length })
    .map((lines) =>
      lines.flatMap(({ put, out }): Edit[] => [...Array<Edit>(out).fill('remove'), put ? 'add' : 'keep']),
    );

const changedFile = fc.nat({ max: 24 }).chain((length) =>
  fc.record({
    hits: hitsOf(length),
    patch: editsTo(length),
    shown: fc.option(editsTo(length), { nil: undefined }),
  }),
);

test('any report, change and text: every uncovered changed line is marked once, and no other that counts', () => {
  let marked = 0;
  fc.assert(
    fc.property(fc.array(changedFile, { maxLength: 12 }), (all) => {
      const files = all.map((one, index) => ({ ...one, name: `f${index}.ts` }));
      const found = markLines({
        report: aReport(...files.map(({ name, hits }) => aFile(name, hits))),
        patch: diff(...files.map(({ name, patch }) => aDiff(name, patch))),
        shown: diff(...files.flatMap(({ name, shown }) => (shown === undefined ? [] : [aDiff(name, shown)]))),
      });
      expect(found.places.length).toBeLessThanOrEqual(MAX_MARKS);
      if (found.more > 0) expect(found.places).toHaveLength(MAX_MARKS);
      for (const { name, hits, patch, shown } of files) {
        const isAdded = followEdits(patch).added;
        /** Hits of added lines, by the line's number in the annotated text; undefined: not an added line. */
        const byLine = new Map<number, number>();
        const numbers = shown === undefined ? hits.map((_, index) => index + 1) : followEdits(shown).map;
        numbers.forEach((line, index) => {
          const [from, to] = shown === undefined ? [line, line] : [index + 1, line];
          if (to !== undefined && isAdded[to - 1] && from !== undefined) byLine.set(from, hits[to - 1] ?? -1);
        });
        const missed = [...byLine].filter(([, value]) => value === 0).map(([line]) => line);
        const ours = found.places.filter(({ file }) => file === name);
        const lines = ours.flatMap(({ first, last }) =>
          Array.from({ length: last - first + 1 }, (_, step) => first + step),
        );
        marked += lines.length;
        expect(new Set(lines).size).toBe(lines.length);
        for (const line of lines) expect(byLine.get(line)).toBeLessThanOrEqual(0);
        for (const { first, last } of ours) expect([byLine.get(first), byLine.get(last)]).toEqual([0, 0]);
        if (found.more === 0) {
          expect(lines.filter((line) => byLine.get(line) === 0).sort((a, b) => a - b)).toEqual(
            missed.sort((a, b) => a - b),
          );
          for (const [index, { first }] of ours.entries())
            if (index > 0) expect(first - (ours[index - 1]?.last ?? 0)).toBeGreaterThan(1);
        }
      }
    }),
    { numRuns: numRuns(400) },
  );
  expect(marked).toBeGreaterThan(numRuns(400));
});
