import type { Build } from '../core/builds/build.ts';
import { unverifiedReason } from '../core/builds/run-origin.ts';

/** Why a build is unverified, as a clause (rule 29). */
export function whyUnverified(build: Pick<Build, 'runCheck' | 'vouchedRun'>): string {
  switch (unverifiedReason(build)) {
    case 'access-denied':
      return 'the git host denies this server access to the repo; it is judged as soon as the access is back';
    case 'not-confirmed':
      return 'the git host did not confirm that its run tested this commit of the repo';
    case 'no-secret':
      return 'it was uploaded without a token for this repo';
    case 'fork':
      return 'it came from the run of a fork';
    case 'not-answered':
      return 'the git host has not said yet whose run uploaded it';
  }
}
