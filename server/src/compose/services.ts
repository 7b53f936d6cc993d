import type { CurrentGroups } from '../access/current-groups.ts';
import type { KnowAccess } from '../access/know-access.ts';
import type { MergeAhead } from '../closing/merge-ahead.ts';
import type { Config } from '../config/config.ts';
import type { SecretTexts } from '../core/secret-texts.ts';
import type { AskProvider } from '../hosts/facts/ask-provider.ts';
import type { HostKind } from '../hosts/host-kind.ts';
import type { Clock } from '../platform/clock.ts';
import type { RequestScope } from '../platform/log/logging.ts';
import type { Logger } from '../platform/logger.ts';
import type { Prometheus } from '../platform/metrics/prometheus.ts';
import type { Fetch } from '../platform/outgoing.ts';
import type { Passwords } from '../platform/passwords.ts';
import type { Secrets } from '../platform/secrets.ts';
import type { WorkLoop } from '../platform/timers/work-loop.ts';
import type { Timers } from '../platform/timers.ts';
import type { Hosts } from '../ports/host.ts';
import type { HostApp } from '../ports/host-apps.ts';
import type { OpenIdSignIn } from '../ports/sign-in.ts';
import type { Highlighter } from '../reports/highlighter.ts';
import type { ThreadPool } from '../reports/threads/thread-pool.ts';
import type { Store } from '../storage/store.ts';
import type { WebhookNotes } from '../webhooks/note-webhook.ts';

/** What every part of the composition is made from. */
export interface Parts {
  readonly config: Config;
  readonly store: Store;
  readonly secrets: Secrets;
  readonly passwords: Passwords;
  /** Other git hosts than those that this version knows. */
  readonly hostKinds?: readonly HostKind<Config>[];
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
