import type { Filter, FindOptions } from 'mongodb';
import type { Build } from '../../core/builds/build.ts';
import { NAMELESS_CLOSE_MEMORY } from '../../core/builds/close-due.ts';
import { findOfCommit } from '../../core/builds/find-build.ts';
import type { JobFacts } from '../../core/builds/job.ts';
import { RecentMap } from '../../core/recent-map.ts';
import { indexBuild } from '../build-index.ts';
import { type Candidates, MAX_CANDIDATES, newestFirst } from '../commands/primitives.ts';
import { TRUSTED } from './build-queries.ts';
import { RECORD, recordsOf } from './build-rows.ts';
import type { Connection } from './connection.ts';
import type { BuildDocument } from './documents.ts';
import { tablesOf } from './table.ts';

type Ask = (...filters: readonly Filter<BuildDocument>[]) => Promise<readonly Build[]>;
type List = (filter: Filter<BuildDocument>, more?: FindOptions) => Promise<readonly Build[]>;

/** A build's jobs come within minutes: in ms. */
const REMEMBERED = { max: 2_000, lasts: 10 * 60_000 };
/** It holds what is read to the builds of a commit, however many have a number. */
const BY_COMMIT = { hint: 'repo_commit' } as const;

/** Binds the look-ups of one database. */
export function createCandidates(connection: Connection): Candidates {
  const { builds } = tablesOf(connection);
  const list: List = async (filter, more) =>
    recordsOf(await builds.list(filter, { ...RECORD, sort: { sequence: -1 }, limit: MAX_CANDIDATES, ...more }));
  const ask: Ask = async (...filters) => newestFirst((await Promise.all(filters.map((one) => list(one)))).flat());
  return {
    toJoin: createJoining(list),
    async countOpenParallel(repoId, max) {
      const keys = { projection: { _id: 0, sequence: 1 }, sort: { sequence: -1 } } as const;
      return (await builds.list({ repoId, openParallel: true }, { ...keys, limit: max })).length;
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
      const open = { repoId, openParallel: true, ...TRUSTED } as const;
      const recently = {
        repoId,
        'record.namelessCloseAt': { $gte: at - NAMELESS_CLOSE_MEMORY },
        'record.state': 'closed',
      } as Filter<BuildDocument>;
      const before = await ask(open, { ...open, numberless: { $exists: true } });
      const closed = await list(recently, { sort: { 'record.namelessCloseAt': -1 } });
      const found = newestFirst([...before, ...closed, ...(await ask(open))]);
      return {
        open: found.filter(({ state }) => state === 'open'),
        closed: found.filter(({ state }) => state === 'closed'),
      };
    },
  };
}

function createJoining(list: List): Candidates['toJoin'] {
  const askNumber = createAskNumber(list);
  // Rule 9 joins by commit, or else an open build; so a number that a CI gives to a thousand builds costs nothing.
  return async (repoId, facts) => {
    const { serviceName, serviceNumber, serviceJobId, commit, testedCommit, parallel, trust } = facts;
    const stated = [commit, testedCommit].filter((one) => one !== undefined);
    const isOfCommit = (build: Build) => indexBuild(build).commits.some((one) => stated.includes(one));
    const commits = stated.length === 0 ? undefined : { repoId, commits: { $in: [...new Set(stated)] } };
    const builds = { sameNumber: [], sameJobId: [], numberless: [], openOfCommit: [] };
    // Rule 29: those of forks, however many, leave room for the others.
    const side = trust === 'run' ? {} : TRUSTED;
    const meeting = parallel && commits !== undefined ? [{ ...commits, openParallel: true as const, ...side }] : [];
    const meets = (build: Build) => meeting.length > 0 && isOpenParallel(build) && isOfCommit(build);
    if (serviceNumber !== undefined) {
      const same = commits === undefined ? [] : [{ ...commits, 'record.serviceNumber': serviceNumber }];
      const found = await askNumber(facts, same, [ofNumber(repoId, serviceNumber, 'open'), ...same, ...meeting]);
      const isSame = (build: Build) =>
        build.serviceNumber === serviceNumber && (build.state === 'open' || isOfCommit(build));
      return { ...builds, sameNumber: found.filter(isSame), openOfCommit: found.filter(meets) };
    }
    const job = { jobs: { $elemMatch: { serviceJobId, serviceName } } };
    const asked =
      serviceJobId === undefined
        ? { ...(commits ?? { repoId }), numberless: serviceName }
        : { ...(commits ?? { repoId, 'jobs.serviceJobId': serviceJobId }), ...job };
    const [found = [], ...met] = await Promise.all([asked, ...meeting].map((filter) => list(filter)));
    const openOfCommit = newestFirst(met.flat());
    return { ...builds, [serviceJobId === undefined ? 'numberless' : 'sameJobId']: found, openOfCommit };
  };
}

/**
 * The builds that a job with a number may join. If a job of that number and commit joined one, its next jobs ask for
 * that alone, which costs a third of asking for all.
 */
function createAskNumber(list: List) {
  const joined = new RecentMap<true>({ ...REMEMBERED, now: () => performance.now() });
  return async (
    facts: JobFacts,
    ofCommit: readonly Filter<BuildDocument>[],
    all: readonly Filter<BuildDocument>[],
  ): Promise<readonly Build[]> => {
    const key = JSON.stringify(ofCommit);
    const known = joined.get(key) ? (await Promise.all(ofCommit.map((one) => list(one, BY_COMMIT)))).flat() : [];
    if (findOfCommit(facts, known) !== undefined) return known;
    const found = await askAll(list, all);
    const sameNumber = found.filter((build) => build.serviceNumber === facts.serviceNumber);
    if (findOfCommit(facts, sameNumber) !== undefined) joined.set(key, true);
    return found;
  };
}

/**
 * The newest builds of each filter, in one command instead of three; where they may be more than that answers, each by
 * itself.
 */
async function askAll(list: List, filters: readonly Filter<BuildDocument>[]): Promise<readonly Build[]> {
  const found = await list({ $or: [...filters] });
  if (found.length < MAX_CANDIDATES) return found;
  return newestFirst((await Promise.all(filters.map((one) => list(one)))).flat());
}

function isOpenParallel({ state, parallel }: Build): boolean {
  return state === 'open' && parallel;
}

function ofNumber(repoId: number, number: string, state: Build['state']): Filter<BuildDocument> {
  return { repoId, 'record.serviceNumber': number, 'record.state': state };
}
