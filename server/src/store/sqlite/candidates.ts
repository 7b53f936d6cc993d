import type { StatementSync } from 'node:sqlite';
import type { Build } from '../../domain/builds/build.ts';
import { type CloseCandidates, NAMELESS_CLOSE_MEMORY } from '../../domain/builds/close-due.ts';
import type { JoinCandidates } from '../../domain/builds/find-build.ts';
import type { JobFacts } from '../../domain/builds/job.ts';
import type { Timestamp } from '../../domain/time.ts';
import type { Connection } from './connection.ts';
import { type Row, readRecords } from './records.ts';

/** The builds that a job may join or a close may mean: few enough to read in every accept, whatever the repo's size. */
export interface Candidates {
  toJoin(repoId: number, facts: JobFacts): JoinCandidates;
  toClose(repoId: number, buildNumber: string): CloseCandidates;
  toCloseNameless(
    repoId: number,
    at: Timestamp,
  ): { readonly open: readonly Build[]; readonly closed: readonly Build[] };
}

/** At most so many builds of each kind; only a CI whose numbers, job ids or commits never change has more. */
const NEWEST = 50;

const OF_NUMBER = `
  SELECT record FROM builds WHERE repo_id = ? AND service_number = ? AND state = ? ORDER BY sequence DESC LIMIT ${NEWEST}`;
const OF_JOB_ID = `
  SELECT record FROM builds WHERE id IN (SELECT build_id FROM jobs WHERE repo_id = ? AND service_job_id = ?)
  ORDER BY sequence DESC LIMIT ${NEWEST}`;
const OF_NAMED_JOB_ID = `
  SELECT record FROM builds
  WHERE id IN (SELECT build_id FROM jobs WHERE repo_id = ? AND service_job_id = ? AND service_name = ?)
  ORDER BY sequence DESC LIMIT ${NEWEST}`;
const OF_OWN_NUMBER = `
  SELECT record FROM builds WHERE repo_id = ? AND number = ? AND service_number IS NULL ORDER BY sequence DESC LIMIT ${NEWEST}`;
const NUMBERLESS = `
  SELECT record FROM builds WHERE repo_id = ? AND service_name = ? AND service_number IS NULL
  ORDER BY sequence DESC LIMIT ${NEWEST}`;
const OPEN_PARALLEL = `
  SELECT record FROM builds WHERE repo_id = ? AND state = 'open' AND parallel = 1 ORDER BY sequence DESC LIMIT ${NEWEST}`;
const OPEN_NUMBERLESS = `
  SELECT record FROM builds WHERE repo_id = ? AND state = 'open' AND parallel = 1 AND service_number IS NULL
  ORDER BY sequence DESC LIMIT ${NEWEST}`;
const NAMELESS_CLOSED = `
  SELECT record FROM builds WHERE repo_id = ? AND nameless_close_at >= ? AND state = 'closed'
  ORDER BY nameless_close_at DESC LIMIT ${NEWEST}`;

/** The builds of a commit that also fulfil `condition`. */
const ofCommit = (condition: string): string => `
  SELECT b.record FROM build_commits c CROSS JOIN builds b ON b.id = c.build_id
  WHERE c.repo_id = ? AND c.commit_sha = ? AND ${condition}
  ORDER BY c.sequence DESC LIMIT ${NEWEST}`;
const HAS_JOB_ID =
  'EXISTS (SELECT 1 FROM jobs j WHERE j.repo_id = c.repo_id AND j.service_job_id = ? AND j.service_name = ? AND ' +
  'j.build_id = b.id)';

/** Binds the look-ups of one connection. */
export function createCandidates(connection: Connection): Candidates {
  const ofNumber = connection.prepare(OF_NUMBER);
  return { toJoin: createJoining(connection, ofNumber), ...createClosing(connection, ofNumber) };
}

function createJoining({ prepare }: Connection, ofNumber: StatementSync): Candidates['toJoin'] {
  const ofNamedJobId = prepare(OF_NAMED_JOB_ID);
  const numberless = prepare(NUMBERLESS);
  const commitAndNumber = prepare(ofCommit('b.service_number = ?'));
  const commitAndJobId = prepare(ofCommit(HAS_JOB_ID));
  const commitNumberless = prepare(ofCommit('b.service_name = ? AND b.service_number IS NULL'));

  // Rule 9 joins by commit, or else an open build; so a number that a CI gives to a thousand builds costs nothing.
  return (repoId, { serviceName, serviceNumber, serviceJobId, commit, testedCommit }) => {
    const commits = [...new Set([commit, testedCommit])].filter((one) => one !== undefined);
    const builds = { sameNumber: NONE, sameJobId: NONE, numberless: NONE };
    if (serviceNumber !== undefined) {
      const open = ofNumber.all(repoId, serviceNumber, 'open');
      const same = commits.flatMap((sha) => commitAndNumber.all(repoId, sha, serviceNumber));
      return { ...builds, sameNumber: newestFirst([...open, ...same]) };
    }
    if (serviceJobId !== undefined) {
      const same = commits.flatMap((sha) => commitAndJobId.all(repoId, sha, serviceJobId, serviceName));
      const any = commits.length > 0 ? [] : ofNamedJobId.all(repoId, serviceJobId, serviceName);
      return { ...builds, sameJobId: newestFirst([...same, ...any]) };
    }
    const same = commits.flatMap((sha) => commitNumberless.all(repoId, sha, serviceName));
    const any = commits.length > 0 ? [] : numberless.all(repoId, serviceName);
    return { ...builds, numberless: newestFirst([...same, ...any]) };
  };
}

function createClosing(
  { prepare }: Connection,
  ofNumber: StatementSync,
): Pick<Candidates, 'toClose' | 'toCloseNameless'> {
  const ofJobId = prepare(OF_JOB_ID);
  const ofOwnNumber = prepare(OF_OWN_NUMBER);
  const openParallel = prepare(OPEN_PARALLEL);
  const openNumberless = prepare(OPEN_NUMBERLESS);
  const namelessClosed = prepare(NAMELESS_CLOSED);

  return {
    toClose: (repoId, number) => ({
      byNumber: newestFirst([...ofNumber.all(repoId, number, 'open'), ...ofNumber.all(repoId, number, 'closed')]),
      byJobId: newestFirst(ofJobId.all(repoId, number)),
      byOwnNumber: newestFirst(ofOwnNumber.all(repoId, number)),
    }),
    toCloseNameless: (repoId, at) => ({
      open: newestFirst([...openParallel.all(repoId), ...openNumberless.all(repoId)]),
      closed: newestFirst(namelessClosed.all(repoId, at - NAMELESS_CLOSE_MEMORY)),
    }),
  };
}

const NONE: readonly Build[] = [];

/** Each build once, the highest sequence first. */
function newestFirst(rows: readonly Row[]): readonly Build[] {
  const builds = new Map(readRecords<Build>(rows).map((build) => [build.id, build]));
  return [...builds.values()].sort((a, b) => b.sequence - a.sequence);
}
