import type { TokenUse } from '../core/repo/token-use.ts';

/** By whom repos' tokens were used last; not copied to another store. They go with their repo, and with the token. */
export interface TokenUses {
  /** Replaces the use under the same name; nothing is written for a removed repo. */
  note(use: TokenUse): Promise<void>;
  /** Newest first, at most MAX_USES. */
  ofRepo(repoId: number): Promise<readonly TokenUse[]>;
}
