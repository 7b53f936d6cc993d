import type { FileChange } from '../core/builds/build.ts';
import { testedCommitOf } from '../core/builds/merge-commit.ts';
import { intersectRanges, type LineRange } from '../core/coverage/line-ranges.ts';
import { NO_TOTALS } from '../core/coverage/totals.ts';
import { type FileDiff, indexDiffs } from '../core/diff/file-diff.ts';
import { addedLines } from '../core/diff/line-map.ts';
import { whatMayBeRead } from '../core/repo/source-access.ts';
import type { Services } from '../services/services.ts';
import type { ComparedBuilds } from './compare-builds.ts';
import { type LinesToCover, MAX_FILES, MAX_ROWS, readExcerpts } from './read-lines-to-cover.ts';

/**
 * The lines that the compared build misses and its base does not: covered lines that are missed now, and changed ones
 * where it is known which changed. In the files that moved most; undefined if there is none.
 */
export async function readComparedLines(
  services: Services,
  { repo, caller, base, head, diff, files }: ComparedBuilds,
): Promise<LinesToCover | undefined> {
  const build = await services.views.find(head.build.id);
  if (build === undefined) return undefined;
  const diffs = indexDiffs(diff?.files ?? []).byName;
  const moved = files
    .map((change) => ({ change, lost: lostLines(change), added: addedMisses(change, diffs.get(change.name)) }))
    .filter(({ lost, added }) => lost.length + added.length > 0);
  if (moved.length === 0) return undefined;
  const some = moved.slice(0, MAX_FILES).map(({ change: { name, totals = NO_TOTALS }, lost, added }) => {
    const uncovered = [...lost, ...added].toSorted(byLine);
    return { name, totals, uncovered, uncoveredRanges: uncovered.length };
  });
  const reading = whatMayBeRead(caller, repo);
  const { files: found, unreadable } = await readExcerpts(services, {
    ...{ build, repo, ...reading, some, max: MAX_ROWS },
    change: { diff, start: testedCommitOf(base.build) },
    lost: new Map(moved.map(({ change, lost }) => [change.name, lost])),
  });
  return { files: found, left: moved.length - found.length, withheld: !reading.mayReadSource, unreadable };
}

function lostLines({ newlyMissed = [], newlyPartly = [] }: FileChange): readonly LineRange[] {
  return [...newlyMissed, ...newlyPartly.map((line): LineRange => [line, line])].toSorted(byLine);
}

function addedMisses({ totals, uncovered }: FileChange, diff: FileDiff | undefined): readonly LineRange[] {
  if (totals === undefined || diff === undefined) return [];
  return intersectRanges(uncovered, addedLines(diff) ?? []);
}

function byLine(a: LineRange, b: LineRange): number {
  return a[0] - b[0];
}
