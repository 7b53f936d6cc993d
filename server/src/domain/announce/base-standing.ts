import { branchOf } from '../builds/base-build.ts';
import type { Build } from '../builds/build.ts';
import { totalPercent } from '../coverage/percent.ts';

/**
 * Whether other builds may be compared with a build, said to people: nobody should have to guess why a base is what it
 * is.
 */
export interface BaseStanding {
  /** `fallback`: only where nothing better is found (rule 13). */
  readonly mayBe: 'yes' | 'fallback' | 'no';
  /** What stands against it; undefined with `yes`. */
  readonly reason: 'open' | 'unverified' | 'excluded' | 'no-percentage' | 'incomplete' | undefined;
  /** A sentence; what it holds of uploads is as they sent it. */
  readonly explanation: string;
}

/** Rules 4, 13, 18 and 29, as far as they look at the candidate alone (mayBeBase has the rest). */
export function baseStanding(build: Build): BaseStanding {
  const { result, excludedAsBase, trust } = build;
  if (trust === 'run')
    return no('unverified', 'No base for others: the run that uploaded it had no secret of the repo.');
  if (excludedAsBase !== undefined) {
    const day = new Date(excludedAsBase.at).toISOString().slice(0, 10);
    return no('excluded', `No base for others: ${excludedAsBase.by} took it out of the bases on ${day}.`);
  }
  if (result === undefined) return no('open', 'No base for others yet: it has no result.');
  if (totalPercent(result.totals) === undefined)
    return no('no-percentage', 'No base for others: it has no percentage, since no line is relevant.');
  if (result.verdict.state === 'incomplete')
    return {
      mayBe: 'fallback',
      reason: 'incomplete',
      explanation: 'A base for others only while there is no complete build.',
    };
  return { mayBe: 'yes', reason: undefined, explanation: `May be a base: ${placeOf(build)}.` };
}

/** The newest build of each branch that may be its base, of builds in order, newest first. */
export function newestBases(builds: readonly Build[]): ReadonlyMap<string, Build> {
  const bases = new Map<string, Build>();
  for (const build of builds) {
    const branch = branchOf(build);
    if (branch !== undefined && !bases.has(branch) && baseStanding(build).mayBe === 'yes') bases.set(branch, build);
  }
  return bases;
}

function placeOf(build: Build): string {
  const branch = branchOf(build);
  if (branch !== undefined) return `for builds measured against ${branch}, and for those that ask for its commit`;
  if (build.mergeQueue) return 'for builds that ask for its commit; it is on no branch until its commit lands';
  return 'for builds that ask for its commit; it is on no branch';
}

function no(reason: NonNullable<BaseStanding['reason']>, explanation: string): BaseStanding {
  return { mayBe: 'no', reason, explanation };
}
