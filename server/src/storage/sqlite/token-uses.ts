import { MOST_USES, type TokenUse } from '../../core/repo/token-use.ts';
import type { TokenUses } from '../token-uses.ts';
import type { Connection } from './connection.ts';
import { selectRecords, writeRecord } from './records.ts';

/** Uses of repos' tokens, in SQLite. */
export function createTokenUses(connection: Connection): TokenUses {
  const { prepare, write } = connection;
  const note = prepare(`
    INSERT INTO repo_token_uses (repo_id, named, at, record)
    SELECT :repoId, :named, :at, :record WHERE EXISTS (SELECT 1 FROM repos WHERE id = :repoId)
    ON CONFLICT (repo_id, named) DO UPDATE SET at = excluded.at, record = excluded.record`);
  const forget = prepare(`
    DELETE FROM repo_token_uses WHERE repo_id = :repoId AND named IN (
      SELECT named FROM repo_token_uses WHERE repo_id = :repoId ORDER BY at DESC LIMIT -1 OFFSET :most)`);
  return {
    note: async (use) =>
      write(() => {
        const { repoId, named, at } = use;
        note.run({ repoId, named, at, record: writeRecord(use) });
        forget.run({ repoId, most: MOST_USES });
      }),
    ofRepo: selectRecords<TokenUse>(
      connection,
      'SELECT record FROM repo_token_uses WHERE repo_id = ? ORDER BY at DESC',
    ),
  };
}
