import type { WebhookLog } from '../webhook-log.ts';
import type { Connection } from './connection.ts';
import { tablesOf } from './table.ts';

/** What came to webhooks, in MongoDB. */
export function createWebhookLog(connection: Connection): WebhookLog {
  const { webhooks } = tablesOf(connection);
  return {
    async note({ service, deliveredAt, refused, refusedAt }) {
      const times = {
        ...(deliveredAt === undefined ? {} : { deliveredAt }),
        ...(refusedAt === undefined ? {} : { refusedAt }),
      };
      const count = deliveredAt === undefined ? { $add: [{ $ifNull: ['$refused', 0] }, refused] } : refused;
      await webhooks.change({ _id: service }, [{ $set: { ...times, refused: count } }], { upsert: true });
    },
    async find(service) {
      const found = await webhooks.one({ _id: service });
      return found && { deliveredAt: found.deliveredAt, refused: found.refused, refusedAt: found.refusedAt };
    },
  };
}
