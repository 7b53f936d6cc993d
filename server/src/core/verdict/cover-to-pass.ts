import { type CoverageTotals, missedBranches, missedLines } from '../coverage/totals.ts';
import { demandedPercents } from './findings.ts';
import { isIncomplete, type JudgedBuild } from './judge-build.ts';
import type { CoverableCode, Remedy } from './reason.ts';

/**
 * The least k with 100 x (covered + k) / all at or above what every threshold demands, exact in BigInt: lines, and
 * branches where lines do not suffice (rule 2). 0 where the thresholds hold; undefined where covering cannot help:
 * nothing is relevant, or flags did not report.
 */
export function countToPass(build: JudgedBuild): number | undefined {
  const all = build.totals.relevantLines + build.totals.branches;
  if (all === 0 || isIncomplete(build)) return undefined;
  const covered = build.totals.coveredLines + build.totals.coveredBranches;
  return demandedPercents(build.base, build.thresholds).reduce((most, demanded) => {
    const short = demanded.numerator * BigInt(all) - 100n * BigInt(covered) * demanded.denominator;
    return Math.max(most, Number(divideUp(short, 100n * demanded.denominator)));
  }, 0);
}

/**
 * `changed`: what the diff adds, as the build counts it, where that is known. Undefined where nothing is needed, or
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
