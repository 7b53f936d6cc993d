import { Failure, quoteValue } from '../failure.ts';
import type { Timestamp } from '../time.ts';
import type { Build, CarryforwardRequest, JobWarning } from './build.ts';
import { diffTrouble, firstDiff } from './build-diff.ts';
import type { EmptyReason } from './build-facts.ts';
import { type DueTask, findTask, withoutTasks, withTask } from './due-tasks.ts';
import { expectedAfter, haveAllArrived } from './expected-jobs.ts';
import type { Job, JobFacts } from './job.ts';
import { testedCommitOf } from './merge-commit.ts';

/** How long builds wait, in milliseconds (rules 12 and 13). */
export interface WaitingPeriods {
  readonly quiet: number;
  readonly late: number;
}

/** When a job came, and beside what. */
interface Accepting {
  readonly at: Timestamp;
  readonly periods: WaitingPeriods;
  /** The job's own. */
  readonly warnings?: readonly string[];
  /** The build's jobs, read where they tell how many have arrived (`countsByAttempt`). */
  readonly stored?: readonly Job[];
}

/** For a build's disagreements, and for its jobs' own warnings. */
export const MAX_WARNINGS = 20;

/** Jobs of one build; a store keeps a build's list of them in one place. */
export const MAX_JOBS = 40_000;

/** Throws a Failure for a build that can take no other job. */
export function refuseFullBuild({ number, jobs }: Pick<Build, 'number' | 'jobs'>): void {
  if (jobs < MAX_JOBS) return;
  throw new Failure(
    'payload-invalid',
    `Build ${quoteValue(number, 60).replace(/^"|"$/g, '')} holds ${jobs} jobs already, and accepts no more. ` +
      'No run sends that many: give each run its own service_number.',
    {
      field: 'service_number',
    },
  );
}

/**
 * A build that no job opened, due to be closed: its run ended without one. Rule 9 decides whether there is one already.
 */
export function openEmptyBuild(
  facts: JobFacts,
  place: { id: number; repoId: number; sequence: number; at: Timestamp },
  ending: { readonly because: EmptyReason; readonly carryforward: CarryforwardRequest | undefined },
): Build {
  const { because: emptyBecause, carryforward } = ending;
  const by = emptyBecause === 'carried' ? 'webhook' : 'provider';
  const opened = { ...openBuild(facts, place), ...stateFacts(openBuild(facts, place), facts, 0) };
  const due = [{ kind: 'close', by, at: place.at }] as const;
  return { ...opened, revision: 1, parallel: true, due, carryforward, emptyBecause };
}

/**
 * A build without jobs yet: what its first job opens (rule 9). Without a service_number it is shown by its
 * chronological number.
 */
export function openBuild(
  facts: JobFacts,
  place: { id: number; repoId: number; sequence: number; at: Timestamp },
): Build {
  return {
    id: place.id,
    repoId: place.repoId,
    sequence: place.sequence,
    revision: 0,
    number: facts.serviceNumber ?? String(place.sequence),
    serviceName: facts.serviceName,
    serviceNumber: facts.serviceNumber,
    ...NOTHING_STATED,
    ...trustOf(facts),
    ...(facts.vouchedRun !== undefined && { vouchedRun: facts.vouchedRun }),
    parallel: false,
    attempt: facts.serviceAttempt,
    jobs: 0,
    createdAt: place.at,
    lastJobAt: place.at,
    state: 'open',
    due: [],
    carryforward: undefined,
    namelessCloseAt: undefined,
    target: undefined,
    openedContexts: [],
    warnings: [],
    result: undefined,
  };
}

/** Rule 29: unverified from the first moment on, where its host has still to say whose commit the run builds. */
function trustOf({ trust, vouchedRun }: JobFacts): Pick<Build, 'trust' | 'runCheck'> {
  if (trust === 'run' || !vouchedRun?.unconfirmed) return { trust };
  return { trust: 'run', runCheck: { run: 'unknown', trust } };
}

