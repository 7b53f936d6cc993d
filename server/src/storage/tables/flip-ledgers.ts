import { beginLedger, type FlipLedger } from '../../core/flipping/flip-ledger.ts';
import { packLedger, unpackLedger } from '../../core/flipping/packed-ledger.ts';
import type { ArchiveRecords } from '../archive.ts';
import {
  type FlipLedgerStore,
  MAX_LEDGER_BYTES,
  MAX_LEDGERS,
  type NextLedger,
  QUIET_BRANCH,
} from '../flip-ledger-store.ts';
import type { Declaration, Table, Units, Work } from '../table.ts';

type StoredLedger = ArchiveRecords['flip-ledger'];

/** A ledger is JSON as text: names of files may be anything. */
export const FLIP_LEDGERS: Declaration<StoredLedger, 'flip_ledgers'> = {
  name: 'flip_ledgers',
  key: ['repoId', 'branch'],
  columns: ['head', 'ledger'],
  flat: true,
  ofRepo: true,
  indexes: [['repo', { repoId: 1, _id: 1 }, 'ledgers of a repo; removing a repo']],
  copied: 'flip-ledger',
};

/** Which lines flip on a branch. */
export function createFlipLedgerStore({ table, read }: Units): FlipLedgerStore {
  const ledgers = table(FLIP_LEDGERS);
  return {
    async find(repoId, branch) {
      const found = await read(() => ledgers.one({ repoId, branch }));
      return found && readLedger(found);
    },
    async branches(repoId) {
      const found = await read(() => ledgers.list({ where: { repoId }, limit: MAX_LEDGERS }));
      return found.map(({ branch }) => branch).sort();
    },
  };
}

/** What a close writes of a ledger, as it may wait in the document of its build. */
export interface PackedNext extends StoredLedger, Pick<NextLedger, 'after' | 'defaultBranches'> {
  /** When its newest build was closed, in ms. */
  readonly at: number;
}

/** One that takes too many bytes begins again with its newest build. */
export function packNext(repoId: number, { branch, ledger, after, defaultBranches }: NextLedger): PackedNext {
  const [newest] = ledger.builds;
  const text = JSON.stringify(packLedger(ledger));
  const isTooLarge = newest !== undefined && Buffer.byteLength(text) > MAX_LEDGER_BYTES;
  return {
    ...{ repoId, branch, after, defaultBranches, head: newest?.id ?? 0, at: newest?.at ?? 0 },
    ledger: isTooLarge ? JSON.stringify(packLedger({ ...beginLedger(newest), overflow: 0 })) : text,
  };
}

/** Writes a ledger unless another one came in between: the same twice changes nothing. */
export function* writeNext(ledgers: Table<StoredLedger>, next: PackedNext): Work<void> {
  const { repoId, branch, head, ledger, after } = next;
  const others = after === undefined ? yield* ledgers.list({ where: { repoId }, limit: MAX_LEDGERS }) : [];
  if (others.length >= MAX_LEDGERS && others.every((other) => other.branch !== branch)) {
    const quiet = findQuiet(others, next);
    if (quiet === undefined) return;
    yield* ledgers.remove({ repoId, branch: quiet.branch, head: quiet.head });
  }
  const written = { repoId, branch, head, ledger };
  yield* ledgers.change([repoId, branch], (before) => (before?.head === after ? written : undefined));
}

/** The branch whose newest build is the oldest, if its place is another's. */
function findQuiet(
  all: readonly StoredLedger[],
  { branch, at, defaultBranches }: PackedNext,
): StoredLedger | undefined {
  const [oldest] = all.filter((one) => !defaultBranches.includes(one.branch)).toSorted((a, b) => a.head - b.head);
  if (oldest === undefined || defaultBranches.includes(branch)) return oldest;
  return at - (readLedger(oldest).builds[0]?.at ?? 0) > QUIET_BRANCH ? oldest : undefined;
}

function readLedger({ ledger }: StoredLedger): FlipLedger {
  return unpackLedger(JSON.parse(ledger));
}
