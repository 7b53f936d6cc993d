import { Failure, quoteValue } from '../domain/failure.ts';
import type { Store } from '../ports/store.ts';
import { openMongoStore } from './mongo/open-mongo.ts';
import { openSqliteStore } from './sqlite/open-sqlite.ts';

export interface StoreLocation {
  /** `sqlite:<path>`, `sqlite::memory:`, `mongodb://…/<database>` or `mongodb+srv://…/<database>`. */
  readonly url: string;
  /** SQLite: how long a write waits for another program's lock, in milliseconds; 2,000 by default. */
  readonly busyTimeout?: number;
}

const BUSY_TIMEOUT = 2_000;
const EXAMPLES =
  'sqlite:./data/coverage.db, sqlite:/var/lib/coverage/coverage.db, sqlite::memory: or mongodb://host/coverage';

/**
 * Opens the store that a URL names: made where it is missing, its schema up to date. Throws a Failure of code
 * `unavailable` that says what to change.
 */
export async function openStore({ url, busyTimeout = BUSY_TIMEOUT }: StoreLocation): Promise<Store> {
  const [, scheme = '', path = ''] = /^([a-z][a-z0-9+.-]*):(.*)$/is.exec(url) ?? [];
  if (/^mongodb(\+srv)?$/i.test(scheme)) return openMongoStore({ url });
  if (scheme.toLowerCase() !== 'sqlite') {
    // Only the scheme is repeated: the rest may hold a password.
    const seen = scheme === '' ? 'no scheme' : `the scheme ${quoteValue(`${scheme}:`)}`;
    throw new Failure(
      'unavailable',
      `DATABASE_URL has ${seen}, which names no store of this program; use ${EXAMPLES}.`,
    );
  }
  if (path === '') throw new Failure('unavailable', `DATABASE_URL names no file after "sqlite:"; use ${EXAMPLES}.`);
  return openSqliteStore({ path, busyTimeout });
}
