import type { FlipLedger } from '../core/flipping/flip-ledger.ts';

/** Which lines flip on the branches of a repo (rules.md, "Lines that flip"). */
export interface FlipLedgerStore {
  find(repoId: number, branch: string): Promise<FlipLedger | undefined>;
  /**
   * Writes a ledger after the one whose newest build is `after`; undefined: after none. False if another one is there,
   * since another server wrote it meanwhile, if the repo was removed, and if it would be one too many. A branch without
   * a build for QUIET_BRANCH gives its place to another, and any branch gives it to a default one.
   */
  put(entry: {
    readonly repoId: number;
    readonly branch: string;
    readonly ledger: FlipLedger;
    readonly after: number | undefined;
    readonly defaultBranches: readonly string[];
  }): Promise<boolean>;
}

/** Branches of one repo that have a ledger. */
export const MAX_LEDGERS = 6;

/** In ms, by the newest builds of both. */
export const QUIET_BRANCH = 14 * 24 * 60 * 60 * 1_000;
