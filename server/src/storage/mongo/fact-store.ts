import type { FactStore } from '../store.ts';
import type { Connection } from './connection.ts';
import type { RepoRows } from './repo-rows.ts';
import { tablesOf } from './table.ts';

/** Bytes: half of what a document holds. */
const LARGEST = 8_000_000;

/** What the provider said once, in MongoDB. */
export function createFactStore(connection: Connection, repos: RepoRows): FactStore {
  const { facts } = tablesOf(connection);
  return {
    async find(repoId, key) {
      const fact = await facts.one({ _id: `${repoId}/${key}` });
      return fact && (JSON.parse(fact.value) as unknown);
    },
    async put({ repoId, key, value, at }) {
      if ((await repos.find(repoId)) === undefined) return;
      const fact = { repoId, at, value: JSON.stringify(value) };
      // A cache: what is too large for a document is asked again.
      if (Buffer.byteLength(fact.value) > LARGEST) return;
      await facts.update({ _id: `${repoId}/${key}` }, { $set: fact }, { upsert: true });
    },
  };
}
