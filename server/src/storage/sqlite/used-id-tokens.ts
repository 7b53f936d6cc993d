import type { UsedIdTokens } from '../../ports/id-tokens.ts';
import type { Connection } from './connection.ts';

/** What id-tokens were used for, in SQLite. */
export function createUsedIdTokens({ prepare, write }: Connection): UsedIdTokens {
  const keep = prepare(`
    INSERT INTO used_id_tokens (key, digest, expires_at) VALUES (:key, :digest, :expiresAt) ON CONFLICT DO NOTHING`);
  const find = prepare('SELECT digest FROM used_id_tokens WHERE key = ?');
  const remove = prepare('DELETE FROM used_id_tokens WHERE expires_at <= ?');
  return {
    use: async ({ key, digest, expiresAt }) =>
      write(() => {
        keep.run({ key, digest, expiresAt });
        return find.get(key)?.digest as string;
      }),
    removeExpired: async (at) => write(() => Number(remove.run(at).changes)),
  };
}
