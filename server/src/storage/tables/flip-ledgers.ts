import { packLedger, unpackLedger } from '../../core/flipping/packed-ledger.ts';
import type { ArchiveRecords } from '../archive.ts';
import { type FlipLedgerStore, MAX_LEDGERS } from '../flip-ledger-store.ts';
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
      return found && unpackLedger(JSON.parse(found.ledger));
    },
    async put({ repoId, branch, ledger, after }) {
      const head = ledger.builds[0]?.id ?? 0;
      const next = { repoId, branch, head, ledger: JSON.stringify(packLedger(ledger)) };
      const written = await write(function* () {
        if (
          after === undefined &&
          (yield* ledgers.list({ where: { repoId }, limit: MAX_LEDGERS })).length >= MAX_LEDGERS
        )
          return undefined;
        return yield* ledgers.change([repoId, branch], (before) => (before?.head === after ? next : undefined));
      });
      return written !== undefined;
    },
  };
}