/** The build after it took a job in: facts set once, what became due written down (rules 9, 11, 12, 13). */
export function acceptJob(build: Build, facts: JobFacts, when: Accepting): Build {
  const number = build.jobs + 1;
  const jobWarnings = addJobWarnings(build, number, when.warnings ?? []);
  return { ...applyJob(build, facts, when), jobs: number, ...stateFacts(build, facts, number), jobWarnings };
}

function addJobWarnings(build: Build, job: number, sentences: readonly string[]): readonly JobWarning[] | undefined {
  const before = build.jobs === 0 ? [] : build.jobWarnings;
  if (before === undefined || sentences.length === 0) return before;
  return [...before, ...sentences.map((sentence) => ({ job, sentence }))].slice(0, MAX_WARNINGS);
}

/** What a repeated upload changes (rule 10): at most the attempt it counts for, or the close that it makes due. */
export function repeatJob(
  build: Build,
  stored: Job,
  facts: JobFacts,
  when: Accepting,
): { readonly build: Build; readonly job: Job } {
  if (facts.serviceAttempt > stored.facts.serviceAttempt) {
    const { serviceAttempt, diff } = facts;
    const job = { ...stored, facts: { ...stored.facts, serviceAttempt, diff: stored.facts.diff ?? diff } };
    const applied = applyJob(build, facts, { ...when, instead: stored.number });
    return { build: { ...applied, diff: firstDiff(build, facts, testedCommitOf(build)) }, job };
  }
  const closes = !facts.parallel && build.state === 'open' && findTask(build.due, 'close') === undefined;
  if (!closes) return { build, job: stored };
  const due = withTask(build.due, { kind: 'close', by: 'job', at: when.at });
  return { build: { ...build, revision: build.revision + 1, due }, job: stored };
}

/** Rule 10: equal for the same upload sent twice; run_at, attempt and URLs do not matter. */
export function uploadKey(facts: JobFacts, contentDigest: string): string {
  const { flag, serviceName, serviceNumber, serviceJobId, serviceJobNumber } = facts;
  return JSON.stringify(
    [flag, serviceName, serviceNumber, serviceJobId, serviceJobNumber, contentDigest].map((part) => part ?? null),
  );
}

function applyJob(build: Build, facts: JobFacts, when: Accepting & { readonly instead?: number }): Build {
  const { stored = [], instead } = when;
  const expectedJobs = expectedAfter({ build, facts }, { stored, instead });
  return {
    ...build,
    ...(expectedJobs && { expectedJobs }),
    revision: build.revision + 1,
    state: 'open',
    parallel: build.parallel || facts.parallel,
    attempt: Math.max(build.attempt, facts.serviceAttempt),
    lastJobAt: when.at,
    due: dueAfterJob(build, facts, { ...when, closes: !facts.parallel || haveAllArrived(expectedJobs) }),
    // A job came after all.
    emptyBecause: undefined,
  };
}

/** What a job makes due, beside what is due already. */
function dueAfterJob(
  build: Build,
  facts: JobFacts,
  { at, periods, closes }: Accepting & { readonly closes: boolean },
): readonly DueTask[] {
  const late = build.result !== undefined;
  const isNewAttempt = late && facts.serviceAttempt > build.attempt;
  const postsPending = isNewAttempt || (build.jobs === 0 && facts.parallel);
  // A re-opened build is evaluated at its close anyway.
  let due = withoutTasks(build.due, 'revisit');
  due = withTask(due, { kind: 'deadline', at: at + (late ? periods.late : periods.quiet) });
  if (closes && findTask(due, 'close') === undefined) due = withTask(due, { kind: 'close', by: 'job', at });
  return postsPending && findTask(due, 'post-pending') === undefined
    ? withTask(due, { kind: 'post-pending', at })
    : due;
}

const NOTHING_STATED = {
  commit: undefined,
  testedCommit: undefined,
  branch: undefined,
  tag: false,
  mergeQueue: false,
  pullRequest: undefined,
  baseBranch: undefined,
  baseCommit: undefined,
  compareRef: undefined,
  compareCommit: undefined,
  message: undefined,
  authors: { authorName: undefined, authorEmail: undefined, committerName: undefined, committerEmail: undefined },
  buildUrl: undefined,
  eventType: undefined,
} satisfies Partial<Build>;

