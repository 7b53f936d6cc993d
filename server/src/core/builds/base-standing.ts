import { totalPercent } from '../coverage/percent.ts';
import type { Timestamp } from '../time.ts';
import { branchOf } from './base-build.ts';
import type { BuildSummary } from './build-summary.ts';

/** Whether other builds may be compared with a build. */
export type BaseStanding =
  /** `fallback`: only if nothing better is found (rule 13). */
  | { readonly mayBe: 'yes'; readonly reason: undefined }
  | { readonly mayBe: 'fallback'; readonly reason: 'incomplete' }
  /** With the reason. */
  | { readonly mayBe: 'no'; readonly reason: 'open' | 'unverified' | 'cannot-merge' | 'no-percentage' }
  | { readonly mayBe: 'no'; readonly reason: 'excluded'; readonly by: string; readonly at: Timestamp };

/** Rules 4, 13, 18 and 29, as far as they look at the candidate alone (mayBeBase has the rest). */
export function baseStanding({ result, excludedAsBase, trust }: BuildSummary): BaseStanding {
  if (trust === 'run') return { mayBe: 'no', reason: 'unverified' };
  if (excludedAsBase !== undefined) return { mayBe: 'no', reason: 'excluded', ...excludedAsBase };
  if (result === undefined) return { mayBe: 'no', reason: 'open' };
  if (result.verdict.state === 'error') return { mayBe: 'no', reason: 'cannot-merge' };
  if (totalPercent(result.totals) === undefined) return { mayBe: 'no', reason: 'no-percentage' };
  if (result.verdict.state === 'incomplete') return { mayBe: 'fallback', reason: 'incomplete' };
  return { mayBe: 'yes', reason: undefined };
}

/** The newest build of each branch that may be its base, of builds in order, newest first. */
export function newestBases(builds: readonly BuildSummary[]): ReadonlyMap<string, BuildSummary> {
  const bases = new Map<string, BuildSummary>();
  for (const build of builds) {
    const branch = branchOf(build);
    if (branch !== undefined && !bases.has(branch) && baseStanding(build).mayBe === 'yes') bases.set(branch, build);
  }
  return bases;
}
