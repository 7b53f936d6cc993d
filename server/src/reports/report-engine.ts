import type { ComposedReport, Composition } from '../core/builds/build-report.ts';
import type { KnownDiffs } from '../core/builds/composed-change.ts';
import type { TextsSince } from '../core/builds/fit-carried.ts';
import type { Diff, FileDiff } from '../core/diff/file-diff.ts';
import { Failure, type FailureDetails } from '../core/failure.ts';
import type { MergeObstacle } from '../core/verdict/reason.ts';
import type { ChangeDiffs, ChangeSums } from '../core/verdict/split-change.ts';
import type { ReportBytes } from './report-bytes.ts';

/** All that merging a build asks, which takes long and much memory. Throws CannotMerge if no try can succeed. */
export interface Merger {
  /** Decodes, merges, counts and compares; answers plain data and the merged report, encoded. */
  compose(input: EncodedComposition): Promise<EncodedComposed>;
  /** Reports of one flag as one, which can be merged further (MergedReports). Takes them: they may be empty then. */
  mergeReports(reports: readonly ReportBytes[]): Promise<ReportBytes>;
  /**
   * What moved flags against the base build, in exact counts: in the order asked for. Merges and compares one flag
   * after the other.
   */
  splitFlags(asked: EncodedFlags): Promise<readonly FlagSplit[]>;
  /**
   * Which carried files have changed since and have both texts stored, by flag and name; at most MAX_CHANGED_CARRIED.
   * Opens no columns.
   */
  findChangedCarried(asked: Pick<EncodedComposition, 'jobs' | 'carried'>): Promise<readonly ChangedCarried[]>;
  /**
   * What changed between two stored source texts of a file. Undefined if it is not worth finding: the texts differ too
   * much, are larger than MAX_DIFFED_TEXT, or cannot be read.
   */
  diffSources(asked: SourcePair): Promise<FileDiff | undefined>;
}

/** The heavy arithmetic of a close, off the main thread. */
export interface ReportEngine extends Merger {
  /**
   * Runs all that merging one build asks when its repo's turn comes: the repo that was served least recently goes
   * first. The whole has the time that one merge may take.
   */
  merge<Value>(repoId: number, work: (merger: Merger) => Promise<Value>): Promise<Value>;
  /** A diff that came with an upload, as it is stored. Undefined if it cannot be read. */
  readDiff(stored: Uint8Array): Promise<Diff | undefined>;
}

/** These reports can never be merged, as they are and with the limits of now. */
export class CannotMerge extends Failure {
  readonly obstacle: MergeObstacle;

  constructor(obstacle: MergeObstacle, message = `Not merged: ${obstacle.kind}.`, details: FailureDetails = {}) {
    super(obstacle.kind === 'damaged' ? 'internal' : 'payload-too-large', message, details);
    this.obstacle = obstacle;
  }
}

/** Carried files whose texts are compared at a close; for the others the provider's diff alone decides. */
export const MAX_CHANGED_CARRIED = 200;

/** Bytes of a source text that is compared. A larger one was hardly written by hand. */
export const MAX_DIFFED_TEXT = 4 * 2 ** 20;

export interface EncodedComposition {
  /** The jobs that count; a report may be that of several, merged before. */
  readonly jobs: readonly { readonly flag: string | undefined; readonly report: ReportBytes }[];
  readonly carried: readonly EncodedCarried[];
  /** The merged report of the base build. */
  readonly base: ReportBytes | undefined;
  readonly diffs?: KnownDiffs | undefined;
  readonly parts?: Composition['parts'];
  readonly choice?: Composition['choice'];
  readonly baseChoice?: Composition['baseChoice'];
  readonly flips?: Composition['flips'];
}

/** Flags that jobs brought to a build and to its base. */
export interface EncodedFlags {
  readonly flags: readonly {
    readonly flag: string;
    /** For the build's jobs that count and for the base's. */
    readonly reports: readonly ReportBytes[];
    readonly baseReports: readonly ReportBytes[];
  }[];
  readonly diffs: ChangeDiffs;
  /** As of the composition: jobs are stored with all that they report. */
  readonly choice?: Composition['choice'];
}

export interface FlagSplit {
  readonly flag: string;
  readonly split: ChangeSums;
}

export interface EncodedCarried extends TextsSince {
  readonly flag: string;
  /** For the jobs that make it up. */
  readonly reports: readonly ReportBytes[];
}

export type EncodedComposed = Omit<ComposedReport, 'report'> & {
  readonly report: ReportBytes;
  /** What was merged of `jobs` on the way and would spare the next merge of the build some work. */
  readonly mergedJobs: readonly MergedJobs[];
};

export interface MergedJobs {
  /** Places in `jobs`, all of one flag. */
  readonly places: readonly number[];
  readonly report: ReportBytes;
}

/** A carried file that a job of the build names with another digest (rule 16). */
export interface ChangedCarried {
  readonly flag: string;
  /** As reports have it. */
  readonly name: string;
  /** Under which the carried text and the build's are stored (hex SHA-256). */
  readonly from: string;
  readonly to: string;
}

export interface SourcePair {
  readonly name: string;
  /** Compressed with zstd, as stored. */
  readonly from: Uint8Array;
  readonly to: Uint8Array;
}
