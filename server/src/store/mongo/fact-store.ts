import type { FactStore } from '../../ports/store.ts';
import type { Connection } from './connection.ts';
import type { RepoRows } from './repo-rows.ts';

/** What the provider said once, in MongoDB. */
export function createFactStore({ collections: { facts }, run }: Connection, repos: RepoRows): FactStore {
  return {
    async find(repoId, key) {
      const fact = await run(() => facts.findOne({ _id: `${repoId}/${key}` }));
      return fact === null ? undefined : (JSON.parse(fact.value) as unknown);
    },
    async put({ repoId, key, value, at }) {
      if ((await repos.find(repoId)) === undefined) return;
      const fact = { repoId, at, value: JSON.stringify(value) };
      await run(() => facts.updateOne({ _id: `${repoId}/${key}` }, { $set: fact }, { upsert: true }));
    },
  };
}
