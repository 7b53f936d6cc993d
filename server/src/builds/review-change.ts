import { findReadableRepo, type RepoRequest } from '../access/find-administered-repo.ts';
import type { PatchResult } from '../core/builds/build-facts.ts';
import type { BuildView } from '../core/builds/build-summary.ts';
import { normaliseFileName } from '../core/coverage/file-name.ts';
import { compareNames } from '../core/coverage/merge.ts';
import { NO_TOTALS } from '../core/coverage/totals.ts';
import { type Caller, mayReadSource } from '../core/repo/caller.ts';
import type { Repo } from '../core/repo/repo.ts';
import { mayReadHostSource } from '../core/repo/source-access.ts';
import { type Paged, type Paging, toPaged, toRange } from '../platform/paging.ts';
import type { Services } from '../services/services.ts';
import { findChange } from './find-change.ts';
import { notFound } from './find-readable.ts';
import { type FileToCover, hasToCover, readExcerpts } from './read-lines-to-cover.ts';
import { findNewestPush, readPullRequest } from './show-pull.ts';

/** The whole change of a pull request, as its newest build measured it. */
export interface ReviewedChange extends Paged {
  readonly repo: Repo;
  readonly caller: Caller;
  readonly pullRequest: number;
  readonly build: BuildView;
  /** Those of the page, in order of path. */
  readonly files: readonly ReviewedFile[];
  /** How many files changed, and how many of them have something to cover. */
  readonly all: number;
  readonly missed: number;
  /** Whether it is known which files changed; else those alone are here whose changed lines count. */
  readonly isDiffKnown: boolean;
  /** Rule 30: these credentials read numbers and never source. */
  readonly withheld: boolean;
}

export interface ReviewedFile extends FileToCover {
  /** Undefined: no changed line of it counts. */
  readonly counted: PatchResult['files'][number] | undefined;
  readonly isRemoved: boolean;
}

export const REVIEWED_FILES = 20;
/** For all files on a page. */
const MAX_ROWS = 3_000;

/** Throws the Failures of showPull. */
export async function reviewChange(
  services: Services,
  asked: RepoRequest & {
    readonly pullRequest: string;
    readonly show: 'all' | 'missed';
    readonly query: string;
    readonly paging: Paging;
  },
): Promise<ReviewedChange> {
  const { views } = services;
  const { pullRequest: stated, show, query, paging, ...request } = asked;
  const { repo, caller } = await findReadableRepo(services, request);
  const pullRequest = readPullRequest(repo, stated);
  const newest = await findNewestPush(services, repo, pullRequest);
  const build = await views.find(newest.id);
  if (build === undefined) throw notFound('build', String(newest.id));
  const { diff } = await findChange(services, build);
  const removed = new Set(diff?.files.flatMap(({ kind, name }) => (kind === 'removed' ? name : [])));
  const counted = new Map(build.result?.patch?.files.map((file) => [file.name, file]));
  const all = [...new Set([...(diff?.files ?? []).map(({ name }) => normaliseFileName(name)), ...counted.keys()])]
    .sort(compareNames)
    .map((name) => counted.get(name) ?? { name, totals: NO_TOTALS, uncovered: [], uncoveredRanges: 0 });
  const missed = all.filter(hasToCover);
  const sought = query.toLowerCase();
  const chosen = (show === 'missed' ? missed : all).filter(({ name }) => name.toLowerCase().includes(sought));
  const { offset, limit } = toRange(paging);
  const some = chosen.slice(offset, offset + limit);
  const reading = { mayReadSource: mayReadSource(caller, repo), mayReadHostSource: mayReadHostSource(caller, repo) };
  const { files } = await readExcerpts(services, { build, repo, ...reading, some, max: MAX_ROWS, whole: true });
  return {
    repo,
    caller,
    pullRequest,
    build,
    files: files.map((one) => {
      const { name } = one.file;
      return { ...one, counted: counted.get(name), isRemoved: removed.has(name) };
    }),
    all: all.length,
    missed: missed.length,
    isDiffKnown: diff !== undefined,
    withheld: !reading.mayReadSource,
    ...toPaged(paging, chosen.length),
  };
}
