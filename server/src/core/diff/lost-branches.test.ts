import fc from 'fast-check';
import { expect, test } from 'vitest';
import { aDiff, branchesOf, edits, hitsOf, mapOldLine } from '../../../../test/support/diffs.ts';
import { aFile } from '../../../../test/support/records.ts';
import type { FileCoverage } from '../coverage/file-coverage.ts';
import { UNCHANGED_TEXT, unchangedRuns } from './line-map.ts';
import { lostBranchLines } from './lost-branches.ts';

const LINES = 12;
const anyFile = fc
  .record({ hits: hitsOf(LINES), branches: branchesOf(LINES) })
  .map(({ hits, branches }) => aFile('a.ts', hits, { branches }));

/** For one line: how many branches are covered, and how many are missed. */
function branchesAt({ branches }: FileCoverage, line: number): readonly [covered: number, missed: number] {
  const hits = Array.from(branches.hits).filter((_, index) => branches.line[index] === line);
  return [hits.filter((count) => count > 0).length, hits.filter((count) => count === 0).length];
}

test('the lines of which more branches are missed and fewer covered, wherever a diff has moved them', () => {
  fc.assert(
    fc.property(anyFile, anyFile, edits, (before, after, all) => {
      const diff = aDiff('a.ts', all);
      const lost: number[] = [];
      for (let line = 1; line <= LINES + all.length; line += 1) {
        const now = mapOldLine(diff, line);
        if (now === undefined || after.hits[now - 1] === 0) continue;
        const [wasCovered, wasMissed] = branchesAt(before, line);
        const [covered, missed] = branchesAt(after, now);
        if (covered < wasCovered && missed > wasMissed) lost.push(now);
      }
      expect(lostBranchLines(before, after, unchangedRuns(diff) ?? [])).toEqual(lost);
    }),
    { numRuns: 500 },
  );
});

test('of an unchanged text; branches that belong to no line, and those that are gone, are no lost ones', () => {
  const before = aFile('a.ts', [1, 1, 1], { branches: [0, 0, 0, 1, 1, 0, 0, 1, 2, 0, 0, 1, 3, 0, 0, 1] });
  const after = aFile('a.ts', [1, 1, 0], { branches: [0, 0, 0, 0, 1, 0, 0, 0, 3, 0, 0, 0] });
  expect(lostBranchLines(before, after, UNCHANGED_TEXT)).toEqual([1]);
  expect(lostBranchLines(before, after, [])).toEqual([]);
});
