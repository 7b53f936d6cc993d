import type { RepoService } from '../core/repo/repo.ts';
import type { Timestamp } from '../core/time.ts';

/** What came to the webhook of a git host. */
export interface WebhookRecord {
  /** When the last message with a right signature came. */
  readonly deliveredAt: Timestamp | undefined;
  /** Messages since then whose signature was wrong or missing. */
  readonly refused: number;
  readonly refusedAt: Timestamp | undefined;
}

export interface WebhookLog {
  /** Adds what came since the last call: a delivery in it sets `refused`, else that is added. */
  note(news: WebhookRecord & { readonly service: RepoService }): Promise<void>;
  /** Undefined: nothing came yet. */
  find(service: RepoService): Promise<WebhookRecord | undefined>;
}
