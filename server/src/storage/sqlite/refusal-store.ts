import { KEPT_REFUSED, MOST_REFUSED, type RefusedUpload } from '../../core/builds/refused-upload.ts';
import type { RefusalStore } from '../refusal-store.ts';
import type { Connection } from './connection.ts';
import { selectRecords, writeRecord } from './records.ts';

/** Refused uploads in SQLite. */
export function createRefusalStore(connection: Connection): RefusalStore {
  const { prepare, write } = connection;
  const note = prepare(`
    INSERT INTO refused_uploads (repo_id, key, last_at, record)
    SELECT :repoId, :key, :at, :record WHERE EXISTS (SELECT 1 FROM repos WHERE id = :repoId)
    ON CONFLICT (repo_id, key) DO UPDATE SET last_at = excluded.last_at, record = json_set(excluded.record,
      '$.count', (record ->> 'count') + (excluded.record ->> 'count'), '$.firstAt', record ->> 'firstAt')`);
  const forget = prepare(`
    DELETE FROM refused_uploads WHERE repo_id = :repoId AND last_at < max(:since, coalesce(
      (SELECT last_at FROM refused_uploads WHERE repo_id = :repoId ORDER BY last_at DESC LIMIT 1 OFFSET :beyond), 0))`);
  const list = selectRecords<RefusedUpload>(
    connection,
    'SELECT record FROM refused_uploads WHERE repo_id = ? AND last_at >= ? ORDER BY last_at DESC',
  );
  return {
    note: async (refused) =>
      write(() => {
        const { repoId, key, lastAt: at } = refused;
        note.run({ repoId, key, at, record: writeRecord(refused) });
        forget.run({ repoId, since: at - KEPT_REFUSED, beyond: MOST_REFUSED - 1 });
      }),
    list,
  };
}
