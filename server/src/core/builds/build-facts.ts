import type { CoverageTotals } from '../coverage/totals.ts';
import type { DiffSource } from '../diff/sent-diff.ts';
import type { Timestamp } from '../time.ts';
import type { FlagVerdict } from '../verdict/verdict.ts';

/** The changed lines of a pull request, or of a push against its base: how many of them are covered (rule 2). */
export interface PatchResult {
  readonly totals: CoverageTotals;
  /** Files with changed relevant lines, at most MAX_FILE_CHANGES, worst first. */
  readonly files: readonly {
    readonly name: string;
    readonly totals: CoverageTotals;
    readonly uncovered: readonly (readonly [first: number, last: number])[];
    readonly uncoveredRanges: number;
    /** Changed lines with a missed branch alone, at most MAX_RANGES; absent in results of earlier versions. */
    readonly partlyCovered?: readonly number[] | undefined;
    /** How many there are in all. */
    readonly partlyCoveredLines?: number | undefined;
  }[];
  readonly fileCount: number;
  /** Changed source files that no report names, at most MAX_FILE_CHANGES. */
  readonly unmeasured: readonly string[];
  readonly unmeasuredCount: number;
  /**
   * Changed lines of files that carried reports alone name, and that are newer than these (rule 16): they have no share
   * in the sums. Absent if there are none.
   */
  readonly notMeasured?: { readonly files: number; readonly lines: number } | undefined;
  /** False: the source of the diff could not list every file or line. */
  readonly complete: boolean;
  /** Where the diff comes from, `upload` also if only some file's lines do; absent: the provider. */
  readonly source?: DiffSource | undefined;
  /** Undefined if neither status nor minimum is asked for. */
  readonly verdict: FlagVerdict | undefined;
}

/**
 * Uncovered changed lines as they are marked beside the code: in the text of the commit that statuses go to, which
 * is not the tested one where that is a merge.
 */
export interface Annotations {
  /**
   * At most MAX_MARKS, file by file, the worst covered change first, within one by line. No line of them is covered.
   */
  readonly places: readonly AnnotationPlace[];
  /** How many more there are. */
  readonly more: number;
  /** Files with uncovered changed lines that cannot be found in that text. */
  readonly lostFiles: number;
}

/** A run of uncovered changed lines. */
export interface AnnotationPlace {
  /** As git names it: hostile text. */
  readonly file: string;
  /** From 1 on, both included. Lines between them that no report calls relevant do not break a run. */
  readonly first: number;
  readonly last: number;
}

/** As many as GitHub takes in one request. */
export const MAX_MARKS = 50;

/** Characters of a pull request's title that are kept. */
export const MAX_TITLE = 300;

/** What the provider said of a build's commits and its pull request. SHAs are whole. */
export interface BuildFacts {
  readonly askedAt: Timestamp;
  /** Everything that rules 18 to 21 ask for was answered, if only by "there is none". */
  readonly complete: boolean;
  readonly pull:
    | {
        readonly headCommit: string;
        readonly baseBranch: string;
        readonly state: 'open' | 'closed';
        /** Hostile text, at most MAX_TITLE characters; absent if it has none, and in builds of earlier versions. */
        readonly title?: string | undefined;
        /** By the provider's clock; absent if it did not say. */
        readonly openedAt?: Timestamp | undefined;
        readonly merged: boolean;
        readonly landedCommit: string | undefined;
        readonly fromFork: boolean;
      }
    | undefined;
  /** The tree that was tested, for adoption. */
  readonly tree: string | undefined;
  /** The first parent of the merge commit that was tested, or of a merge queue's commit. */
  readonly mergeParent: string | undefined;
  /** For any other pull request. */
  readonly mergeBase: string | undefined;
  /**
   * First parents of where the base is looked for, nearest first (rule 18: at most 100); kept apart, under this commit.
   */
  readonly ancestorsOf: string | undefined;
  /** So far, only the upload names the pull request: nothing is posted there (rule 29). */
  readonly pullUnproven?: true | undefined;
  /** A fork's build of a commit that a branch of the repo itself points to: its statuses are that branch's too. */
  readonly copiesHead?: true | undefined;
}

/**
 * `carried`: a close came, and every leg of the run was skipped: its flags are carried. `nothing-due`: no file that the
 * base measures was changed. `none-came`: coverage was expected.
 */
export type EmptyReason = 'carried' | 'nothing-due' | 'none-came';

/** How a build came to count for a branch that it was not built on. */
export interface Landing {
  readonly branch: string;
  /**
   * The commit on that branch: the build's own (a merge queue's, a fast-forward), or one with the same tree (a squash).
   */
  readonly commit: string;
  readonly how: 'merge-queue' | 'same-commit' | 'same-tree';
  readonly at: Timestamp;
}

/** Who accepted a failure, and why. */
export interface AcceptedBy {
  readonly by: string;
  readonly at: Timestamp;
  /** For people: hostile text. */
  readonly reason: string;
}

/** Numbers that were accepted. */
export interface AcceptedNumbers {
  readonly totals: CoverageTotals | undefined;
  readonly baseTotals: CoverageTotals | undefined;
}

/** A maintainer accepted what failed in one result. */
export interface Acceptance extends AcceptedBy {
  /** For the total, if the build's own status failed; absent if that passed. */
  readonly build?: AcceptedNumbers;
  /** For the changed lines'. */
  readonly patch?: AcceptedNumbers;
  /** At most MAX_ACCEPTED. */
  readonly flags: readonly (AcceptedNumbers & { readonly name: string })[];
  /** At most MAX_ACCEPTED; absent if none fails. */
  readonly groups?: readonly (AcceptedNumbers & { readonly id: string })[];
  /** For the lines that lost coverage without a change of theirs; absent if that passed. */
  readonly elsewhere?: { readonly lines: number };
}
