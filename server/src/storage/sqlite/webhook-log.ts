import type { WebhookLog } from '../webhook-log.ts';
import type { Connection } from './connection.ts';

const NOTE = `
  INSERT INTO webhooks (service, delivered_at, refused, refused_at)
  VALUES (:service, :deliveredAt, :refused, :refusedAt)
  ON CONFLICT (service) DO UPDATE SET
    delivered_at = coalesce(excluded.delivered_at, delivered_at),
    refused = excluded.refused + iif(excluded.delivered_at IS NULL, refused, 0),
    refused_at = coalesce(excluded.refused_at, refused_at)`;

/** What came to webhooks, in SQLite. */
export function createWebhookLog({ prepare, read, write }: Connection): WebhookLog {
  const note = prepare(NOTE);
  const find = prepare('SELECT delivered_at, refused, refused_at FROM webhooks WHERE service = ?');
  return {
    async note({ service, deliveredAt = null, refused, refusedAt = null }) {
      write(() => note.run({ service, deliveredAt, refused, refusedAt }));
    },
    async find(service) {
      const row = read(() => find.get(service));
      if (row === undefined) return undefined;
      const timeOf = (value: unknown) => (value === null ? undefined : Number(value));
      return {
        deliveredAt: timeOf(row.delivered_at),
        refused: Number(row.refused),
        refusedAt: timeOf(row.refused_at),
      };
    },
  };
}
