import type { Job } from '../core/builds/job.ts';
import { type MergedReport, piecesOf, type ReportPiece, unusedReports } from '../core/builds/merged-reports.ts';
import type { ReportBytes } from '../reports/report-bytes.ts';
import type { EncodedComposition, MergedJobs } from '../reports/report-engine.ts';
import type { Store } from '../storage/store.ts';

interface Stored {
  readonly jobs: Pick<Store['jobs'], 'reports'>;
  readonly mergedReports: Pick<Store['mergedReports'], 'ofBuild' | 'read'>;
}

/** The reports of jobs in as few pieces as the build's merged reports allow. */
export interface Pieces {
  readonly pieces: readonly ReportPiece[];
  /** The same, as composing takes them. */
  readonly jobs: EncodedComposition['jobs'];
  /** Keys of the build's merged reports that none of these jobs is read from. */
  readonly unused: readonly string[];
}

/**
 * For jobs of one build. Throws a Failure of code not-found if a report of theirs is no longer stored. `plain`: without
 * merged reports.
 */
export async function readPieces(
  stored: Stored,
  buildId: number,
  jobs: readonly Job[],
  { plain = false }: { readonly plain?: boolean } = {},
): Promise<Pieces> {
  const read = async (merged: readonly MergedReport[]) => {
    const pieces = piecesOf(jobs, merged);
    const reports = await readReports(stored, buildId, pieces);
    const unused = unusedReports(merged, pieces);
    const toJob = ({ flag }: ReportPiece, index: number) => ({ flag, report: reports?.[index] as ReportBytes });
    return reports && { pieces, unused, jobs: pieces.map(toJob) };
  };
  const found = await read(plain ? [] : await stored.mergedReports.ofBuild(buildId));
  // Another instance has merged some of them further: the jobs' own reports are always there.
  return found ?? { pieces: [], jobs: [], ...(await read([])), unused: [] };
}

/** Undefined: a merged one is no longer there. */
export async function readReports(
  { jobs, mergedReports }: Stored,
  buildId: number,
  pieces: readonly ReportPiece[],
): Promise<readonly ReportBytes[] | undefined> {
  const keys = pieces.flatMap(({ key }) => key ?? []);
  const merged = keys.length === 0 ? [] : await mergedReports.read(buildId, keys);
  if (merged === undefined) return undefined;
  const own = await jobs.reports(pieces.flatMap(({ key, jobs: ids }) => (key === undefined ? ids : [])));
  const [nextMerged, nextOwn] = [merged.values(), own.values()];
  return pieces.map(({ key }) => (key === undefined ? nextOwn : nextMerged).next().value as ReportBytes);
}

/** Stores what a close has merged on the way, and removes what that makes needless. */
export async function keepMerged(
  store: Pick<Store['mergedReports'], 'put' | 'remove'>,
  buildId: number,
  { pieces, unused, merged }: Omit<Pieces, 'jobs'> & { readonly merged: readonly MergedJobs[] },
): Promise<void> {
  const needless = [...unused];
  for (const { places, report } of merged) {
    const held = places.flatMap((place) => pieces[place] ?? []);
    await store.put({ buildId, flag: held[0]?.flag, jobs: held.flatMap(({ jobs }) => jobs), report });
    needless.push(...held.flatMap(({ key }) => key ?? []));
  }
  if (needless.length > 0) await store.remove(buildId, needless);
}
