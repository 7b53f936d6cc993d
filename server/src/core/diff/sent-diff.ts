/**
 * A diff that came with an upload: which commits it is of, and what its text is stored under. It counts for the build
 * of its own job alone. Whole SHAs in lower case, as the upload states them.
 */
export interface SentDiff {
  readonly base: string;
  readonly head: string;
  /** `diff-<hex SHA-256>`: no digest of a source text is written so, hence none is ever read as the other. */
  readonly digest: string;
}

/** Where it is known from what changed. */
export type DiffSource = 'provider' | 'upload';
