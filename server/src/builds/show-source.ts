import type { RepoRequest } from '../access/find-administered-repo.ts';
import { LINES_ON_PAGE } from '../core/announce/links.ts';
import type { BuildSummary } from '../core/builds/build-summary.ts';
import { testedCommitOf } from '../core/builds/merge-commit.ts';
import { normalizeFileName } from '../core/coverage/file-name.ts';
import type { Highlights } from '../core/coverage/highlights.ts';
import { compareNames } from '../core/coverage/merge.ts';
import type { CoverageTotals } from '../core/coverage/totals.ts';
import { type Caller, mayReadSource } from '../core/repo/caller.ts';
import type { NoText } from '../core/repo/no-text.ts';
import type { Repo } from '../core/repo/repo.ts';
import { mayReadHostSource } from '../core/repo/source-access.ts';
import type { Hosts } from '../ports/host.ts';
import type { StoredSource } from '../reports/report-bytes.ts';
import type { FilePart, LinePage } from '../reports/report-reader.ts';
import type { Services } from '../services/services.ts';
import { type FileEdit, findChangedLines } from './find-changed-lines.ts';
import { findFlipsOfFile } from './find-flips.ts';
import { type BuildInRepo, findBuildInRepo } from './find-in-repo.ts';
import type { FoundBuild } from './find-readable.ts';
import { fileNotFound } from './read-hits.ts';

/** A page of one file. */
export interface ShownSource extends FoundBuild {
  readonly file: FilePart;
  /** For the base build's file; undefined if it has none, or there is no base. */
  readonly base: CoverageTotals | undefined;
  readonly edit: FileEdit | undefined;
  readonly flips: Awaited<ReturnType<typeof findFlipsOfFile>>;
  /** Whose jobs measured it, where the build has several. */
  readonly flags: readonly string[];
  /** For its changed lines; undefined if none is relevant, or not known. */
  readonly patch: CoverageTotals | undefined;
  /** How many lines come before the first one shown, how many are shown, and how many there are. */
  readonly offset: number;
  readonly count: number;
  readonly lines: number;
  readonly text: SourceText | NoText;
  /** The git host's name, and the file's page there; undefined for a repo of none. */
  readonly host: string | undefined;
  readonly hostPage: string | undefined;
}

export interface SourceText {
  /** For this page. */
  readonly lines: readonly string[];
  /** For the whole file. */
  readonly highlights: Highlights | 'pending';
}

export interface SourceRequest extends RepoRequest {
  readonly build: BuildInRepo;
  /** As in the address: `./src\a.ts` is found as `src/a.ts` (rule 6). */
  readonly name: string;
  /** The page that holds this line is shown. */
  readonly line: number;
}

/** A page of one file. Throws a Failure `not-found` for what is not there, or the caller may not read. */
export async function showSource(services: Services, asked: SourceRequest): Promise<ShownSource> {
  const { hosts } = services;
  const found = await findBuildInRepo(services, asked);
  const { build, repo } = found;
  const name = normalizeFileName(asked.name);
  const source = createSourceOnce(services, { ...found, name });
  const page = await readPage(services, { build, name, offset: pageStart(asked.line), source });
  return {
    ...found,
    ...page,
    ...(await findComparison(services, build, name)),
    edit: await findChangedLines(services, { build, repo, name }),
    flips: await findFlipsOfFile(services, { build, repo, name }),
    flags: await findFileFlags(services, build, name),
    host: hosts.of(repo)?.name,
    hostPage: pageAtHost(hosts, { repo, commit: testedCommitOf(build), name }),
  };
}

function pageStart(line: number): number {
  return Math.floor((Math.max(line, 1) - 1) / LINES_ON_PAGE) * LINES_ON_PAGE;
}

type FindText = (file: FilePart) => Promise<StoredSource | NoText>;

interface PageAsked {
  readonly build: BuildSummary;
  readonly name: string;
  readonly offset: number;
  readonly source: FindText;
}

type Page = Pick<ShownSource, 'file' | 'offset' | 'count' | 'lines' | 'text'>;