/** Set once, by the first job that states each; a later disagreement is a warning (rule 9). */
function stateFacts(build: Build, facts: JobFacts, number: number): Partial<Build> {
  const statesBranch = build.branch === undefined && facts.branch !== undefined;
  const statesCommit = build.commit === undefined && facts.commit !== undefined;
  const statesAuthors = Object.values(build.authors).every((author) => author === undefined);
  const commits = statedCommits(build, facts);
  return {
    ...commits,
    ...(build.serviceNumber === undefined &&
      facts.serviceNumber !== undefined && { serviceNumber: facts.serviceNumber, number: facts.serviceNumber }),
    serviceJobId: build.serviceJobId ?? facts.serviceJobId,
    ...(facts.serviceRun !== undefined && { serviceRun: build.serviceRun ?? facts.serviceRun }),
    diff: firstDiff(build, facts, testedCommitOf(commits)),
    ...(build.rulesFile === undefined && facts.rulesFile !== undefined && { rulesFile: facts.rulesFile }),
    branch: build.branch ?? facts.branch,
    tag: statesBranch ? facts.tag : build.tag,
    mergeQueue: build.mergeQueue || (facts.mergeQueue && (statesBranch || statesCommit)),
    pullRequest: build.pullRequest ?? facts.pullRequest,
    // The provider was not asked about this one.
    ...(build.pullRequest === undefined && facts.pullRequest !== undefined && build.facts && { facts: undefined }),
    baseBranch: build.baseBranch ?? facts.baseBranch,
    baseCommit: build.baseCommit ?? facts.baseCommit,
    compareRef: build.compareRef ?? facts.compareRef,
    compareCommit: build.compareCommit ?? facts.compareCommit,
    message: build.message ?? facts.message,
    remotes: build.remotes ?? facts.remotes,
    authors: statesAuthors ? facts.authors : build.authors,
    buildUrl: build.buildUrl ?? facts.buildUrl,
    eventType: build.eventType ?? facts.serviceEventType,
    warnings: [...build.warnings, ...disagreements(build, facts, number)].slice(0, MAX_WARNINGS),
  };
}

function statedCommits(build: Build, facts: JobFacts): Pick<Build, 'commit' | 'testedCommit'> {
  const commit = build.commit ?? facts.commit;
  return {
    commit,
    testedCommit: build.testedCommit ?? (facts.testedCommit === commit ? undefined : facts.testedCommit),
  };
}

function disagreements(build: Build, facts: JobFacts, number: number): readonly string[] {
  const sentences: string[] = [];
  const compare = (what: string, ours: string | number | undefined, theirs: string | number | undefined): void => {
    if (ours === undefined || theirs === undefined || ours === theirs) return;
    sentences.push(
      `Job ${number} states ${what} ${shorten(theirs)}, ` +
        `but an earlier job of this build stated ${shorten(ours)}; the first counts.`,
    );
  };
  if (facts.commit !== build.testedCommit) compare('commit', build.commit, facts.commit);
  compare('pull request', build.pullRequest, facts.pullRequest);
  compare('branch', build.branch, facts.branch);
  compare('compare_ref', build.compareRef, facts.compareRef);
  compare('compare_sha', build.compareCommit, facts.compareCommit);
  compare('commit message', build.message, facts.message);
  const digestOf = (rules: JobFacts['rulesFile']) => (rules === null ? 'none' : rules?.digest);
  compare('coverage.yml', digestOf(build.rulesFile), digestOf(facts.rulesFile));
  const trouble = diffTrouble(build, facts, testedCommitOf(statedCommits(build, facts)));
  return trouble === undefined ? sentences : [...sentences, `Job ${number} ${trouble}`];
}

function shorten(value: string | number): string {
  const characters = [...(String(value).split('\n', 1)[0] ?? '')];
  return characters.length > 60 ? `${characters.slice(0, 60).join('')}…` : characters.join('');
}
