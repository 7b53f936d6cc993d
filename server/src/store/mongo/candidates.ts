import type { Filter } from 'mongodb';
import type { Build } from '../../domain/builds/build.ts';
import { NAMELESS_CLOSE_MEMORY } from '../../domain/builds/close-due.ts';
import { type Candidates, MAX_CANDIDATES, newestFirst } from '../commands/primitives.ts';
import { RECORD, recordsOf } from './build-rows.ts';
import type { Connection } from './connection.ts';
import type { BuildDocument } from './documents.ts';
import { tablesOf } from './table.ts';

type Ask = (...filters: readonly Filter<BuildDocument>[]) => Promise<readonly Build[]>;

/** Binds the look-ups of one database. */
export function createCandidates(connection: Connection): Candidates {
  const { builds } = tablesOf(connection);
  const list = async (filter: Filter<BuildDocument>, sort: Record<string, -1> = { sequence: -1 }) =>
    recordsOf(await builds.list(filter, { ...RECORD, sort, limit: MAX_CANDIDATES }));
  const ask: Ask = async (...filters) => newestFirst((await Promise.all(filters.map((one) => list(one)))).flat());
  return {
    toJoin: createJoining(ask),
    async countOpenParallel(repoId, most) {
      const keys = { projection: { _id: 0, sequence: 1 }, sort: { sequence: -1 } } as const;
      return (await builds.list({ repoId, openParallel: true }, { ...keys, limit: most })).length;
    },
    // A build that changes its state between two queries would be in neither list, so the first is repeated.
    async toClose(repoId, number) {
      const askNumber = async (): Promise<readonly Build[]> => {
        const open = ofNumber(repoId, number, 'open');
        const before = await list(open);
        const closed = await list(ofNumber(repoId, number, 'closed'));
        return newestFirst([...before, ...closed, ...(await list(open))]);
      };
      const [byNumber, byJobId, byOwnNumber] = await Promise.all([
        askNumber(),
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
      } as Filter<BuildDocument>;
      const before = await ask(open, { ...open, numberless: { $exists: true } });
      const closed = await list(recently, { 'record.namelessCloseAt': -1 });
      const found = newestFirst([...before, ...closed, ...(await ask(open))]);
      return {
        open: found.filter(({ state }) => state === 'open'),
        closed: found.filter(({ state }) => state === 'closed'),
      };
    },
  };
}

function createJoining(ask: Ask): Candidates['toJoin'] {
  // Rule 9 joins by commit, or else an open build; so a number that a CI gives to a thousand builds costs nothing.
  return async (repoId, { serviceName, serviceNumber, serviceJobId, commit, testedCommit, parallel }) => {
    const stated = [...new Set([commit, testedCommit])].filter((one) => one !== undefined);
    const commits = stated.length === 0 ? undefined : { repoId, commits: { $in: stated } };
    const openOfCommit = parallel && commits !== undefined ? await ask({ ...commits, openParallel: true }) : [];
    const builds = { sameNumber: [], sameJobId: [], numberless: [], openOfCommit };
    if (serviceNumber !== undefined) {
      const same = commits === undefined ? [] : [{ ...commits, 'record.serviceNumber': serviceNumber }];
      return { ...builds, sameNumber: await ask(ofNumber(repoId, serviceNumber, 'open'), ...same) };
    }
    if (serviceJobId !== undefined) {
      const job = { jobs: { $elemMatch: { serviceJobId, serviceName } } };
      const known = commits ?? { repoId, 'jobs.serviceJobId': serviceJobId };
      return { ...builds, sameJobId: await ask({ ...known, ...job }) };
    }
    return { ...builds, numberless: await ask({ ...(commits ?? { repoId }), numberless: serviceName }) };
  };
}

function ofNumber(repoId: number, number: string, state: Build['state']): Filter<BuildDocument> {
  return { repoId, 'record.serviceNumber': number, 'record.state': state };
}
