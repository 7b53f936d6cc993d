import type { ComposedReport } from '../../core/builds/build-report.ts';
import type { Imported } from '../../core/builds/imported.ts';
import { NO_LINES, type PastBuild, pastBuild, pastJobFacts } from '../../core/builds/imported-build.ts';
import type { Job } from '../../core/builds/job.ts';
import type { CoverageTotals } from '../../core/coverage/totals.ts';
import { Failure } from '../../core/failure.ts';
import type { Repo } from '../../core/repo/repo.ts';
import type { Timestamp } from '../../core/time.ts';
import type { ReportBytes } from '../../reports/report-bytes.ts';
import type { HistoryPlan, StayingOut } from '../history-imports.ts';
import type { OlderBuild } from '../repo-transfers.ts';
import type { Store } from '../store.ts';
import { type CheckedHistory, historyOf, readHistoryReport } from './check-history.ts';
import { detailOf, type HistoryBuild } from './history-forms.ts';
import { hideAddresses } from './personal-data.ts';
import type { FolderReader } from './read-folder.ts';

export interface HistoryAsked {
  readonly repo: Pick<Repo, 'id'>;
  readonly folder: FolderReader;
  readonly checked: Pick<CheckedHistory, 'from'>;
  /** When the import began: builds that it has brought already say so. */
  readonly now: Timestamp;
}

/** How far an import is: builds that are there by it, and those that stay out. */
export interface HistoryProgress {
  readonly added: number;
  readonly skipped: StayingOut;
}

export interface HistoryDeps {
  readonly store: Pick<Store, 'transfers' | 'builds'>;
  /** Merges the reports of one build. */
  readonly compose: (
    jobs: readonly { readonly flag: string | undefined; readonly report: ReportBytes }[],
  ) => Promise<Pick<ComposedReport, 'totals' | 'files' | 'flags'> & { readonly report: ReportBytes }>;
}

const AT_ONCE = 50;

/**
 * Adds a history to a repo that is there, newest build first, and tells how far it is. What was added before is left
 * out, so that an import that was cut off continues when it is begun again.
 */
export async function* importHistory(deps: HistoryDeps, asked: HistoryAsked): AsyncGenerator<HistoryProgress> {
  const { store } = deps;
  const { repo } = asked;
  let added = 0;
  for await (const { fresh, brought, ...skipped } of sortBuilds(store, asked)) {
    const older: OlderBuild[] = [];
    for (const build of fresh) older.push(await readOlder(deps, asked, build));
    if (older.length > 0 && !(await store.transfers.addOlder(repo.id, older)))
      throw new Failure('not-found', 'The repo was removed while its history was imported.');
    added += older.length + brought;
    yield { added, skipped };
  }
}

/** What an import would add, and what would stay out. */
export async function planHistory(
  store: HistoryDeps['store'],
  asked: Pick<HistoryAsked, 'repo' | 'folder'>,
): Promise<HistoryPlan> {
  const fresh = { lines: 0, counts: 0, percentage: 0 };
  let out: StayingOut = { own: 0, again: 0, between: 0 };
  for await (const { fresh: some, own, again, between } of sortBuilds(store, asked)) {
    for (const build of some) fresh[detailOf(build)] += 1;
    out = { own, again, between };
  }
  return { fresh, ...out };
}

/** How this server counts a build of a history; undefined: only its percentage is known. */
export async function countHere(
  { compose }: Pick<HistoryDeps, 'compose'>,
  folder: FolderReader,
  { reports, totals }: HistoryBuild,
): Promise<CoverageTotals | undefined> {
  if (reports.length === 0) return totals;
  const jobs: { flag: string | undefined; report: ReportBytes }[] = [];
  for (const { id, flag } of reports) jobs.push({ flag, report: (await readHistoryReport(folder, id)).bytes });
  return (await compose(jobs)).totals;
}

