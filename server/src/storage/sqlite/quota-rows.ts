import type { CommandPrimitives } from '../commands/primitives.ts';
import type { Connection } from './connection.ts';

/** Binds the quotas of one connection. */
export function createQuotaRows({
  prepare,
  write,
}: Connection): Pick<CommandPrimitives<unknown, unknown>, 'takeQuotas' | 'giveBackQuotas'> {
  const forget = prepare('DELETE FROM unverified_usage WHERE day < ?');
  const find = prepare('SELECT bytes FROM unverified_usage WHERE key = ?');
  const add = prepare(`
    INSERT INTO unverified_usage (key, day, bytes) VALUES (?, ?, ?)
    ON CONFLICT (key) DO UPDATE SET bytes = bytes + excluded.bytes`);
  const giveBack = prepare('UPDATE unverified_usage SET bytes = max(0, bytes - ?) WHERE key = ? AND day = ?');
  return {
    takeQuotas: async ({ quotas, bytes, day }) =>
      write(() => {
        forget.run(day);
        const used = quotas.map((quota) => ({ quota, used: Number(find.get(quota.key)?.bytes ?? 0) }));
        const over = used.find((one) => one.used + bytes > one.quota.limit);
        if (over === undefined) for (const { key } of quotas) add.run(key, day, bytes);
        return over;
      }),
    giveBackQuotas: async ({ quotas, bytes, day }) =>
      write(() => {
        for (const { key } of quotas) giveBack.run(bytes, key, day);
      }),
  };
}
