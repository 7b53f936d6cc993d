import type { ProviderSources } from '../store.ts';
import type { Connection } from './connection.ts';

/** Source texts that the provider was asked for, in SQLite. */
export function createProviderSources({ prepare, read, write }: Connection): ProviderSources {
  const find = prepare('SELECT digest, bytes FROM provider_sources WHERE repo_id = ? AND key = ?');
  const put = prepare(`
    INSERT INTO provider_sources (repo_id, key, digest, at, size, bytes)
    SELECT :repoId, :key, :digest, :at, :size, :bytes WHERE EXISTS (SELECT 1 FROM repos WHERE id = :repoId)
    ON CONFLICT (repo_id, key) DO UPDATE SET
      digest = excluded.digest, at = excluded.at, size = excluded.size, bytes = excluded.bytes`);
  const total = prepare('SELECT sum(size) AS total FROM provider_sources WHERE repo_id = ?');
  const oldest = prepare('SELECT key, size FROM provider_sources WHERE repo_id = ? ORDER BY at, key LIMIT 1');
  const remove = prepare('DELETE FROM provider_sources WHERE repo_id = ? AND key = ?');
  return {
    find: async (repoId, key) =>
      read(() => {
        const row = find.get(repoId, key);
        return row && { digest: row.digest as string, bytes: row.bytes as Uint8Array };
      }),
    put: async ({ repoId, key, source: { digest, bytes }, maxBytes, at }) =>
      write(() => {
        put.run({ repoId, key, digest, at, size: bytes.length, bytes });
        let size = Number(total.get(repoId)?.total ?? 0);
        while (size > maxBytes) {
          const first = oldest.get(repoId);
          if (first === undefined) return;
          remove.run(repoId, first.key as string);
          size -= Number(first.size);
        }
      }),
  };
}
