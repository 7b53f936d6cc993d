import type { CarryforwardRequest } from '../core/builds/build.ts';

/** What is to be judged as a pull request's build. Commits are whole shas in lower case. */
export interface PreviewQuestion {
  readonly head: string;
  readonly branch: string | undefined;
  readonly baseBranch: string | undefined;
  readonly mergeBase: string | undefined;
  /** First parents of the merge base, nearest first; undefined: not stated. */
  readonly ancestors: readonly string[] | undefined;
  readonly pullRequest: number | undefined;
  /** Undefined: as the repo's pull requests were tested last. */
  readonly testedAtMerge: boolean | undefined;
  readonly carryforward: CarryforwardRequest | undefined;
  /** The repo's own file where the change begins and at the head, null for none; undefined: not stated. */
  readonly files: { readonly base: SentFile | null | undefined; readonly head: SentFile | null | undefined };
}

/** A `coverage.yml`: hostile text. */
export interface SentFile {
  readonly path: string;
  readonly text: string;
}
