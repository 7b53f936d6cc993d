import type { TokenForm } from '../core/secret-texts.ts';
import type { Clock } from '../platform/clock.ts';
import type { Logger } from '../platform/logger.ts';
import type { Fetch } from '../platform/outgoing.ts';
import type { Timers } from '../platform/timers.ts';
import type { Host } from '../ports/host.ts';
import type { HostApp } from '../ports/host-apps.ts';

/** A kind of host, which the server has one of if it is set up. */
export interface HostKind<in Settings> {
  /** For the Apps `made`, one counts if nothing is set. Undefined: nothing of this host is set. */
  connect(settings: Settings, deps: HostDeps, made: readonly HostApp[]): Host | undefined;
  /** Its tokens inside a text: what no log line and no answer may hold. */
  readonly tokenForms: readonly TokenForm[];
}

/** What a host is connected with. */
export interface HostDeps {
  readonly fetch: Fetch;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly logger: Logger;
  /** Milliseconds before a failed read is repeated within a call; undefined: 1,000. */
  readonly retryPause?: number;
}

/** What an OAuth application of a host is known by. */
export interface OauthApplication {
  readonly clientId: string;
  readonly clientSecret: string;
}
