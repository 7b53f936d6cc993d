import type { Build, BuildResult } from '../core/builds/build.ts';
import type { Job } from '../core/builds/job.ts';
import type { AuditEntry } from '../core/repo/audit.ts';
import type { Repo, StoredRepoToken } from '../core/repo/repo.ts';
import type { Timestamp } from '../core/time.ts';
import type { ReportBytes } from '../reports/report-bytes.ts';

/** What the provider said once: its JSON as text. */
export interface StoredFact {
  readonly key: string;
  readonly at: Timestamp;
  readonly value: string;
}

/** A whole repo, taken to another server. */
export interface RepoTransfers {
  /** Builds of a repo behind this sequence, in its order, open ones too. */
  buildsAfter(query: {
    readonly repoId: number;
    readonly sequence: number;
    readonly limit: number;
  }): Promise<readonly Build[]>;
  /** Facts behind this key, in the order of keys. */
  factsAfter(query: {
    readonly repoId: number;
    readonly key: string;
    readonly limit: number;
  }): Promise<readonly StoredFact[]>;
  /**
   * Begins a repo that nobody sees before `finish`; ends an earlier import of that name. One that nothing is added to
   * for ten minutes is cleared away.
   */
  begin(plan: ImportPlan): Promise<RepoImport>;
  /** Clears away imports that were cut off. */
  clear(): Promise<void>;
  /**
   * Adds closed builds below all that a repo has: the first takes the sequence below its lowest, 0 where that is its
   * first own. Each is there with all that belongs to it, or not at all. False: the repo is gone. Throws a Failure
   * `conflict` if another import adds to it at the same time.
   */
  addOlder(repoId: number, builds: readonly OlderBuild[]): Promise<boolean>;
}

/** A build that another service had, before it has its place here. */
export interface OlderBuild {
  /** Its result counts the jobs beside it. */
  readonly build: Omit<Build, 'id' | 'repoId' | 'sequence'> & { readonly result: BuildResult };
  /** In order of number. */
  readonly jobs: readonly {
    readonly job: Omit<Job, 'id' | 'repoId' | 'buildId' | 'number'>;
    readonly report: ReportBytes;
  }[];
  /** All of them merged; undefined if its lines are not known. */
  readonly report: ReportBytes | undefined;
}

/** Such a build where it belongs. */
export interface PlacedBuild {
  readonly build: Build;
  readonly jobs: readonly { readonly job: Job; readonly report: ReportBytes }[];
  readonly report: ReportBytes | undefined;
}

export function placeOlder(
  { build, jobs, report }: OlderBuild,
  place: Pick<Build, 'id' | 'repoId' | 'sequence'>,
  jobIds: readonly number[],
): PlacedBuild {
  const { id: buildId, repoId } = place;
  return {
    build: { ...build, ...place, result: { ...build.result, countedJobs: jobIds } },
    jobs: jobs.map(({ job, report: own }, at) => ({
      job: { ...job, id: jobIds[at] as number, repoId, buildId, number: at + 1 },
      report: own,
    })),
    report,
  };
}

/** The sequence of the first build that is added below these. */
export function sequenceBelow(lowest: number | undefined): number {
  return Math.min(lowest ?? 1, 1) - 1;
}

export interface ImportPlan {
  readonly repo: Omit<Repo, 'id'>;
  /** The highest ids that it would like to keep. */
  readonly lastBuildId: number;
  readonly lastJobId: number;
}

/** Each method throws a Failure `conflict` once the import was cleared away. */
export interface RepoImport {
  readonly repoId: number;
  /** In the order asked for: the same id if no build of this server has it, else a new one. */
  takeBuildIds(ids: readonly number[]): Promise<readonly number[]>;
  /** Likewise; where several processes share the store, an id that was in reach of another is given up. */
  takeJobIds(ids: readonly number[]): Promise<readonly number[]>;
  addBuild(build: Build, report: ReportBytes | undefined): Promise<void>;
  /** For one build that was added, in order of number. */
  addJobs(jobs: readonly { readonly job: Job; readonly report: ReportBytes }[]): Promise<void>;
  /** Texts by their digests, compressed with zstd. */
  addSources(sources: readonly { readonly digest: string; readonly bytes: Uint8Array }[]): Promise<void>;
  addFacts(facts: readonly StoredFact[]): Promise<void>;
  /** The one write by which everybody sees it. False: its name was taken in the meantime. */
  finish(
    end: {
      readonly repo: Repo;
      readonly token: StoredRepoToken;
      readonly lastSequence: number;
      /** As many as were added: else some were lost. */
      readonly builds: number;
    },
    audit: AuditEntry,
  ): Promise<boolean>;
  /** Takes everything of it away. */
  discard(): Promise<void>;
}

/** After this long without a sign of it, an import was cut off. In ms. */
export const IMPORT_PAUSE = 10 * 60_000;
