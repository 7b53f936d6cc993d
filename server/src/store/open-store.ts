import type { Store } from '../ports/store.ts';
import { openMongoStore } from './mongo/open-mongo.ts';
import { openSqliteStore } from './sqlite/open-sqlite.ts';
import { readStoreUrl } from './store-url.ts';

export interface StoreLocation {
  /** `sqlite:<path>`, `sqlite::memory:`, `mongodb://…/<database>` or `mongodb+srv://…/<database>`. */
  readonly url: string;
  /** SQLite: how long a write waits for another program's lock, in milliseconds; 2,000 by default. */
  readonly busyTimeout?: number;
}

const BUSY_TIMEOUT = 2_000;

/**
 * Opens the store that a URL names: made where it is missing, its schema up to date. Throws a Failure of code
 * `unavailable` that says what to change.
 */
export async function openStore({ url, busyTimeout = BUSY_TIMEOUT }: StoreLocation): Promise<Store> {
  const found = readStoreUrl('DATABASE_URL', url);
  return found.kind === 'mongodb' ? openMongoStore(found) : openSqliteStore({ path: found.path, busyTimeout });
}
