import type { Build } from '../core/builds/build.ts';

/** Why a build is unverified, as a clause (rule 29). */
export function whyUnverified({ runCheck }: Pick<Build, 'runCheck'>): string {
  switch (runCheck?.run) {
    case undefined:
      return 'the run that uploaded it had no secret of the repo';
    case 'fork':
      return 'it came from the run of a fork';
    case 'unknown':
      return 'the git host has not said yet whose run uploaded it';
  }
}
