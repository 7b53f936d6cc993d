import type { Build } from '../core/builds/build.ts';
import { isCloseRequested } from '../core/builds/close-due.ts';
import { countedJobs } from '../core/builds/counted-jobs.ts';
import { isMergeWorthALook, nextToMerge, piecesOf, unusedReports } from '../core/builds/merged-reports.ts';
import { freeReport } from '../reports/report-bytes.ts';
import type { Merger, ReportEngine } from '../reports/report-engine.ts';
import type { Services } from '../services/services.ts';
import { mergedKey } from '../storage/merged-key.ts';
import { readReports } from './read-pieces.ts';

type Stored = Pick<Services, 'builds' | 'jobs' | 'mergedReports'>;

type Merging = Stored & Pick<Services, 'logger'> & { readonly engine: Pick<ReportEngine, 'merge'> };

/**
 * Merges reports of builds that are still open, so that their close has less to do. What waits is kept in memory: if it
 * is lost, or two instances do it, only work is lost.
 */
export interface MergeAhead {
  /** A build took a job. */
  noteJob(build: Build): void;
  /** Works on one of the builds that wait; false: none does. */
  run(): Promise<boolean>;
}

/** Builds whose reports could not be merged are left to their close; this many are remembered. */
const MAX_REMEMBERED = 1_000;

export function createMergeAhead(services: Merging, onWaiting: () => void): MergeAhead {
  const { logger } = services;
  /** With their repos. */
  const waiting = new Map<number, number>();
  const failed = new Set<number>();
  return {
    noteJob(build) {
      if (!isMergeWorthALook(build.jobs) || isCloseRequested(build) || failed.has(build.id)) return;
      waiting.set(build.id, build.repoId);
      onWaiting();
    },
    async run() {
      const [next] = waiting;
      if (next === undefined) return false;
      const [buildId, repoId] = next;
      waiting.delete(buildId);
      try {
        while (await mergeOnce(services, repoId, buildId));
      } catch (error) {
        if (failed.size >= MAX_REMEMBERED) failed.clear();
        failed.add(buildId);
        logger.warn({ build: buildId, err: error }, 'reports could not be merged ahead; the close does it');
      }
      return true;
    },
  };
}

/** Each merge waits for its own turn, so that no close waits for more than one of them. */
function mergeOnce(services: Merging, repoId: number, buildId: number): Promise<boolean> {
  return services.engine.merge(repoId, (merger) => mergeGroup(services, merger, buildId));
}

/** False: nothing is left to do. */
async function mergeGroup(stored: Stored, merger: Merger, buildId: number): Promise<boolean> {
  const { builds, jobs, mergedReports } = stored;
  const build = await builds.find(buildId);
  // A close that is due merges what is left by itself.
  if (build === undefined || isCloseRequested(build)) return false;
  const merged = await mergedReports.ofBuild(buildId);
  const counted = countedJobs(await jobs.ofBuild(buildId));
  const pieces = piecesOf(counted, merged);
  const unused = unusedReports(merged, pieces);
  if (unused.length > 0) await mergedReports.remove(buildId, unused);
  const group = nextToMerge(pieces);
  const reports = group && (await readReports(stored, buildId, group));
  if (group === undefined || reports === undefined) return false;
  const report = await merger.mergeReports(reports);
  const made = { flag: group[0]?.flag, jobs: group.flatMap((piece) => piece.jobs) };
  await mergedReports.put({ buildId, ...made, report });
  freeReport(report);
  // Another look reads the build and its jobs once more: only where there is a group, or what the new one replaces.
  const after = [...merged, { key: mergedKey(made.jobs), ...made }];
  const left = piecesOf(counted, after);
  return nextToMerge(left) !== undefined || unusedReports(after, left).length > 0;
}