/** The builds of some commits that are not in the repo yet; what stays out is counted from the first commit on. */
interface SortedBuilds extends StayingOut {
  readonly fresh: readonly HistoryBuild[];
  /** Those of these commits that this import has added already. */
  readonly brought: number;
}

async function* sortBuilds(
  store: HistoryDeps['store'],
  { repo, folder, now }: Pick<HistoryAsked, 'repo' | 'folder'> & { readonly now?: Timestamp },
): AsyncGenerator<SortedBuilds> {
  const [lowest] = await store.transfers.buildsAfter({
    repoId: repo.id,
    sequence: Number.MIN_SAFE_INTEGER,
    limit: 1,
  });
  const oldest = lowest?.imported === undefined ? Number.POSITIVE_INFINITY : lowest.createdAt;
  let [own, again, between] = [0, 0, 0];
  for await (const some of inBatches(historyOf(folder), AT_ONCE)) {
    const here = await builtCommits(store, repo.id, some);
    const fresh: HistoryBuild[] = [];
    let brought = 0;
    for (const build of some) {
      const there = here.get(build.commit);
      if (there === undefined && build.at > oldest) between += 1;
      else if (there === undefined) fresh.push(build);
      else if (there === 'own') own += 1;
      else if (there === now) brought += 1;
      else again += 1;
    }
    yield { fresh, brought, own, again, between };
  }
}

/**
 * Commits that have a build already, or when that was imported; except for those of unverified runs, which are bases of
 * nothing (rule 29).
 */
async function builtCommits({ builds }: HistoryDeps['store'], repoId: number, some: readonly HistoryBuild[]) {
  const here = new Map<string, 'own' | Timestamp>();
  const found = await builds.ofCommits(
    repoId,
    some.map(({ commit }) => commit),
  );
  for (const { commit, landed, testedCommit, trust, imported } of found) {
    if (trust === 'run') continue;
    for (const one of [commit, testedCommit, landed?.commit])
      if (one !== undefined && here.get(one) !== 'own') here.set(one, imported?.at ?? 'own');
  }
  return here;
}

async function readOlder(
  { compose }: HistoryDeps,
  { folder, checked, now }: HistoryAsked,
  read: HistoryBuild,
): Promise<OlderBuild> {
  const { from } = checked;
  const past: PastBuild = {
    commit: read.commit,
    branch: read.branch,
    at: read.at,
    message: read.message && hideAddresses(read.message),
    author: read.author && hideAddresses(read.author),
  };
  const jobs: { job: Omit<Job, 'id' | 'repoId' | 'buildId' | 'number'>; report: ReportBytes }[] = [];
  for (const { id, flag } of read.reports) {
    const { bytes: report, ...found } = await readHistoryReport(folder, id);
    jobs.push({ job: { ...found, facts: pastJobFacts(past, from, flag), warnings: [], createdAt: read.at }, report });
  }
  const ofFlags = jobs.map(({ job, report }) => ({ flag: job.facts.flag, report }));
  const merged = ofFlags.length === 0 ? undefined : await compose(ofFlags);
  const { totals, files, flags } = merged ?? { ...NO_LINES, ...(read.totals && { totals: read.totals }) };
  const found = { jobs: jobs.map(({ job }) => job), composed: { totals, files, flags } };
  return { build: pastBuild(past, importedOf(read, from, now), found), jobs, report: merged?.report };
}

function importedOf(read: HistoryBuild, from: Imported['from'], at: number): Imported {
  const { shown, partialLines } = read;
  return {
    from,
    at,
    detail: detailOf(read),
    ...(shown !== undefined && { shown }),
    ...(partialLines !== undefined && { partialLines }),
  };
}

async function* inBatches<T>(all: AsyncIterable<T>, size: number): AsyncGenerator<readonly T[]> {
  let some: T[] = [];
  for await (const one of all) {
    some.push(one);
    if (some.length < size) continue;
    yield some;
    some = [];
  }
  if (some.length > 0) yield some;
}
