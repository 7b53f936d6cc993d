import type { RepoService } from '../core/repo/repo.ts';
import { createWriteLimit } from '../platform/limiter.ts';
import type { Services } from '../services/services.ts';
import type { WebhookRecord } from '../storage/webhook-log.ts';

/** What became of a message: it bore the right signature, or not. */
export type MessageFate = 'delivered' | 'refused';

export interface WebhookNotes {
  note(service: RepoService, fate: MessageFate): Promise<void>;
  /** Writes what was counted and not written yet. */
  flush(): Promise<void>;
}

const MINUTE = 60_000;
const NO_LIMIT = Number.POSITIVE_INFINITY;

/** Counts what comes to webhooks. Anybody can send there, so at most one of each fate is written a minute. */
export function createNoteWebhook({
  webhooks,
  clock,
  logger,
}: Pick<Services, 'webhooks' | 'clock' | 'logger'>): WebhookNotes {
  const mayWrite = createWriteLimit(clock, { window: MINUTE, ofKey: 1, ofAll: NO_LIMIT });
  const pending = new Map<RepoService, WebhookRecord>();
  const write = async (service: RepoService): Promise<void> => {
    const news = pending.get(service);
    pending.delete(service);
    if (news === undefined) return;
    await webhooks.note({ service, ...news }).catch((error: unknown) => {
      logger.warn({ err: error }, 'could not record a webhook message');
    });
  };
  return {
    async note(service, fate) {
      const at = clock.now();
      const { deliveredAt, refused = 0, refusedAt } = pending.get(service) ?? {};
      const isDelivered = fate === 'delivered';
      pending.set(service, {
        deliveredAt: isDelivered ? at : deliveredAt,
        refused: isDelivered ? 0 : refused + 1,
        refusedAt: isDelivered ? refusedAt : at,
      });
      if (mayWrite(`${service} ${fate}`)) await write(service);
    },
    async flush() {
      await Promise.all([...pending.keys()].map(write));
    },
  };
}
