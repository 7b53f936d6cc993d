import { NO_TOTALS } from '../coverage/totals.ts';
import { DEFAULT_REPO_SETTINGS } from '../repo/settings.ts';
import type { Timestamp } from '../time.ts';
import type { Build, BuildResult } from './build.ts';
import type { ComposedReport } from './build-report.ts';
import { concludeBuild } from './conclude-build.ts';
import type { Imported } from './imported.ts';
import type { CommitAuthors, Job, JobFacts } from './job.ts';

/** What another service knew of one commit. */
export interface PastBuild {
  readonly commit: string;
  readonly branch: string;
  readonly at: Timestamp;
  readonly message: string | undefined;
  readonly author: string | undefined;
}

/** A build without its place in a repo. */
export type UnplacedBuild = Omit<Build, 'id' | 'repoId' | 'sequence'> & { readonly result: BuildResult };

/** Today's thresholds say nothing about the past: an imported build never fails. */
const NO_RULES = { ...DEFAULT_REPO_SETTINGS, minimum: null };
/** As commits are named to people: it is found by no number. */
const SHORT = 7;

/** The facts of a job that a report of the past would have been sent with. */
export function pastJobFacts(past: PastBuild, from: Imported['from'], flag: string | undefined): JobFacts {
  const { commit, branch, message } = past;
  return {
    ...NOT_STATED,
    serviceName: from,
    serviceAttempt: 1,
    flag,
    parallel: false,
    commit,
    branch,
    tag: false,
    mergeQueue: false,
    message,
    authors: authorsOf(past),
    trust: 'secret',
  };
}

/** A closed build of the past, compared with nothing, of which nothing is due. `composed`: its jobs merged, if any. */
export function pastBuild(
  past: PastBuild,
  imported: Imported,
  found: {
    readonly jobs: readonly Omit<Job, 'id' | 'repoId' | 'buildId' | 'number'>[];
    readonly composed: Pick<ComposedReport, 'totals' | 'files' | 'flags'>;
  },
): UnplacedBuild {
  const { commit, branch, at, message } = past;
  const build: Omit<Build, 'result'> = {
    ...NOT_STATED,
    id: 0,
    repoId: 0,
    sequence: 0,
    revision: 1,
    number: commit.slice(0, SHORT),
    serviceName: imported.from,
    commit,
    branch,
    tag: false,
    mergeQueue: false,
    message,
    authors: authorsOf(past),
    eventType: undefined,
    trust: 'secret',
    parallel: false,
    attempt: 1,
    jobs: found.jobs.length,
    createdAt: at,
    lastJobAt: at,
    state: 'closed',
    due: [],
    carryforward: undefined,
    namelessCloseAt: undefined,
    target: undefined,
    openedContexts: [],
    warnings: [],
    imported,
  };
  const { id: _, repoId: __, sequence: ___, ...unplaced } = build;
  return { ...unplaced, result: resultOf({ ...build, result: undefined }, found) };
}

function resultOf(build: Build, { jobs, composed }: Parameters<typeof pastBuild>[2]): BuildResult {
  return concludeBuild({
    build,
    settings: NO_RULES,
    closedBy: 'provider',
    at: build.createdAt,
    jobs: jobs.map((job, at) => ({ ...job, id: at, repoId: 0, buildId: 0, number: at + 1 })),
    composed: { ...NOTHING_COMPARED, ...composed },
    base: undefined,
    carried: [],
    notFound: [],
    recent: [],
    flagSplits: new Map(),
  });
}

/** What there is of a build whose lines nobody knows. */
export const NO_LINES: Pick<ComposedReport, 'totals' | 'files' | 'flags'> = {
  totals: NO_TOTALS,
  files: 0,
  flags: [],
};

const NOTHING_COMPARED = { fileChanges: [], fileChangeCount: 0, digestConflicts: 0, leftOutFiles: 0 } as const;

const NOT_STATED = {
  serviceNumber: undefined,
  serviceJobId: undefined,
  serviceJobNumber: undefined,
  serviceEventType: undefined,
  pullRequest: undefined,
  testedCommit: undefined,
  baseBranch: undefined,
  baseCommit: undefined,
  compareRef: undefined,
  compareCommit: undefined,
  buildUrl: undefined,
  jobUrl: undefined,
  runAt: undefined,
} as const;

function authorsOf({ author }: PastBuild): CommitAuthors {
  return { authorName: author, authorEmail: undefined, committerName: author, committerEmail: undefined };
}
