import type { Config } from '../config/config.ts';
import type { SecretTexts } from '../core/secret-texts.ts';
import type { HostKind } from '../hosts/host-kind.ts';
import type { Clock } from '../platform/clock.ts';
import type { Assets } from '../platform/http/assets.ts';
import type { RequestScope } from '../platform/log/logging.ts';
import type { Logger } from '../platform/logger.ts';
import type { Prometheus } from '../platform/metrics/prometheus.ts';
import type { Passwords } from '../platform/passwords.ts';
import type { Secrets } from '../platform/secrets.ts';
import type { Timers } from '../platform/timers.ts';
import type { HostApp } from '../ports/host-apps.ts';
import type { ThreadPool } from '../reports/threads/thread-pool.ts';
import type { Services, Stored } from '../services/services.ts';
import type { Store } from '../storage/store.ts';
import type { WebhookNotes } from '../webhooks/note-webhook.ts';

/** What every part of the composition is made from. */
export interface Parts {
  readonly config: Config;
  readonly store: Store;
  readonly secrets: Secrets;
  readonly passwords: Passwords;
  /** Git hosts beyond those that this version knows. */
  readonly hostKinds?: readonly HostKind<Config>[];
  /** Apps that were created on git hosts. */
  readonly hostApps: readonly HostApp[];
  readonly secretTexts: SecretTexts;
  readonly logger: Logger;
  /** What the logger knows requests by; none by default. */
  readonly requestScope?: RequestScope;
  /** The machine's. */
  readonly clock: Clock;
  readonly timers: Timers;
  /** Milliseconds before a failed read at GitHub is repeated; 1,000 by default. */
  readonly readRetryPause?: number;
  /** BASE_URL, or where the server listens; asked only once it does. */
  readonly baseUrl: () => string;
}

/** What features work with, and what only the parts of the composition share. */
export interface ServerServices extends Services, Omit<Parts, keyof Services> {
  readonly pool: ThreadPool;
  readonly metrics: Prometheus;
  readonly webhookNotes: WebhookNotes;
  readonly assets: Assets;
}

/** The same services over another store. */
export function over<S extends Services>(services: S, store: Store): S {
  return { ...services, ...storedOf(store), store };
}

export function storedOf({ isShared: _, now, check, measure, sweep, close, ...stored }: Store): Stored {
  return stored;
}
