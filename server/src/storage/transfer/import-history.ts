import type { ComposedReport } from '../../core/builds/build-report.ts';
import type { Imported } from '../../core/builds/imported.ts';
import { NO_LINES, type PastBuild, pastBuild, pastJobFacts } from '../../core/builds/imported-build.ts';
import type { Job } from '../../core/builds/job.ts';
import { Failure } from '../../core/failure.ts';
import type { Repo } from '../../core/repo/repo.ts';
import type { Timestamp } from '../../core/time.ts';
import type { ReportBytes } from '../../reports/report-bytes.ts';
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
  readonly now: Timestamp;
}

/** How far an import is: builds that are there by it, and those that stay out. */
export interface HistoryProgress {
  readonly added: number;
  readonly skipped: SkippedBuilds;
}

export interface SkippedBuilds {
  /** The repo has a build of its own for their commit. */
  readonly own: number;
  /** They were imported before. */
  readonly again: number;
  /** An earlier import brought builds that are older: sequences go down with time. */
  readonly between: number;
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
 * out, so that an import that was cut off goes on when it is begun again.
 */
export async function* importHistory(deps: HistoryDeps, asked: HistoryAsked): AsyncGenerator<HistoryProgress> {
  const { store } = deps;
  const { repo, folder } = asked;
  const [lowest] = await store.transfers.buildsAfter({
    repoId: repo.id,
    sequence: Number.MIN_SAFE_INTEGER,
    limit: 1,
  });
  const oldest = lowest?.imported === undefined ? Number.POSITIVE_INFINITY : lowest.createdAt;
  let [added, own, again, between] = [0, 0, 0, 0];
  const progress = (): HistoryProgress => ({ added, skipped: { own, again, between } });
  for await (const some of inBatches(historyOf(folder), AT_ONCE)) {
    const here = await builtCommits(store, repo.id, some);
    const fresh: HistoryBuild[] = [];
    for (const build of some) {
      const there = here.get(build.commit);
      if (there === undefined && build.at > oldest) between += 1;
      else if (there === undefined) fresh.push(build);
      else if (there === 'own') own += 1;
      else again += 1;
    }
    const older: OlderBuild[] = [];
    for (const build of fresh) older.push(await readOlder(deps, asked, build));
    if (older.length > 0 && !(await store.transfers.addOlder(repo.id, older)))
      throw new Failure('not-found', 'The repo was removed while its history was imported.');
    added += older.length;
    yield progress();
  }
}

/** Commits that have a build already, but for those of unverified runs, which are bases of nothing (rule 29). */
async function builtCommits({ builds }: HistoryDeps['store'], repoId: number, some: readonly HistoryBuild[]) {
  const here = new Map<string, 'own' | 'imported'>();
  const found = await builds.ofCommits(
    repoId,
    some.map(({ commit }) => commit),
  );
  for (const { commit, landed, testedCommit, trust, imported } of found) {
    if (trust === 'run') continue;
    for (const one of [commit, testedCommit, landed?.commit])
      if (one !== undefined && here.get(one) !== 'own') here.set(one, imported === undefined ? 'own' : 'imported');
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
