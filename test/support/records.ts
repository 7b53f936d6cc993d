import type { Build, BuildResult, FileChange, FlagResult } from '../../server/src/core/builds/build.ts';
import type { BuildFacts } from '../../server/src/core/builds/build-facts.ts';
import type { ClosedBy, DueTask } from '../../server/src/core/builds/due-tasks.ts';
import type { Job, JobFacts } from '../../server/src/core/builds/job.ts';
import { branchesFromGroups } from '../../server/src/core/coverage/branches.ts';
import { type Column, narrowColumn } from '../../server/src/core/coverage/column.ts';
import type { FileCoverage, Report } from '../../server/src/core/coverage/file-coverage.ts';
import { compareNames } from '../../server/src/core/coverage/merge.ts';
import type { CoverageTotals } from '../../server/src/core/coverage/totals.ts';
import type { PartOf } from '../../server/src/platform/paging.ts';

/** The narrowest column that holds all values: safe integers, in a hits column from -1 on. */
export const toColumn = (values: ArrayLike<number>): Column => narrowColumn(new Float64Array(values));

/** Records of the domain as tests need them: an ordinary one, with what the test states put over it. */

/** A sha of 40 equal hex digits: easy to distinguish. */
export function sha(digit: string): string {
  return digit.repeat(40);
}

/** The commit of every record that states none. */
export const COMMIT = sha('c');

const NO_AUTHORS = {
  authorName: undefined,
  authorEmail: undefined,
  committerName: undefined,
  committerEmail: undefined,
};

/** An upload of a parallel push build of the service `ci`, number 71. */
export function facts(stated: Partial<JobFacts> = {}): JobFacts {
  return {
    serviceName: 'ci',
    serviceNumber: '71',
    serviceJobId: undefined,
    serviceJobNumber: undefined,
    serviceAttempt: 1,
    serviceEventType: undefined,
    pullRequest: undefined,
    flag: undefined,
    parallel: true,
    commit: COMMIT,
    testedCommit: undefined,
    branch: undefined,
    tag: false,
    mergeQueue: false,
    baseBranch: undefined,
    baseCommit: undefined,
    compareRef: undefined,
    compareCommit: undefined,
    message: undefined,
    authors: NO_AUTHORS,
    buildUrl: undefined,
    jobUrl: undefined,
    runAt: undefined,
    trust: 'secret',
    ...stated,
  };
}

/** A stored job; `facts` is put over the ordinary facts. */
export function aJob(stated: Partial<Omit<Job, 'facts'>> & { readonly facts?: Partial<JobFacts> } = {}): Job {
  const number = stated.number ?? 1;
  return {
    id: number,
    repoId: 1,
    buildId: 71,
    number,
    totals: totals(80, 100),
    files: 1,
    contentDigest: `digest-${number}`,
    warnings: [],
    createdAt: 1_000 * number,
    ...stated,
    facts: facts(stated.facts),
  };
}

/** An open parallel push build with one job, number 71; id and numbers follow a stated sequence. */
export function aBuild(stated: Partial<Build> = {}): Build {
  const sequence = stated.sequence ?? 71;
  return {
    id: sequence,
    repoId: 1,
    sequence,
    revision: 1,
    number: stated.serviceNumber ?? String(sequence),
    serviceName: 'ci',
    serviceNumber: String(sequence),
    commit: COMMIT,
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
    authors: NO_AUTHORS,
    buildUrl: undefined,
    eventType: undefined,
    trust: 'secret',
    parallel: true,
    attempt: 1,
    jobs: 1,
    createdAt: 1_000,
    lastJobAt: 1_000,
    state: 'open',
    due: dueTasks({ deadline: 1_801_000 }),
    carryforward: undefined,
    namelessCloseAt: undefined,
    target: undefined,
    openedContexts: [],
    warnings: [],
    result: undefined,
    ...stated,
  };
}

/** A closed build with 80 of 100 lines covered. */
export function aClosedBuild(stated: Partial<Build> = {}): Build {
  return aBuild({ state: 'closed', due: [], result: aResult(), ...stated });
}

