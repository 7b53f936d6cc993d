import { compareRatios, totalPercent } from '../coverage/percent.ts';
import type { JudgedBase } from './findings.ts';

/** Builds in a row that a total has to last. */
export const RATCHET_BUILDS = 3;
/** Milliseconds that a total counts. */
export const RATCHET_PERIOD = 90 * 24 * 60 * 60_000;

/**
 * The best total that stood: of each few builds in a row the lowest, of these the highest. So one lucky build raises
 * nothing. Undefined: there are too few. `builds`: in their order, each with a percentage.
 */
export function bestStanding(builds: readonly JudgedBase[]): JudgedBase | undefined {
  let best: JudgedBase | undefined;
  for (let at = 0; at + RATCHET_BUILDS <= builds.length; at += 1) {
    const lowest = builds.slice(at, at + RATCHET_BUILDS).reduce((low, one) => (isBelow(one, low) ? one : low));
    if (best === undefined || isBelow(best, lowest)) best = lowest;
  }
  return best;
}

function isBelow(one: JudgedBase, other: JudgedBase): boolean {
  const [percent, than] = [totalPercent(one.totals), totalPercent(other.totals)];
  return percent !== undefined && than !== undefined && compareRatios(percent, than) < 0;
}
