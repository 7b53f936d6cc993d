import type { FlipLedger } from '../core/flipping/flip-ledger.ts';

/** Which lines flip on the branches of a repo (rules.md, "Lines that flip"). Closes write it. */
export interface FlipLedgerStore {
  /** `of`: a build of the branch whose close is done. What it wrote of the ledger is in the answer. */
  find(repoId: number, branch: string, of?: number): Promise<FlipLedger | undefined>;
  /** The branches that have one, by name. */
  branches(repoId: number): Promise<readonly string[]>;
}

/**
 * A ledger that a close writes with the build. It follows the one whose newest build is `after`; undefined: none. If
 * another one is there, since another build was closed in the meantime, that one stays, and so it does if this would be
 * one too many. A branch without a build for QUIET_BRANCH gives its place to another, and any branch gives it to a
 * default one.
 */
export interface NextLedger {
  readonly branch: string;
  readonly ledger: FlipLedger;
  readonly after: number | undefined;
  readonly defaultBranches: readonly string[];
}

/** Branches of one repo that have a ledger. */
export const MAX_LEDGERS = 6;

/** In ms, by the newest builds of both. */
export const QUIET_BRANCH = 14 * 24 * 60 * 60 * 1_000;

/** For a ledger as it is stored: 20,000 records and as many names of files take 3 MB, and a name may be hostile. */
export const MAX_LEDGER_BYTES = 4 * 1_048_576;
