import { type Imported, percentOfBuild } from '../builds/imported.ts';
import { compareRatios, type Ratio, showPercent } from '../coverage/percent.ts';
import type { CoverageTotals } from '../coverage/totals.ts';
import { printable } from '../printable.ts';

/** How good the shown percentage is; `none` if there is none. */
export type BadgeLevel = 'full' | 'high' | 'good' | 'fair' | 'low' | 'poor' | 'none';

/** What a badge says: one line on the left, one on the right. */
export interface Badge {
  readonly label: string;
  readonly message: string;
  readonly level: BadgeLevel;
}

/** The lowest percentage of each level, best first. `full` means that nothing is missed. */
const LEVELS: readonly (readonly [BadgeLevel, bigint])[] = [
  ['full', 100n],
  ['high', 90n],
  ['good', 80n],
  ['fair', 60n],
  ['low', 40n],
  ['poor', 0n],
];

const LONGEST_FLAG = 40;

/**
 * The badge of a build's totals, or of one of its flags. The same text as on pages and in statuses (rule 5), so that
 * no two numbers disagree; `unknown` without totals, `no relevant lines` where there is no percentage (rule 4). For an
 * imported build that has no counts it is the number that was shown there.
 */
export function coverageBadge(
  totals: CoverageTotals | undefined,
  flag?: string,
  imported?: Pick<Imported, 'shown'> | undefined,
): Badge {
  const label = flag === undefined ? 'coverage' : `coverage (${printable(flag, LONGEST_FLAG)})`;
  if (totals === undefined) return { label, message: 'unknown', level: 'none' };
  const percent = percentOfBuild(totals, imported);
  return { label, message: showPercent(percent), level: percent === undefined ? 'none' : levelOf(percent) };
}

/** By the exact ratio: 89.999 is not 90. */
function levelOf(percent: Ratio): BadgeLevel {
  const reached = LEVELS.find(([, lowest]) => compareRatios(percent, { numerator: lowest, denominator: 1n }) >= 0);
  return reached?.[0] ?? 'poor';
}