/** From a line beyond the end the way leads to the last page. */
async function readPage(
  services: Pick<Services, 'builds' | 'highlighter' | 'reader'>,
  { build, name, offset, source }: PageAsked,
): Promise<Page> {
  const { builds, reader, highlighter } = services;
  const range = { offset, limit: LINES_ON_PAGE };
  const report = await builds.report(build.id);
  const file = report && (await reader.readFile({ report, name, ...range }));
  if (file === undefined) throw fileNotFound(build, name);
  const stored = await source(file);
  const text: LinePage | undefined =
    typeof stored === 'string' ? undefined : await reader.readLines({ source: stored.bytes, ...range });
  const lines = Math.max(file.lines, text?.total ?? 0);
  if (offset > 0 && offset >= lines) return readPage(services, { build, name, source, offset: pageStart(lines) });
  return {
    file,
    offset,
    lines,
    count: Math.max(0, Math.min(LINES_ON_PAGE, lines - offset)),
    text:
      typeof stored === 'string'
        ? stored
        : {
            lines: text?.lines ?? [],
            highlights: await highlighter.highlight({ repoId: build.repoId, name, source: stored }),
          },
  };
}

function createSourceOnce(
  services: Pick<Services, 'fetchSource' | 'hosts' | 'jobs'>,
  asked: { readonly caller: Caller; readonly repo: Repo; readonly build: BuildSummary; readonly name: string },
): FindText {
  let found: ReturnType<FindText> | undefined;
  return (file) => {
    found ??= findText(services, { ...asked, file });
    return found;
  };
}

/** From the upload where it sent one, else from the git host at the commit whose lines were measured. */
async function findText(
  { jobs, hosts, fetchSource }: Pick<Services, 'fetchSource' | 'hosts' | 'jobs'>,
  asked: Parameters<typeof createSourceOnce>[1] & { readonly file: FilePart },
): Promise<StoredSource | NoText> {
  const { caller, repo, build, file } = asked;
  if (!mayReadSource(caller, repo)) return 'token';
  const sent = file.source === undefined ? undefined : await jobs.source(repo.id, file.source);
  if (sent !== undefined) return sent;
  if (hosts.of(repo)?.provider === undefined) return 'no-host';
  if (!mayReadHostSource(caller, repo)) return 'host-private';
  const commit = testedCommitOf(build);
  return commit === undefined ? 'no-commit' : fetchSource({ repo, commit, path: asked.name });
}

/** For a file that the close compared what it found; else the base's report is asked. */
async function findComparison(
  { builds, views, reader }: Pick<Services, 'builds' | 'reader' | 'views'>,
  build: BuildSummary,
  name: string,
): Promise<Pick<ShownSource, 'base' | 'patch'>> {
  const result = (await views.find(build.id))?.result;
  const patch = result?.patch?.files.find((one) => one.name === name)?.totals;
  const change = result?.fileChanges.find((one) => one.name === name);
  if (change !== undefined || result?.base === undefined) return { base: change?.baseTotals, patch };
  const report = await builds.report(result.base.buildId);
  return { base: report && (await reader.readTotals({ report, name })), patch };
}

function pageAtHost(
  hosts: Hosts,
  { repo, commit, name }: { readonly repo: Repo; readonly commit: string | undefined; readonly name: string },
): string | undefined {
  const file = name.toWellFormed().split('/').map(encodeURIComponent).join('/');
  const page = commit && hosts.of(repo)?.linksOf(repo.name).lines?.({ commit, file, first: 1, last: 1 });
  return page?.split('#', 1)[0];
}

/** Jobs, and source files of all of them, up to which a page looks. */
const MAX_JOBS = 12;
const MAX_FILES = 12_000;

/** Which flags' jobs measured a file; none if a build has fewer than two flags, or too many jobs or files. */
async function findFileFlags(
  services: Pick<Services, 'jobs' | 'reader'>,
  build: BuildSummary,
  name: string,
): Promise<readonly string[]> {
  const { jobs, reader } = services;
  if (build.jobs < 2 || build.jobs > MAX_JOBS) return [];
  const all = await jobs.list({ buildId: build.id, offset: 0, limit: MAX_JOBS });
  const flagged = all.flatMap(({ id, files, facts: { flag } }) => (flag === undefined ? [] : [{ id, files, flag }]));
  const files = flagged.reduce((sum, job) => sum + job.files, 0);
  if (new Set(flagged.map(({ flag }) => flag)).size < 2 || files > MAX_FILES) return [];
  const reports = await jobs.reports(flagged.map(({ id }) => id));
  const found = await Promise.all(reports.map((report) => reader.readTotals({ report, name })));
  const flags = flagged.filter((_, index) => found[index] !== undefined).map(({ flag }) => flag);
  return [...new Set(flags)].sort(compareNames);
}
