import { createHash } from 'node:crypto';
import { equalTotals } from '../../core/coverage/totals.ts';
import { Failure } from '../../core/failure.ts';
import { findNameProblem } from '../../core/repo/repo-name.ts';
import type { ExportedBuild } from './build-form.ts';
import { BUILDS, buildReportPath, digestOfPath, FACTS, JOBS, jobReportPath, REPO } from './folder-form.ts';
import type { FolderReader } from './read-folder.ts';
import { type ExportedJob, type ExportedRepo, readBuild, readFact, readJob, readRepo } from './record-forms.ts';
import { type ReadReport, readReportLines } from './report-lines.ts';
import { AGAIN, fileDamaged } from './sentences.ts';

export const COUNTS_DIFFER = `manifest.json says another number of records than there are. ${AGAIN}`;

/** An export of which every record and every report can be read. */
export interface CheckedExport {
  readonly repo: ExportedRepo;
  /** In order of sequence. */
  readonly buildIds: readonly number[];
  readonly lastBuildId: number;
  readonly lastJobId: number;
}

const MAX_BUILDS = 2_000_000;
const MAX_JOBS = 5_000_000;

/** A record's file as its records; a Failure names the file and the record that is none. */
export async function* recordsOf<T>(folder: FolderReader, path: string, read: (line: unknown) => T): AsyncGenerator<T> {
  let number = 0;
  for await (const line of folder.lines(path)) {
    number += 1;
    yield await inWords(`${path}:${number}`, () => read(line));
  }
}

/** Its jobs with each build: both files have the same order. */
export async function* buildsWithJobs(
  folder: FolderReader,
): AsyncGenerator<{ readonly build: ExportedBuild; readonly jobs: AsyncIterable<ExportedJob> }> {
  const jobs = recordsOf(folder, JOBS, readJob);
  let next = await jobs.next();
  for await (const build of recordsOf(folder, BUILDS, readBuild)) {
    const ofBuild = async function* (): AsyncGenerator<ExportedJob> {
      for (let number = 1; !next.done && next.value.buildId === build.id; number += 1) {
        if (next.value.number !== number) throw new Failure('payload-invalid', fileDamaged(JOBS));
        yield next.value;
        next = await jobs.next();
      }
    };
    yield { build, jobs: ofBuild() };
  }
  if (!next.done) throw new Failure('payload-invalid', fileDamaged(JOBS));
}

/** The merged report of a build; undefined: it has none. */
export async function readBuildReport(folder: FolderReader, build: ExportedBuild): Promise<ReadReport | undefined> {
  const path = buildReportPath(build.id);
  return build.hasReport ? inWords(path, () => readReportLines(folder.lines(path))) : undefined;
}

/** A job's report, which has to be the one that was uploaded. */
export async function readJobReport(folder: FolderReader, job: ExportedJob): Promise<ReadReport> {
  const path = jobReportPath(job.id);
  const report = await inWords(path, () => readReportLines(folder.lines(path)));
  if (report.contentDigest !== job.contentDigest || !equalTotals(report.totals, job.totals))
    throw new Failure('payload-invalid', reportDiffers(path));
  return report;
}

/** A source text or a diff, which has to be the one of its digest. */
export async function readText(folder: FolderReader, path: string, digest: string): Promise<Buffer> {
  const text = await folder.text(path);
  if (!digest.endsWith(createHash('sha256').update(text).digest('hex')))
    throw new Failure('payload-invalid', reportDiffers(path));
  return text;
}

/** Reads everything. Throws a Failure that names the file that cannot be imported. */
export async function checkExport(folder: FolderReader): Promise<CheckedExport> {
  if (folder.manifest.history !== undefined) throw new Failure('payload-invalid', fileDamaged('manifest.json'));
  const repo = await onlyRepo(folder);
  const counts = { builds: 0, jobs: 0, sources: 0, facts: 0 };
  const [buildIds, jobIds] = [new Set<number>(), new Set<number>()];
  let [sequence, lastBuildId, lastJobId] = [Number.NEGATIVE_INFINITY, 0, 0];
  for await (const { build, jobs } of buildsWithJobs(folder)) {
    if (build.sequence <= sequence || build.sequence > repo.lastSequence || buildIds.has(build.id))
      throw new Failure('payload-invalid', fileDamaged(BUILDS));
    sequence = build.sequence;
    buildIds.add(build.id);
    lastBuildId = Math.max(lastBuildId, build.id);
    await readBuildReport(folder, build);
    for await (const job of jobs) {
      if (jobIds.has(job.id)) throw new Failure('payload-invalid', fileDamaged(JOBS));
      jobIds.add(job.id);
      lastJobId = Math.max(lastJobId, job.id);
      await readJobReport(folder, job);
    }
    if (buildIds.size > MAX_BUILDS || jobIds.size > MAX_JOBS)
      throw new Failure(
        'payload-too-large',
        'The export has more builds or jobs than a repo can have. Nothing was imported.',
      );
  }
  for await (const path of folder.paths()) {
    const digest = digestOfPath(path);
    if (digest !== undefined) await readText(folder, path, digest);
    if (digest !== undefined) counts.sources += 1;
  }
  for await (const _ of recordsOf(folder, FACTS, readFact)) counts.facts += 1;
  const found = { ...counts, builds: buildIds.size, jobs: jobIds.size };
  if (JSON.stringify(found) !== JSON.stringify(folder.manifest.counts))
    throw new Failure('payload-invalid', COUNTS_DIFFER);
  return { repo, buildIds: [...buildIds], lastBuildId, lastJobId };
}

async function onlyRepo(folder: FolderReader): Promise<ExportedRepo> {
  let repo: ExportedRepo | undefined;
  for await (const found of recordsOf(folder, REPO, readRepo)) {
    if (repo !== undefined) throw new Failure('payload-invalid', fileDamaged(REPO));
    repo = found;
  }
  const problem = repo && findNameProblem(repo.service, repo.name);
  if (repo === undefined || problem !== undefined) throw new Failure('payload-invalid', fileDamaged(REPO));
  return repo;
}

/** Says in which file something is that no export writes. */
export async function inWords<T>(what: string, read: () => T | Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof Failure && error.code !== 'internal') throw error;
    throw new Failure('payload-invalid', `${what} holds what no export writes. ${AGAIN}`, { cause: error });
  }
}

function reportDiffers(path: string): string {
  return `${path} is not what its record says. ${AGAIN}`;
}