/** The result of a first build, closed by the webhook, with 80 of 100 lines covered. */
/** What a provider said of a build that has nothing to say of. */
export function providerFacts(stated: Partial<BuildFacts> = {}): BuildFacts {
  return {
    askedAt: 1,
    complete: true,
    pull: undefined,
    tree: undefined,
    mergeParent: undefined,
    mergeBase: undefined,
    ancestorsOf: undefined,
    ...stated,
  };
}

export function aResult(stated: Partial<BuildResult> = {}): BuildResult {
  return {
    closeCount: 1,
    closedAt: 2_000,
    closedBy: 'webhook',
    totals: totals(80, 100),
    files: 1,
    baseTotals: undefined,
    base: undefined,
    flags: [],
    carried: [],
    verdict: {
      state: 'success',
      rule: 'first-build',
      reason: { kind: 'measured', totals: totals(80, 100), findings: [{ kind: 'first-build', passes: true }] },
      provisional: false,
    },
    countedJobs: [1],
    fileChanges: [],
    fileChangeCount: 0,
    warnings: [],
    ...stated,
  };
}

/** A flag that a job of the build uploaded, with 80 of 100 lines covered. */
export function aFlag(name: string, stated: Partial<FlagResult> = {}): FlagResult {
  return {
    name,
    kind: 'uploaded',
    totals: totals(80, 100),
    baseTotals: undefined,
    carried: undefined,
    lastSeen: undefined,
    verdict: {
      state: 'success',
      rule: 'first-build',
      reason: { kind: 'measured', totals: totals(80, 100), findings: [{ kind: 'first-report', passes: true }] },
    },
    ...stated,
  };
}

/** A changed file that went from 9 to 8 covered lines of 10. */
export function aFileChange(name: string, stated: Partial<FileChange> = {}): FileChange {
  return {
    name,
    kind: 'changed',
    totals: totals(8, 10),
    baseTotals: totals(9, 10),
    uncovered: [
      [3, 3],
      [7, 9],
    ],
    uncoveredRanges: 2,
    ...stated,
  };
}

/** Exact counts. */
export function totals(coveredLines: number, relevantLines: number, coveredBranches = 0, branches = 0): CoverageTotals {
  return { coveredLines, relevantLines, coveredBranches, branches };
}

/** The coverage of a file: one entry per line (-1: not relevant), branches as flat groups of four. */
export function aFile(
  name: string,
  hits: readonly number[],
  more: { readonly branches?: readonly number[]; readonly digest?: string | undefined } = {},
): FileCoverage {
  const { branches = [], digest } = more;
  return { name, digest, source: undefined, hits: toColumn(hits), branches: branchesFromGroups(branches) };
}

/** A report of these files, sorted as reports are. */
export function aReport(...files: readonly FileCoverage[]): Report {
  return { files: files.toSorted((a, b) => compareNames(a.name, b.name)) };
}

/** What is due of a build, in the order in which it is done. */
export function dueTasks(tasks: {
  readonly close?: readonly [by: ClosedBy, at: number];
  readonly deadline?: number;
  readonly revisit?: number;
  readonly pending?: number;
  readonly backfill?: number;
}): readonly DueTask[] {
  const { close, deadline, revisit, pending, backfill } = tasks;
  const all: readonly (DueTask | false)[] = [
    close !== undefined && { kind: 'close', by: close[0], at: close[1] },
    deadline !== undefined && { kind: 'deadline', at: deadline },
    revisit !== undefined && { kind: 'revisit', at: revisit },
    pending !== undefined && { kind: 'post-pending', at: pending },
    backfill !== undefined && { kind: 'backfill', at: backfill },
  ];
  return all.filter((task) => task !== false);
}

/** A list of which one page holds all. */
export function wholeList<T>(entries: readonly T[]): PartOf<T> {
  const total = entries.length;
  return { page: 1, pages: Math.min(total, 1), total, size: 100, offset: 0, entries };
}
