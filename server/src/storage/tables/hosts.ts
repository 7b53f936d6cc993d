import type { HostAppStore, StoredHostApp } from '../../ports/host-apps.ts';
import type { Declaration, Units } from '../table.ts';
import type { WebhookLog } from '../webhook-log.ts';

export const HOST_APPS: Declaration<StoredHostApp, 'host_apps'> = {
  name: 'host_apps',
  key: ['service'],
  columns: ['revision'],
  indexes: [],
  copied: 'host-app',
  words: 'Apps of git hosts',
};

type StoredWebhook = Parameters<WebhookLog['note']>[0];

export const WEBHOOKS: Declaration<StoredWebhook, 'webhooks'> = {
  name: 'webhooks',
  key: ['service'],
  columns: ['deliveredAt', 'refused', 'refusedAt'],
  flat: true,
  indexes: [],
};

/** Apps that were made at git hosts. */
export function createHostAppStore({ table, audited, read, write }: Units): HostAppStore {
  const apps = table(HOST_APPS);
  return {
    list: () => read(() => apps.list()),
    put: async (app, audit) => {
      const next = (before: StoredHostApp | undefined) =>
        app.revision === (before?.revision ?? 0) + 1 ? app : undefined;
      return (await write(() => audited(audit, () => apps.change([app.service], next)))) !== undefined;
    },
    remove: ({ service, revision }, audit) => {
      const removed = function* () {
        return (yield* apps.remove({ service, revision })) > 0;
      };
      return write(() => audited(audit, removed));
    },
  };
}

/** What came to webhooks. */
export function createWebhookLog({ table, read, write }: Units): WebhookLog {
  const webhooks = table(WEBHOOKS);
  return {
    async note({ service, deliveredAt, refused, refusedAt }) {
      const add = (before: StoredWebhook | undefined): StoredWebhook => ({
        service,
        deliveredAt: deliveredAt ?? before?.deliveredAt,
        refused: refused + (deliveredAt === undefined ? (before?.refused ?? 0) : 0),
        refusedAt: refusedAt ?? before?.refusedAt,
      });
      await write(() => webhooks.change([service], add));
    },
    async find(service) {
      const found = await read(() => webhooks.one({ service }));
      return found && { deliveredAt: found.deliveredAt, refused: found.refused, refusedAt: found.refusedAt };
    },
  };
}
