import type { Filter } from 'mongodb';
import type { Build } from '../../domain/builds/build.ts';
import { type CloseCandidates, NAMELESS_CLOSE_MEMORY } from '../../domain/builds/close-due.ts';
import type { JoinCandidates } from '../../domain/builds/find-build.ts';
import type { JobFacts } from '../../domain/builds/job.ts';
import type { Timestamp } from '../../domain/time.ts';
import { RECORD, recordsOf } from './build-rows.ts';
import type { Connection } from './connection.ts';
import type { BuildDocument } from './documents.ts';

/** The builds that a job may join or a close may mean: few enough to read in every accept, whatever the repo's size. */
export interface Candidates {
  toJoin(repoId: number, facts: JobFacts): Promise<JoinCandidates>;
  toClose(repoId: number, buildNumber: string): Promise<CloseCandidates>;
  toCloseNameless(
    repoId: number,
    at: Timestamp,
  ): Promise<{ readonly open: readonly Build[]; readonly closed: readonly Build[] }>;
}

/** At most so many builds of each kind; only a CI whose numbers, job ids or commits never change has more. */
const NEWEST = 50;

type Ask = (...filters: readonly Filter<BuildDocument>[]) => Promise<readonly Build[]>;

/** Binds the look-ups of one database. */
export function createCandidates({ collections: { builds }, run }: Connection): Candidates {
  const ask: Ask = async (...filters) => {
    const lists = await run(() =>
      Promise.all(
        filters.map((filter) =>
          builds
            .find(filter, { ...RECORD, sort: { sequence: -1 } })
            .limit(NEWEST)
            .toArray(),
        ),
      ),
    );
    return newestFirst(recordsOf(lists.flat()));
  };
  /**
   * A build that changes its state between two questions would be in neither list; asked for once more it is, as it is
   * now.
   */
  const inTurn: Ask = async (...filters) => {
    const lists: Build[] = [];
    for (const filter of filters) lists.push(...(await ask(filter)));
    return newestFirst(lists);
  };
  return {
    toJoin: createJoining(ask),
    async toClose(repoId, number) {
      const open = ofNumber(repoId, number, 'open');
      const [byNumber, byJobId, byOwnNumber] = await Promise.all([
        inTurn(open, ofNumber(repoId, number, 'closed'), open),
        ask({ repoId, 'jobs.serviceJobId': number }),
        ask({ repoId, ownNumber: number }),
      ]);
      return { byNumber, byJobId, byOwnNumber };
    },
    async toCloseNameless(repoId, at) {
      const open = { repoId, openParallel: true } as const;
      const recently = {
        repoId,
        'record.namelessCloseAt': { $gte: at - NAMELESS_CLOSE_MEMORY },
        'record.state': 'closed',
      };
      const latest = { 'record.namelessCloseAt': -1 } as const;
      const before = await ask(open, { ...open, numberless: { $exists: true } });
      const closed = await run(() =>
        builds
          .find(recently as Filter<BuildDocument>, { ...RECORD, sort: latest })
          .limit(NEWEST)
          .toArray(),
      );
      const found = newestFirst([...before, ...recordsOf(closed), ...(await ask(open))]);
      return {
        open: found.filter(({ state }) => state === 'open'),
        closed: found.filter(({ state }) => state === 'closed'),
      };
    },
  };
}

function createJoining(ask: Ask): Candidates['toJoin'] {
  // Rule 9 joins by commit, or else an open build; so a number that a CI gives to a thousand builds costs nothing.
  return async (repoId, { serviceName, serviceNumber, serviceJobId, commit, testedCommit }) => {
    const stated = [...new Set([commit, testedCommit])].filter((one) => one !== undefined);
    const commits = stated.length === 0 ? undefined : { repoId, commits: { $in: stated } };
    const builds = { sameNumber: NONE, sameJobId: NONE, numberless: NONE };
    if (serviceNumber !== undefined) {
      const same = commits === undefined ? [] : [{ ...commits, 'record.serviceNumber': serviceNumber }];
      return { ...builds, sameNumber: await ask(ofNumber(repoId, serviceNumber, 'open'), ...same) };
    }
    if (serviceJobId !== undefined) {
      const job = { jobs: { $elemMatch: { serviceJobId, serviceName } } };
      const known = { repoId, 'jobs.serviceJobId': serviceJobId };
      return { ...builds, sameJobId: await ask(commits === undefined ? { ...known, ...job } : { ...commits, ...job }) };
    }
    return { ...builds, numberless: await ask({ ...(commits ?? { repoId }), numberless: serviceName }) };
  };
}

function ofNumber(repoId: number, number: string, state: Build['state']): Filter<BuildDocument> {
  return { repoId, 'record.serviceNumber': number, 'record.state': state };
}

const NONE: readonly Build[] = [];

/** Each build once, as it was read last, the highest sequence first. */
function newestFirst(records: readonly Build[]): readonly Build[] {
  const builds = new Map(records.map((build) => [build.id, build]));
  return [...builds.values()].sort((a, b) => b.sequence - a.sequence);
}
