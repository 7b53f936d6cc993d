import type { CodecovSettings } from './codecov-findings.ts';

/** Something to know of one file. */
export interface Note {
  /** From 1; undefined: of the whole file. */
  readonly line?: number;
  readonly sentence: string;
}

/** What becomes of one file. */
export interface FileMigration {
  /** As it is shown. */
  readonly path: string;
  readonly text: string;
  /** The same where nothing is to be changed. */
  readonly changed: string;
  readonly notes: readonly Note[];
}

/** Everything that a repo has to change. */
export interface Migration {
  readonly files: readonly FileMigration[];
  readonly codecov: readonly (CodecovSettings & { readonly path: string })[];
  readonly warnings: readonly string[];
}
