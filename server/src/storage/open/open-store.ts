import { existsSync } from 'node:fs';
import { Failure } from '../../core/failure.ts';
import type { OnAudit } from '../audit-log.ts';
import { noDatabaseThere } from '../sentences.ts';
import { type DiskOptions, findNetworkDisk, type Statfs } from '../sqlite/disk.ts';
import { openSqliteStore } from '../sqlite/open-sqlite.ts';
import { openAsServer } from '../sqlite/server-lock.ts';
import type { UpgradeOptions } from '../sqlite/upgrade-backup.ts';
import type { Store } from '../store.ts';
import type { OnUpgrade } from '../store-inspection.ts';
import { readStoreUrl } from '../store-url.ts';

export interface StoreLocation {
  /** `sqlite:<path>`, `sqlite::memory:`, `mongodb://…/<database>` or `mongodb+srv://…/<database>`. */
  readonly url: string;
  /** SQLite: how long a write waits for another program's lock, in milliseconds; 2,000 by default. */
  readonly busyTimeout?: number;
  /** For a command that only reads: none is made if there is none. */
  readonly mustExist?: boolean;
  /** Given by a server: how many ms it waits for another server to end, where a store takes only one. */
  readonly serverWait?: number;
  /** SQLite, given by a server: how much room the disk must have; not looked at by default. */
  readonly disk?: DiskOptions;
  /** SQLite: the backups that are made before a schema is brought up to date. Two are kept by default. */
  readonly upgrade?: UpgradeOptions;
  /** Given by a server, for its log: before an older database is brought up to date. */
  readonly onUpgrade?: OnUpgrade;
  /** Given by a server, for its log: a sentence about a database that works less well than it could. */
  readonly onWarning?: (text: string) => void;
  /** Given by a server, for its log. */
  readonly onAudit?: OnAudit;
}

const BUSY_TIMEOUT = 2_000;

/**
 * Opens the store that a URL names: made where it is missing, its schema up to date. Throws a Failure of code
 * `unavailable` that says what to change.
 */
export async function openStore(location: StoreLocation): Promise<Store> {
  const { url, busyTimeout = BUSY_TIMEOUT, mustExist = false, serverWait: wait, ...rest } = location;
  const found = readStoreUrl('DATABASE_URL', url);
  if (found.kind === 'mongodb') {
    // The driver takes a third of the time in which a command starts, and most databases are files.
    const { openMongoStore } = await import('../mongo/open-mongo.ts');
    const { onAudit, onUpgrade, onWarning } = rest;
    return openMongoStore({ ...found, mustExist, onAudit, onUpgrade, onWarning });
  }
  if (mustExist && !existsSync(found.path)) throw new Failure('not-found', noDatabaseThere(found.path));
  const options = { path: found.path, busyTimeout, ...rest };
  return wait === undefined ? openSqliteStore(options) : openAsServer({ ...options, wait });
}

/** What an operator should know of the place that a URL names, as sentences for the log. */
export async function findStoreWarnings(url: string, statfs?: Statfs): Promise<readonly string[]> {
  const found = readStoreUrl('DATABASE_URL', url);
  const warning = found.kind === 'sqlite' ? await findNetworkDisk(found.path, statfs) : undefined;
  return warning === undefined ? [] : [warning];
}
