import type { FlipLedger } from '../core/flipping/flip-ledger.ts';

/** Which lines flip on the branches of a repo (rules.md, "Lines that flip"). */
export interface FlipLedgerStore {
  find(repoId: number, branch: string): Promise<FlipLedger | undefined>;
  /**
   * Writes a ledger after the one whose newest build is `after`; undefined: after none. False if another one is there,
   * since another server wrote it meanwhile, and if the repo was removed or has as many ledgers as it may have.
   */
  put(entry: {
    readonly repoId: number;
    readonly branch: string;
    readonly ledger: FlipLedger;
    readonly after: number | undefined;
  }): Promise<boolean>;
}

/** Branches of one repo that have a ledger. */
export const MAX_LEDGERS = 6;
