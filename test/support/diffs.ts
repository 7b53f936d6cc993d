import fc from 'fast-check';
import type { Report } from '../../server/src/core/coverage/file-coverage.ts';
import type { Diff, DiffKind, FileDiff, Hunk } from '../../server/src/core/diff/file-diff.ts';
import { unchangedRuns } from '../../server/src/core/diff/line-map.ts';
import { aFile, aReport } from './records.ts';

/** One line of a text that became another: it stayed, was taken out, or was put in. */
export type Edit = 'keep' | 'remove' | 'add';

/** The edits of a small file, in order. */
export const edits = fc.array(fc.constantFrom<Edit>('keep', 'keep', 'remove', 'add'), { maxLength: 24 });

/** What edits mean, line by line. */
export interface EditedLines {
  /** For each old line, in order, its new number; undefined if it was taken out. */
  readonly map: readonly (number | undefined)[];
  /** For each new line, in order, whether it was put in. */
  readonly added: readonly boolean[];
}

export function followEdits(all: readonly Edit[]): EditedLines {
  const map: (number | undefined)[] = [];
  const added: boolean[] = [];
  for (const edit of all) {
    if (edit !== 'remove') added.push(edit === 'add');
    if (edit !== 'add') map.push(edit === 'keep' ? added.length : undefined);
  }
  return { map, added };
}

/** The new number of an old line; undefined if it was removed, and where it is not known. */
export function mapOldLine(diff: FileDiff, line: number): number | undefined {
  const run = unchangedRuns(diff)?.find(({ oldStart, length }) => line >= oldStart && line < oldStart + length);
  return run && run.newStart + line - run.oldStart;
}

/** A modified file's diff, its hunks made from the edits one by one. */
export function aDiff(name: string, all: readonly Edit[], stated: Partial<FileDiff> = {}): FileDiff {
  const hunks: Hunk[] = [];
  let old = 1;
  let now = 1;
  all.forEach((edit, index) => {
    const inHunk = index > 0 && all[index - 1] !== 'keep';
    const last = (inHunk ? hunks.pop() : undefined) ?? { oldStart: old, oldLines: 0, newStart: now, newLines: 0 };
    if (edit === 'remove') hunks.push({ ...last, oldLines: last.oldLines + 1 });
    else if (edit === 'add') hunks.push({ ...last, newLines: last.newLines + 1 });
    else if (inHunk) hunks.push(last);
    if (edit !== 'add') old += 1;
    if (edit !== 'remove') now += 1;
  });
  return { name, previousName: undefined, kind: 'modified', hunks, complete: true, ...stated };
}

/** What a line may be: not relevant, missed, covered. */
const hits = fc.constantFrom(-1, 0, 1, 3);

/** The hits of a text of this many lines, as a report has them: perhaps cut at its end. */
export function hitsOf(lines: number): fc.Arbitrary<readonly number[]> {
  return fc.array(hits, { minLength: Math.max(0, lines - 2), maxLength: lines });
}

/** Flat groups of four (line, block, branch, hits) for lines 0 to `lines`. */
export function branchesOf(lines: number): fc.Arbitrary<readonly number[]> {
  const group = fc.tuple(fc.nat(lines), fc.nat(1), fc.nat(1), fc.nat(2));
  return fc.array(group, { maxLength: 8 }).map((groups) => groups.flat());
}

const smallFile = fc.constantFrom('a.ts', 'b.ts', 'c.ts', 'd.ts');

/** Two reports and whatever diff, sensible or not: names meet by chance, and nothing needs to fit anything. */
export const anyComparison: fc.Arbitrary<{ base: Report; head: Report; diff: Diff | undefined }> = fc
  .record({
    base: reports(),
    head: reports(),
    diff: fc.option(
      fc.record({
        files: fc.array(
          fc.record({
            all: edits,
            name: smallFile,
            kind: fc.constantFrom<DiffKind>('modified', 'modified', 'renamed', 'added', 'removed'),
            previous: smallFile,
            complete: fc.boolean(),
          }),
          { maxLength: 4 },
        ),
        complete: fc.boolean(),
      }),
      { nil: undefined },
    ),
  })
  .map(({ base, head, diff }) => ({
    base,
    head,
    diff: diff && {
      complete: diff.complete,
      files: diff.files.map(({ all, name, kind, previous, complete }) => {
        const file = aDiff(name, all, { kind, previousName: kind === 'renamed' ? previous : undefined, complete });
        return complete ? file : { ...file, hunks: [] };
      }),
    },
  }));

function reports(): fc.Arbitrary<Report> {
  const file = fc.record({
    name: smallFile,
    hits: hitsOf(12),
    branches: branchesOf(12),
    digest: fc.constantFrom(undefined, undefined, 'one', 'two'),
  });
  return fc
    .uniqueArray(file, { selector: ({ name }) => name, maxLength: 4 })
    .map((files) => aReport(...files.map(({ name, hits: all, ...more }) => aFile(name, all, more))));
}
