import type { SourceStore } from '../source-store.ts';
import type { Connection } from './connection.ts';

/** How many texts are looked at without a pause. */
const PAGE = 1_000;

/** Source texts in SQLite. */
export function createSourceStore({ prepare, read, write }: Connection): SourceStore {
  const isDue = 'clean_builds IS NOT removed_builds AND coalesce(begun_at, 0) <= :notAfter';
  const known = prepare(`SELECT ${isDue} AS due FROM source_looks WHERE repo_id = :repoId`);
  const make = prepare(`
    INSERT INTO source_looks (repo_id, removed_builds)
    SELECT :repoId, 0 WHERE EXISTS (SELECT 1 FROM repos WHERE id = :repoId) ON CONFLICT DO NOTHING`);
  const begin = prepare(`
    UPDATE source_looks SET begun_at = :at WHERE repo_id = :repoId AND ${isDue} RETURNING removed_builds AS removed`);
  const end = prepare('UPDATE source_looks SET clean_builds = ? WHERE repo_id = ?');
  const page = prepare(`
    SELECT digest, (SELECT named_at FROM source_ages a WHERE a.repo_id = s.repo_id AND a.digest = s.digest) AS named
    FROM sources s WHERE repo_id = ? AND digest > ? ORDER BY digest LIMIT ${PAGE}`);
  const remove = prepare(`
    DELETE FROM sources WHERE repo_id = :repoId AND digest = :digest AND NOT EXISTS (
      SELECT 1 FROM source_ages WHERE repo_id = :repoId AND digest = :digest AND named_at >= :before)`);
  const forget = prepare('DELETE FROM source_ages WHERE repo_id = ? AND digest = ?');
  return {
    async begin({ repoId, notAfter, at }) {
      // Most repos are not due: they cost no write.
      if (read(() => known.get({ repoId, notAfter })?.due) === 0) return undefined;
      return write(() => {
        make.run({ repoId });
        return begin.get({ repoId, notAfter, at })?.removed as number | undefined;
      });
    },
    end: async ({ repoId, removedBuilds }) => write(() => void end.run(removedBuilds, repoId)),
    async list({ repoId, after, before }) {
      const rows = read(() => page.all(repoId, after));
      const texts = rows.map(({ digest, named }) => ({ digest: String(digest), isOld: Number(named ?? 0) < before }));
      return { texts, next: rows.length < PAGE ? undefined : texts.at(-1)?.digest };
    },
    remove: async ({ repoId, digests, before }) =>
      write(() => {
        let count = 0;
        for (const digest of digests) {
          if (remove.run({ repoId, digest, before }).changes === 0) continue;
          forget.run(repoId, digest);
          count += 1;
        }
        return count;
      }),
  };
}
