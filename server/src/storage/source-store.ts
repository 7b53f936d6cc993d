import type { Timestamp } from '../core/time.ts';

/** A text that is stored. */
export interface StoredText {
  readonly digest: string;
  /** Whether no upload has named it since the moment asked for; of one that nobody noted a time for, nobody has. */
  readonly isOld: boolean;
}

/** Source texts and diffs of uploads, to find those that no build names any more. */
export interface SourceStore {
  /**
   * Begins a look through a repo's texts, unless one began after `notAfter`, or one ended and no build was removed
   * since. Answers how many builds were removed so far; undefined: not now.
   */
  begin(look: {
    readonly repoId: number;
    readonly notAfter: Timestamp;
    readonly at: Timestamp;
  }): Promise<number | undefined>;
  /** It ended, and nothing was left for another. */
  end(look: { readonly repoId: number; readonly removedBuilds: number }): Promise<void>;
  /** Texts in the order of digests; `next`: undefined after the last. */
  list(part: {
    readonly repoId: number;
    readonly after: string;
    readonly before: Timestamp;
  }): Promise<{ readonly texts: readonly StoredText[]; readonly next: string | undefined }>;
  /** Removes those that no upload has named since `before`. Answers how many went. */
  remove(texts: {
    readonly repoId: number;
    readonly digests: readonly string[];
    readonly before: Timestamp;
  }): Promise<number>;
}
