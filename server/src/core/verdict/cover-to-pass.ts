import type { Ratio } from '../coverage/percent.ts';
import { type CoverageTotals, missedBranches, missedLines } from '../coverage/totals.ts';
import { demandedByChange, demandedPercents } from './findings.ts';
import { isIncomplete, type JudgedBuild } from './judge-build.ts';
import type { CoverableCode, Remedy } from './reason.ts';

/**
 * The least k with 100 x (covered + k) / all at or above what every threshold demands, exact in BigInt: lines, and
 * branches where lines do not suffice (rule 2). 0 where the thresholds hold; undefined if covering cannot help: nothing
 * is relevant, or flags did not report.
 */
export function countToPass(build: JudgedBuild): number | undefined {
  const { totals, base, thresholds, steady } = build;
  if (totals.relevantLines + totals.branches === 0 || isIncomplete(build)) return undefined;
  return Math.max(
    0,
    ...demandedPercents(base, thresholds).map((demanded) => shortOf(totals, demanded)),
    ...(steady ? demandedByChange(base, thresholds).map((demanded) => shortOf(steady, demanded)) : []),
  );
}

function shortOf(totals: CoverageTotals, demanded: Ratio): number {
  const all = BigInt(totals.relevantLines + totals.branches);
  const covered = BigInt(totals.coveredLines + totals.coveredBranches);
  const short = demanded.numerator * all - 100n * covered * demanded.denominator;
  return Number(divideUp(short, 100n * demanded.denominator));
}

/**
 * `changed`: what the diff adds, as the build counts it, where that is known. Undefined if nothing is needed, or
 * nothing can help.
 */
export function findRemedy(build: JudgedBuild, changed: CoverageTotals | undefined): Remedy | undefined {
  const count = countToPass(build);
  if (count === undefined || count === 0) return undefined;
  return { count, of: narrowest(count, build.totals, changed) };
}

function narrowest(count: number, totals: CoverageTotals, changed: CoverageTotals | undefined): CoverableCode {
  if (changed !== undefined && count <= missedLines(changed)) return 'changed-lines';
  if (changed !== undefined && count <= missedLines(changed) + missedBranches(changed)) return 'changed-code';
  return count <= missedLines(totals) ? 'lines' : 'code';
}

/** At most 0 if the numerator is. */
function divideUp(numerator: bigint, denominator: bigint): bigint {
  return (numerator + denominator - 1n) / denominator;
}
