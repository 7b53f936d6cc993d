import type { MissingJobs } from '../verdict/reason.ts';
import { reportedFlags } from './base-build.ts';
import type { Build, ExpectedJobs } from './build.ts';
import type { ClosedBy } from './due-tasks.ts';
import { haveAllArrived } from './expected-jobs.ts';

/** For the closed builds of a base branch, how many recent ones are asked whether a flag still reports (rule 13). */
export const RECENT_BUILDS = 5;

/** Flags that the base has and the build does not, carried ones counted as present (rules 13 and 17). */
export function missingFlags(base: Build | undefined, present: readonly string[]): readonly string[] {
  return base === undefined ? [] : reportedFlags(base).filter((flag) => !present.includes(flag));
}

/**
 * Rule 13: the flags whose absence makes a build incomplete: it was closed by deadline, or its run was cancelled or
 * failed, one of the last builds of the base branch still holds an uploaded report of them, and the repo's expected
 * flags, where set, name them.
 */
export function unreportedFlags(facts: {
  readonly missing: readonly string[];
  readonly closedBy: ClosedBy;
  /** Undefined if the provider did not say. */
  readonly runConclusion?: Build['runConclusion'];
  readonly recent: readonly Build[];
  readonly expected: readonly string[] | undefined;
}): readonly string[] {
  const { missing, closedBy, recent, expected } = facts;
  if (!wasCutShort(closedBy, facts.runConclusion)) return [];
  const uploaded = new Set(recent.slice(0, RECENT_BUILDS).flatMap(uploadedFlags));
  return missing.filter((flag) => uploaded.has(flag) && (expected === undefined || expected.includes(flag)));
}

/**
 * Rule 13, of jobs without a flag: a build that was cut short is incomplete with fewer of them than its base and than
 * each of the last builds of the base branch. Nothing is claimed where a build of an earlier version does not say how
 * many it had.
 */
export function findMissingJobs(facts: {
  readonly arrived: number;
  /** What its jobs said themselves: then nothing has to be compared. */
  readonly stated?: ExpectedJobs | undefined;
  readonly base: Build | undefined;
  readonly closedBy: ClosedBy;
  readonly runConclusion: Build['runConclusion'];
  readonly recent: readonly Build[];
  /** Milliseconds since the last job. */
  readonly waited: number;
}): MissingJobs | undefined {
  const { arrived, stated, base, closedBy, runConclusion, recent, waited } = facts;
  if (!wasCutShort(closedBy, runConclusion)) return undefined;
  const run = runConclusion === 'failure' || runConclusion === 'cancelled' ? runConclusion : undefined;
  if (stated !== undefined && !haveAllArrived(stated))
    return { arrived: stated.arrived, expected: stated.jobs, waited, run };
  if (base === undefined) return undefined;
  const [expected, ...others] = [base, ...recent.slice(0, RECENT_BUILDS)].map(unflaggedJobs);
  if (expected === undefined || ![expected, ...others].every((count) => count !== undefined && arrived < count))
    return undefined;
  return { arrived, expected, waited, run };
}

/** Jobs without a flag that counted in a build's last close; undefined if that is not known. */
function unflaggedJobs({ result }: Build): number | undefined {
  if (result === undefined || result.unflaggedJobs !== undefined) return result?.unflaggedJobs;
  const hasFlags = result.flags.some(({ kind }) => kind === 'uploaded');
  return hasFlags ? undefined : result.countedJobs.length;
}

/** A run that ended well had nothing more to report, though the deadline came before its end (rule 17). */
function wasCutShort(closedBy: ClosedBy, conclusion: Build['runConclusion']): boolean {
  if (conclusion === 'failure' || conclusion === 'cancelled') return true;
  return closedBy === 'deadline' && conclusion !== 'success';
}

function uploadedFlags(build: Build): readonly string[] {
  return (build.result?.flags ?? []).filter((flag) => flag.kind === 'uploaded').map((flag) => flag.name);
}
