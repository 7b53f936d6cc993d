import type { TokenUse } from '../core/repo/token-use.ts';

/**
 * Who used the tokens of repos last. They are not copied to another store, and are removed with their repo or token.
 */
export interface TokenUses {
  /** Replaces the use under the same name; nothing is written for a removed repo. */
  note(use: TokenUse): Promise<void>;
  /** Newest first, at most MAX_USES. */
  ofRepo(repoId: number): Promise<readonly TokenUse[]>;
}
