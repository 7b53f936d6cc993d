import type { Message, StatusContent, StatusOwner } from '../../server/src/core/announce/delivery.ts';
import type { Build, BuildResult, FlagResult } from '../../server/src/core/builds/build.ts';
import type { JobFacts } from '../../server/src/core/builds/job.ts';
import type { JobLimits } from '../../server/src/core/builds/job-limits.ts';
import type { CoverageTotals } from '../../server/src/core/coverage/totals.ts';
import type { Repo } from '../../server/src/core/repo/repo.ts';
import { DEFAULT_REPO_SETTINGS } from '../../server/src/core/repo/settings.ts';
import type { Timestamp } from '../../server/src/core/time.ts';
import type { BuildClosing, PendingPost } from '../../server/src/storage/build-store.ts';
import type { AcceptedJob, AcceptJob, NewRepo, Store } from '../../server/src/storage/store.ts';
import { aResult, facts as ordinaryFacts } from '../support/records.ts';

/** When the tests begin. */
export const T0: Timestamp = Date.UTC(2027, 0, 1);
export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const PERIODS = { quiet: 30 * MINUTE, late: MINUTE };
export const TOTALS: CoverageTotals = { coveredLines: 8, relevantLines: 10, coveredBranches: 1, branches: 2 };
export const SHA = 'a'.repeat(40);
const FIRST = { state: 'success', rule: 'first-build', explanation: 'First build.', summary: 'First build' } as const;

/** A repo may send whatever it likes. */
export const NO_LIMITS: JobLimits = { bytesPerDay: 0, openBuilds: 0, refusal: undefined };

/** A different hex text of `length` digits for each number. */
export function hex(number: number, length = 40): string {
  return number.toString(16).padStart(length, '0');
}

export function bytes(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

export function newRepo(change: Partial<NewRepo> = {}): NewRepo {
  const name = change.name ?? 'octo/parser';
  const token = { lookup: `lookup of ${name}`, sealed: `sealed ${name}`, expiresAt: undefined };
  return { service: 'github', name, owner: 'alice', settings: DEFAULT_REPO_SETTINGS, token, at: T0, ...change };
}

/** A repo in the store. */
export async function putRepo(store: Store, change: Partial<NewRepo> = {}): Promise<Repo> {
  const repo = await store.repos.create(newRepo(change));
  if (repo === undefined) throw new Error('the name is taken');
  return repo;
}

export function facts(change: Partial<JobFacts> = {}): JobFacts {
  return ordinaryFacts({ serviceName: 'github', commit: SHA, ...change });
}

let uploads = 0;

/** An upload with a content of its own, unless `rest` says otherwise. */
export function upload(repoId: number, stated: Partial<JobFacts> = {}, rest: Partial<AcceptJob> = {}): AcceptJob {
  uploads += 1;
  return {
    repoId,
    facts: facts(stated),
    totals: TOTALS,
    files: 3,
    contentDigest: hex(uploads, 64),
    warnings: [],
    report: bytes(`report ${uploads}`),
    sources: [],
    periods: PERIODS,
    bytes: 100,
    limits: NO_LIMITS,
    at: T0,
    ...rest,
  };
}

/** Accepts an upload of a repo that is there. */
export async function accept(
  store: Store,
  repoId: number,
  stated: Partial<JobFacts> = {},
  rest: Partial<AcceptJob> = {},
): Promise<AcceptedJob> {
  const accepted = await store.jobs.accept(upload(repoId, stated, rest));
  if (accepted === undefined) throw new Error('the repo is gone');
  return accepted;
}

export function flag(name: string, kind: FlagResult['kind'] = 'uploaded'): FlagResult {
  return { name, kind, totals: TOTALS, baseTotals: undefined, carried: undefined, lastSeen: undefined, verdict: FIRST };
}

export function result(change: Partial<BuildResult> = {}): BuildResult {
  const verdict = { ...FIRST, provisional: false };
  return aResult({ closedAt: T0, closedBy: 'job', totals: TOTALS, files: 3, verdict, countedJobs: [], ...change });
}

export function speakerOf(build: Build): StatusOwner {
  return { buildId: build.id, sequence: build.sequence, trust: build.trust, pullRequest: build.pullRequest };
}

export function status(state: StatusContent['state'], description = `${state}.`): StatusContent {
  return { kind: 'status', state, description, targetUrl: 'https://coverage.example/builds/1' };
}

/** A message about one context of a commit. */
export function say(content: StatusContent, context = 'coverage', commit = SHA): Message {
  return { target: { kind: 'status', commit, context }, content };
}

/**
 * A message about a commit's check run, which marks line `line`; without one it is said only where something is said
 * already.
 */
export function check(line: number | undefined, { name = 'coverage annotations', commit = SHA } = {}): Message {
  const annotations =
    line === undefined
      ? []
      : [{ file: 'a.ts', firstLine: line, lastLine: line, level: 'warning', message: 'x' } as const];
  const said = {
    conclusion: 'neutral',
    title: `line ${line}`,
    summary: 's',
    detailsUrl: 'https://coverage.example/builds/1',
  } as const;
  return {
    target: { kind: 'check', commit, name },
    content: { kind: 'check', ...said, annotations },
    onlyEdit: line === undefined,
  };
}

/** A message about a pull request's comment. */
export function comment(body: string, pullRequest: number): Message {
  return { target: { kind: 'comment', pullRequest }, content: { kind: 'comment', body } };
}

export function closing(build: Build, change: Partial<BuildClosing> = {}): BuildClosing {
  return {
    buildId: build.id,
    revision: build.revision,
    result: result(),
    report: bytes(`merged ${build.id}`),
    target: build.target,
    openedContexts: build.openedContexts,
    messages: [],
    statusOwner: speakerOf(build),
    at: T0,
    ...change,
  };
}

export function pendingPost(build: Build, change: Partial<PendingPost> = {}): PendingPost {
  const { buildId, revision, target, openedContexts, messages, statusOwner, at } = closing(build);
  return { buildId, revision, target, openedContexts, messages, statusOwner, at, ...change };
}

/** Closes a build that has not moved on. */
export async function close(store: Store, build: Build, change: Partial<BuildClosing> = {}): Promise<Build> {
  const closed = await store.builds.close(closing(build, change));
  if (closed === undefined) throw new Error('the build has moved on');
  return closed;
}

/** A closed build with one job. */
export async function putClosed(
  store: Store,
  repoId: number,
  stated: Partial<JobFacts> = {},
  found: Partial<BuildResult> = {},
): Promise<Build> {
  const { build } = await accept(store, repoId, stated);
  return close(store, build, { result: result(found) });
}
