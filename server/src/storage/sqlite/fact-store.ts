import type { FactStore } from '../store.ts';
import type { Connection } from './connection.ts';

/** What the provider said once, in SQLite. */
export function createFactStore({ prepare, read, write }: Connection): FactStore {
  const find = prepare('SELECT value FROM facts WHERE repo_id = ? AND key = ?');
  const put = prepare(`
    INSERT INTO facts (repo_id, key, at, value)
    SELECT :repoId, :key, :at, :value WHERE EXISTS (SELECT 1 FROM repos WHERE id = :repoId)
    ON CONFLICT (repo_id, key) DO UPDATE SET at = excluded.at, value = excluded.value`);
  return {
    find: async (repoId, key) =>
      read(() => {
        const row = find.get(repoId, key);
        return row === undefined ? undefined : (JSON.parse(row.value as string) as unknown);
      }),
    put: async ({ repoId, key, value, at }) =>
      write(() => {
        put.run({ repoId, key, at, value: JSON.stringify(value) });
      }),
  };
}
