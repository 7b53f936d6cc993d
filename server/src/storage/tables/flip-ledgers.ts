import type { FlipLedger } from '../../core/flipping/flip-ledger.ts';
import { packLedger, unpackLedger } from '../../core/flipping/packed-ledger.ts';
import type { ArchiveRecords } from '../archive.ts';
import { type FlipLedgerStore, MAX_LEDGERS, QUIET_BRANCH } from '../flip-ledger-store.ts';
import type { Declaration, Units } from '../table.ts';

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
export function createFlipLedgerStore({ table, read, write }: Units): FlipLedgerStore {
  const ledgers = table(FLIP_LEDGERS);
  return {
    async find(repoId, branch) {
      const found = await read(() => ledgers.one({ repoId, branch }));
      return found && readLedger(found);
    },
    async put({ repoId, branch, ledger, after, defaultBranches }) {
      const head = ledger.builds[0]?.id ?? 0;
      const next = { repoId, branch, head, ledger: JSON.stringify(packLedger(ledger)) };
      const written = await write(function* () {
        const others = after === undefined ? yield* ledgers.list({ where: { repoId }, limit: MAX_LEDGERS }) : [];
        if (others.length >= MAX_LEDGERS && others.every((other) => other.branch !== branch)) {
          const quiet = findQuiet(others, { branch, ledger, defaultBranches });
          if (quiet === undefined) return undefined;
          yield* ledgers.remove({ repoId, branch: quiet.branch, head: quiet.head });
        }
        return yield* ledgers.change([repoId, branch], (before) => (before?.head === after ? next : undefined));
      });
      return written !== undefined;
    },
  };
}

/** The branch whose newest build is the oldest, if its place is another's. */
function findQuiet(
  all: readonly StoredLedger[],
  {
    branch,
    ledger,
    defaultBranches,
  }: Pick<Parameters<FlipLedgerStore['put']>[0], 'branch' | 'ledger' | 'defaultBranches'>,
): StoredLedger | undefined {
  const [oldest] = all.filter((one) => !defaultBranches.includes(one.branch)).toSorted((a, b) => a.head - b.head);
  if (oldest === undefined || defaultBranches.includes(branch)) return oldest;
  const at = (of: FlipLedger): number => of.builds[0]?.at ?? 0;
  return at(ledger) - at(readLedger(oldest)) > QUIET_BRANCH ? oldest : undefined;
}

function readLedger({ ledger }: StoredLedger): FlipLedger {
  return unpackLedger(JSON.parse(ledger));
}
