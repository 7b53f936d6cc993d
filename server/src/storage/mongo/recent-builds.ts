import { MAX_JOBS } from '../../core/builds/accept-job.ts';
import type { Build } from '../../core/builds/build.ts';
import { findOfCommit } from '../../core/builds/find-build.ts';
import type { JobFacts } from '../../core/builds/job.ts';
import { RecentMap } from '../../core/recent-map.ts';

/**
 * Open builds as this process wrote them last, so that their next jobs need not ask for them: the write is refused if
 * the build is not as it was.
 */
export interface RecentBuilds {
  /** The build of the job's number and commit (rule 9); undefined: it has to be asked for. */
  find(repoId: number, facts: JobFacts): Build | undefined;
  wrote(build: Build): void;
  /** A write over this was refused: if nobody here changed it, another server takes jobs of this build, too. */
  refused(build: Build): void;
}

/** A build's jobs come within minutes; in ms. */
const REMEMBERED = { max: 500, lasts: 10 * 60_000 };

type Remembered = Build | 'written elsewhere';

export function createRecentBuilds(): RecentBuilds {
  const recent = new RecentMap<Remembered>({ ...REMEMBERED, now: () => performance.now() });
  return {
    find(repoId, facts) {
      const build = recent.get(keyOf(repoId, facts.serviceNumber));
      if (build === undefined || build === 'written elsewhere' || build.jobs >= MAX_JOBS) return undefined;
      // A run that was vouched for keeps to its own builds: one of those may have come since.
      return build.vouchedRun?.id === facts.vouchedRun?.id ? findOfCommit(facts, [build]) : undefined;
    },
    wrote(build) {
      if (build.serviceNumber === undefined) return;
      const key = keyOf(build.repoId, build.serviceNumber);
      const before = recent.get(key);
      if (before === 'written elsewhere' || (before?.id === build.id && before.revision > build.revision)) return;
      // Once closed it holds results, which may be large.
      if (build.state === 'open' && build.result === undefined) recent.set(key, build);
      else if (before?.id === build.id) recent.delete(key);
    },
    refused({ id, repoId, serviceNumber, revision }) {
      const key = keyOf(repoId, serviceNumber);
      const now = recent.get(key);
      if (now !== undefined && now !== 'written elsewhere' && now.id === id && now.revision === revision)
        recent.set(key, 'written elsewhere');
    },
  };
}

function keyOf(repoId: number, serviceNumber: string | undefined): string {
  return `${repoId} ${serviceNumber}`;
}
