import type { ArchiveRecords } from '../archive.ts';
import type { FactStore, NewFact } from '../store.ts';
import type { Declaration, Units } from '../table.ts';

/** Bytes: half of what a document of MongoDB holds. */
const LARGEST = 8_000_000;

/** A value is JSON as text: its keys may be anything. */
export const FACTS: Declaration<ArchiveRecords['fact'], 'facts'> = {
  name: 'facts',
  key: ['repoId', 'key'],
  columns: ['at', 'value'],
  flat: true,
  ofRepo: true,
  indexes: [['repo', { repoId: 1 }, 'removing a repo']],
  copied: 'fact',
};

/** What the provider said once. */
export function createFactStore({ table, read, write }: Units): FactStore {
  const facts = table(FACTS);
  return {
    async find(repoId, key) {
      const fact = await read(() => facts.one({ repoId, key }));
      return fact && (JSON.parse(fact.value) as unknown);
    },
    async put(fact) {
      const record = recordOf(fact);
      if (record !== undefined) await write(() => facts.put(record));
    },
    async add(fact) {
      const record = recordOf(fact);
      if (record === undefined) return;
      await write(() => facts.change([record.repoId, record.key], (earlier) => (earlier ? undefined : record)));
    },
  };
}

/** Undefined if it is too large for a document: a cache, so it is asked again. */
function recordOf({ repoId, key, at, value }: NewFact): ArchiveRecords['fact'] | undefined {
  const record = { repoId, key, at, value: JSON.stringify(value) };
  return Buffer.byteLength(record.value) <= LARGEST ? record : undefined;
}
