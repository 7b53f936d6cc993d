import type { MergeAhead } from '../closing/merge-ahead.ts';
import type { Config } from '../config.ts';
import type { SecretTexts } from '../domain/secret-texts.ts';
import type { AskProvider } from '../facts/ask-provider.ts';
import type { RequestScope } from '../logging.ts';
import type { Prometheus } from '../metrics/prometheus.ts';
import type { Clock } from '../ports/clock.ts';
import type { Highlighter } from '../ports/highlighter.ts';
import type { Hosts } from '../ports/host.ts';
import type { HostApp } from '../ports/host-apps.ts';
import type { Logger } from '../ports/logger.ts';
import type { Fetch } from '../ports/outgoing.ts';
import type { Passwords } from '../ports/passwords.ts';
import type { Secrets } from '../ports/secrets.ts';
import type { OpenIdSignIn } from '../ports/sign-in.ts';
import type { Store } from '../ports/store.ts';
import type { Timers } from '../ports/timers.ts';
import type { ThreadPool } from '../threads/thread-pool.ts';
import type { KnowAccess } from '../use-cases/access/know-access.ts';
import type { CurrentGroups } from '../use-cases/people/current-groups.ts';
import type { WebhookNotes } from '../use-cases/provider-events/note-webhook.ts';
import type { WorkLoop } from '../workers/work-loop.ts';

/** What every part of the composition is made from. */
export interface Parts {
  readonly config: Config;
  readonly store: Store;
  readonly secrets: Secrets;
  readonly passwords: Passwords;
  /** Apps that were made at git hosts. */
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

/** From now on this server signs in as that App. False: it did before. */
export type UseApp = (app: HostApp) => boolean;

/** The same with what parts share. */
export interface Services extends Parts {
  /** Where several processes share a store, the store's. */
  readonly clock: Clock;
  /** What every call of another server is sent by. */
  readonly fetch: Fetch;
  readonly pool: ThreadPool;
  readonly highlighter: Highlighter;
  readonly hosts: Hosts;
  readonly useApp: UseApp;
  readonly metrics: Prometheus;
  readonly webhookNotes: WebhookNotes;
  readonly outbox: WorkLoop;
  /** Whose reports may be merged ahead of the close. */
  readonly noteJob: MergeAhead['noteJob'];
  readonly askProvider: AskProvider;
  readonly isStopping: () => boolean;
  readonly knowAccess: KnowAccess;
  readonly openId: OpenIdSignIn | undefined;
  readonly groups: CurrentGroups;
}
