/** Where a change against the base comes from, in sentences and exact counts (domain/verdict/split-change). */
export interface ChangeCause {
  /** What moved the most, and what would pass: a sentence. */
  readonly sentence: string;
  /** What moved the most in few words, for a commit status; undefined where the total did not fall. */
  readonly clause: string | undefined;
  /** What would pass in few words, for a commit status; absent where the verdict does not fail, or nothing would. */
  readonly remedy?: string | undefined;
  /**
   * Percentage points of each part, with as many decimals as they need; they sum to the change exactly before rounding.
   */
  readonly parts: readonly {
    readonly part: 'changed' | 'outside' | 'untouched' | 'removed' | 'unexplained';
    readonly points: string;
  }[];
}
