import { branchOf } from '../core/builds/base-build.ts';
import { baseStanding } from '../core/builds/base-standing.ts';
import type { BuildSummary } from '../core/builds/build-summary.ts';
import { isoDay } from './iso-day.ts';
import { whyUnverified } from './why-unverified.ts';

/** Whether other builds may be compared with a build, and why not, in a sentence; names in it are as they were sent. */
export function describeStanding(build: BuildSummary): string {
  const standing = baseStanding(build);
  switch (standing.reason) {
    case undefined:
      return `Can be used as a base ${placeOf(build)}.`;
    case 'unverified':
      return `Not used as a base: ${whyUnverified(build)}.`;
    case 'excluded':
      return `Not used as a base: ${standing.by} excluded it on ${isoDay(standing.at)}.`;
    case 'open':
      return 'Not used as a base yet: it has no result.';
    case 'cannot-merge':
      return 'Not used as a base: its reports can’t be merged.';
    case 'no-percentage':
      return 'Not used as a base: it has no percentage, because no line is relevant.';
    case 'incomplete':
      return 'Used as a base only until a complete build exists.';
  }
}

function placeOf(build: BuildSummary): string {
  const branch = branchOf(build);
  if (branch !== undefined) return `for builds measured against ${branch}, and for those that ask for its commit`;
  if (build.mergeQueue) return 'for builds that ask for its commit; it is on no branch until its commit lands';
  return 'for builds that ask for its commit; it is on no branch';
}
