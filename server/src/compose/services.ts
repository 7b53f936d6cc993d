import type { Config } from '../config.ts';
import type { AskProvider } from '../facts/ask-provider.ts';
import type { Clock } from '../ports/clock.ts';
import type { Hosts } from '../ports/host.ts';
import type { Logger } from '../ports/logger.ts';
import type { Secrets } from '../ports/secrets.ts';
import type { Store } from '../ports/store.ts';
import type { ThreadPool } from '../threads/thread-pool.ts';
import type { WorkLoop } from '../workers/work-loop.ts';

/** What every part of the composition is made from. */
export interface Parts {
  readonly config: Config;
  readonly store: Store;
  readonly secrets: Secrets;
  readonly logger: Logger;
  /** BASE_URL, or where the server listens; asked only once it does. */
  readonly baseUrl: () => string;
}

/** The same with what parts share. */
export interface Services extends Parts {
  readonly clock: Clock;
  readonly pool: ThreadPool;
  readonly hosts: Hosts;
  readonly outbox: WorkLoop;
  readonly askProvider: AskProvider;
  readonly isStopping: () => boolean;
}
