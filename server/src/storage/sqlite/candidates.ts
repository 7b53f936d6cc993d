import type { Build } from '../../core/builds/build.ts';
import { NAMELESS_CLOSE_MEMORY } from '../../core/builds/close-due.ts';
import { type Candidates, MAX_CANDIDATES, newestFirst } from '../commands/primitives.ts';
import { TRUSTED, UNVERIFIED } from './build-queries.ts';
import type { Connection } from './connection.ts';
import { selectRecords } from './records.ts';

const NEWEST = `ORDER BY sequence DESC LIMIT ${MAX_CANDIDATES}`;
const BUILDS = 'SELECT record FROM builds WHERE';
const OF_NUMBER = `${BUILDS} repo_id = ? AND service_number = ? AND state = ? ${NEWEST}`;
const OF_JOB_ID = `
  ${BUILDS} id IN (SELECT build_id FROM jobs WHERE repo_id = ? AND service_job_id = ?) ${NEWEST}`;
const OF_NAMED_JOB_ID = `
  ${BUILDS} id IN (SELECT build_id FROM jobs WHERE repo_id = ? AND service_job_id = ? AND service_name = ?) ${NEWEST}`;
const OF_OWN_NUMBER = `${BUILDS} repo_id = ? AND number = ? AND service_number IS NULL ${NEWEST}`;
const NUMBERLESS = `${BUILDS} repo_id = ? AND service_name = ? AND service_number IS NULL ${NEWEST}`;
// Rule 29: a close without a number means none of an unverified run.
const OPEN_PARALLEL = `${BUILDS} repo_id = ? AND state = 'open' AND parallel = 1 AND unverified IS NULL`;
const SOME_OPEN_PARALLEL = `SELECT 1 FROM builds WHERE repo_id = ? AND state = 'open' AND parallel = 1 LIMIT ?`;
const NAMELESS_CLOSED = `
  ${BUILDS} repo_id = ? AND nameless_close_at >= ? AND state = 'closed'
  ORDER BY nameless_close_at DESC LIMIT ${MAX_CANDIDATES}`;

/** The builds of a commit that also fulfill `condition`. */
const ofCommit = (condition: string): string => `
  SELECT b.record FROM build_commits c CROSS JOIN builds b ON b.id = c.build_id
  WHERE c.repo_id = ? AND c.commit_sha = ? AND ${condition}
  ORDER BY c.sequence DESC LIMIT ${MAX_CANDIDATES}`;
const HAS_JOB_ID =
  'EXISTS (SELECT 1 FROM jobs j WHERE j.repo_id = c.repo_id AND j.service_job_id = ? AND j.service_name = ? AND ' +
  'j.build_id = b.id)';

type Select = ReturnType<typeof selectRecords<Build>>;

/** Binds the look-ups of one connection. */
export function createCandidates(connection: Connection): Candidates {
  const select = (sql: string): Select => selectRecords<Build>(connection, sql);
  const ofNumber = select(OF_NUMBER);
  const ofJobId = select(OF_JOB_ID);
  const ofOwnNumber = select(OF_OWN_NUMBER);
  const openParallel = select(`${OPEN_PARALLEL} ${NEWEST}`);
  const openNumberless = select(`${OPEN_PARALLEL} AND service_number IS NULL ${NEWEST}`);
  const namelessClosed = select(NAMELESS_CLOSED);
  const { prepare, read } = connection;
  const someOpenParallel = prepare(SOME_OPEN_PARALLEL);
  return {
    toJoin: createJoining(select, ofNumber),
    countOpenParallel: async (repoId, max) => read(() => someOpenParallel.all(repoId, max).length),
    // Asked at once, without a pause in which a build could change its state.
    async toClose(repoId, number) {
      const [byNumber, byJobId, byOwnNumber] = await Promise.all([
        all(ofNumber(repoId, number, 'open'), ofNumber(repoId, number, 'closed')),
        all(ofJobId(repoId, number)),
        all(ofOwnNumber(repoId, number)),
      ]);
      return { byNumber, byJobId, byOwnNumber };
    },
    async toCloseNameless(repoId, at) {
      const [open, closed] = await Promise.all([
        all(openParallel(repoId), openNumberless(repoId)),
        all(namelessClosed(repoId, at - NAMELESS_CLOSE_MEMORY)),
      ]);
      return { open, closed };
    },
  };
}

function createJoining(select: (sql: string) => Select, ofNumber: Select): Candidates['toJoin'] {
  const ofNamedJobId = select(OF_NAMED_JOB_ID);
  const numberless = select(NUMBERLESS);
  const commitAndNumber = select(ofCommit('b.service_number = ?'));
  const commitAndJobId = select(ofCommit(HAS_JOB_ID));
  const commitNumberless = select(ofCommit('b.service_name = ? AND b.service_number IS NULL'));
  const commitOpen = select(ofCommit("b.state = 'open' AND b.parallel = 1 AND b.unverified IS ?"));

  // Rule 9 joins by commit, or else an open build; so a number that a CI gives to a thousand builds costs nothing.
  return async (repoId, { serviceName, serviceNumber, serviceJobId, commit, testedCommit, parallel, trust }) => {
    const commits = [...new Set([commit, testedCommit])].filter((one) => one !== undefined);
    const side = trust === 'run' ? UNVERIFIED : TRUSTED;
    const openOfCommit = parallel ? await all(...commits.map((sha) => commitOpen(repoId, sha, side))) : [];
    const builds = { sameNumber: [], sameJobId: [], numberless: [], openOfCommit };
    if (serviceNumber !== undefined) {
      const same = commits.map((sha) => commitAndNumber(repoId, sha, serviceNumber));
      return { ...builds, sameNumber: await all(ofNumber(repoId, serviceNumber, 'open'), ...same) };
    }
    if (serviceJobId !== undefined) {
      const same = commits.map((sha) => commitAndJobId(repoId, sha, serviceJobId, serviceName));
      const any = commits.length > 0 ? [] : [ofNamedJobId(repoId, serviceJobId, serviceName)];
      return { ...builds, sameJobId: await all(...same, ...any) };
    }
    const same = commits.map((sha) => commitNumberless(repoId, sha, serviceName));
    const any = commits.length > 0 ? [] : [numberless(repoId, serviceName)];
    return { ...builds, numberless: await all(...same, ...any) };
  };
}

async function all(...lists: readonly Promise<readonly Build[]>[]): Promise<readonly Build[]> {
  return newestFirst((await Promise.all(lists)).flat());
}
