import { zstdDecompressSync } from 'node:zlib';
import type { Build } from '../../core/builds/build.ts';
import type { Job } from '../../core/builds/job.ts';
import { Failure } from '../../core/failure.ts';
import { auditBy, auditName, COMMAND_LINE } from '../../core/repo/audit.ts';
import type { Repo } from '../../core/repo/repo.ts';
import { listFiles } from '../../reports/codec/decode-report.ts';
import type { Store } from '../store.ts';
import type { ExportedBuild } from './build-form.ts';
import {
  BUILDS,
  buildReportPath,
  FACTS,
  JOBS,
  jobReportPath,
  REPO,
  type TransferCounts,
  textPath,
} from './folder-form.ts';
import { hideBuildAddresses, hideJobAddresses } from './personal-data.ts';
import { writeReportLines } from './report-lines.ts';
import { beginFolder, type FolderWriter } from './write-folder.ts';

export interface ExportAsked {
  readonly repo: Repo;
  readonly folder: string;
  /** Whether e-mail addresses of people go with it. */
  readonly emails: boolean;
  /** The server's version. */
  readonly by: string;
  readonly now: number;
  readonly onBuild?: (builds: number) => void;
}

export interface Exported {
  readonly counts: TransferCounts;
  /** Builds that were open. */
  readonly leftOut: number;
}

type Reads = Pick<Store, 'transfers' | 'jobs' | 'builds' | 'audit'>;

const FACTS_AT_ONCE = 10;
/** A build that is closed again while it is read is read again. */
const TRIES = 20;
/** As the codec of diffs and the limits of uploads have it. */
const LARGEST_TEXT = 2 ** 28;

/** Writes a repo to a new folder (docs/export.md), also while servers run: each build is of one moment. */
export async function exportRepo(store: Reads, asked: ExportAsked): Promise<Exported> {
  const { repo, emails } = asked;
  const folder = beginFolder(asked.folder);
  const written = { builds: 0, jobs: 0, sources: 0, facts: 0 };
  const newest = (await store.builds.list({ repoId: repo.id, branch: undefined, offset: 0, limit: 1 })).builds[0];
  const lastSequence = Math.max(newest?.sequence ?? 0, 0);
  const [builds, jobs] = [folder.lines(BUILDS), folder.lines(JOBS)];
  let leftOut = 0;
  let hasImported = false;
  for await (const found of buildsOf(store, repo.id, lastSequence)) {
    const whole = await readWhole(store, found.id);
    if (whole === undefined) leftOut += 1;
    if (whole === undefined || whole === 'gone') continue;
    await builds.add(emails ? whole.build : hideBuildAddresses(whole.build));
    for (const { repoId: _, ...job } of whole.jobs) await jobs.add(emails ? job : hideJobAddresses(job));
    written.sources += await writeReports(store, folder, { repoId: repo.id, ...whole });
    written.builds += 1;
    hasImported ||= whole.build.imported !== undefined;
    written.jobs += whole.jobs.length;
    asked.onBuild?.(written.builds);
  }
  await Promise.all([builds.end(), jobs.end()]);
  written.facts = await writeFacts(store, folder, repo.id);
  await writeRepo(folder, repo, lastSequence);
  const at = { exportedAt: new Date(asked.now).toISOString(), by: asked.by };
  await folder.finish(
    { repo: auditName(repo), ...at, emails, counts: written, leftOut },
    hasImported ? 'latest' : 'first',
  );
  const after = { builds: written.builds, emails };
  await store.audit.record(auditBy(COMMAND_LINE, { action: 'repo.exported', at: asked.now, repo, after }));
  return { counts: written, leftOut };
}

/** One at a time is in memory, and of its reports one. */
async function* buildsOf({ transfers }: Reads, repoId: number, last: number): AsyncGenerator<Build> {
  for (let sequence = Number.MIN_SAFE_INTEGER; ; ) {
    const [build] = await transfers.buildsAfter({ repoId, sequence, limit: 1 });
    if (build === undefined || build.sequence > last) return;
    yield build;
    sequence = build.sequence;
  }
}

interface WholeBuild {
  readonly build: ExportedBuild;
  readonly jobs: readonly Job[];
  readonly report: Uint8Array | undefined;
}

/** A build with its jobs and its report as they were between two reads of it. Undefined: it is open. */
async function readWhole({ builds, jobs }: Reads, id: number): Promise<WholeBuild | 'gone' | undefined> {
  for (let tries = 0; tries < TRIES; tries += 1) {
    const before = await builds.find(id);
    if (before === undefined) return 'gone';
    const { repoId: _, state, due: _due, attempts: _attempts, namelessCloseAt: _close, result, ...build } = before;
    if (state !== 'closed' || result === undefined) return undefined;
    const [ofBuild, report] = [await jobs.ofBuild(id), await builds.report(id)];
    const after = await builds.find(id);
    if (after?.revision !== before.revision || after.result?.closeCount !== result.closeCount) continue;
    return { build: { ...build, result, hasReport: report !== undefined }, jobs: ofBuild, report };
  }
  throw new Failure('unavailable', `Build ${id} kept changing while it was read. Try again later.`);
}

/** Answers how many texts were new. */
async function writeReports(
  { jobs }: Reads,
  folder: FolderWriter,
  { repoId, build, jobs: some, report }: WholeBuild & { readonly repoId: number },
): Promise<number> {
  if (report !== undefined) await folder.gzip(buildReportPath(build.id), inLines(report));
  let texts = await writeTexts(jobs, folder, { repoId, digests: [build.diff?.digest, build.rulesFile?.digest] });
  for (const job of some) {
    for (const bytes of await jobs.reports([job.id])) {
      await folder.gzip(jobReportPath(job.id), inLines(bytes));
      const digests = [job.facts.diff?.digest, ...listFiles(bytes).map(({ source }) => source)];
      texts += await writeTexts(jobs, folder, { repoId, digests });
    }
  }
  return texts;
}

function* inLines(bytes: Uint8Array): Generator<string> {
  for (const line of writeReportLines(bytes)) yield `${line}\n`;
}

async function writeTexts(
  jobs: Reads['jobs'],
  folder: FolderWriter,
  { repoId, digests }: { readonly repoId: number; readonly digests: readonly (string | undefined)[] },
): Promise<number> {
  let count = 0;
  for (const digest of digests) {
    if (digest === undefined || folder.has(textPath(digest))) continue;
    const stored = await jobs.source(repoId, digest);
    if (stored === undefined) continue;
    await folder.gzip(textPath(digest), [zstdDecompressSync(stored.bytes, { maxOutputLength: LARGEST_TEXT })]);
    count += 1;
  }
  return count;
}

async function writeFacts({ transfers }: Reads, folder: FolderWriter, repoId: number): Promise<number> {
  const facts = folder.lines(FACTS);
  let count = 0;
  for (let key = ''; ; ) {
    const some = await transfers.factsAfter({ repoId, key, limit: FACTS_AT_ONCE });
    for (const { value, ...fact } of some) await facts.add({ ...fact, value: JSON.parse(value) as unknown });
    count += some.length;
    const last = some.at(-1);
    if (last === undefined) break;
    key = last.key;
  }
  await facts.end();
  return count;
}

/** Without its tokens, its members and the user who made it: they are of this server. */
async function writeRepo(folder: FolderWriter, repo: Repo, lastSequence: number): Promise<void> {
  const { id: _, owner: _owner, accessLost: _lost, hostToken: _token, ...rest } = repo;
  const lines = folder.lines(REPO);
  await lines.add({ ...rest, lastSequence });
  await lines.end();
}
