import { existsSync, realpathSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { Failure } from '../../core/failure.ts';
import type { Store } from '../store.ts';
import { MEMORY, makeFile } from './connection.ts';
import { isLocked, toFailure } from './errors.ts';
import { openSqliteStore, type SqliteOptions } from './open-sqlite.ts';

/** The right to be the only server of a database file. It ends with the process, however that ends. */
export interface ServerLock {
  /** Idempotent. */
  release(): void;
}

/** How often a lock that is taken is tried, in ms. */
const POLL_EVERY = 100;

/** Opens the store for a server: it keeps the file's lock until it is closed. `wait`: see lockForServer. */
export async function openAsServer(options: SqliteOptions & { readonly wait: number }): Promise<Store> {
  const { path, wait } = options;
  if (path === MEMORY) return openSqliteStore(options);
  const lock = await lockForServer(path, wait);
  try {
    const store = openSqliteStore({ ...options, checkpointsApart: true });
    return { ...store, close: () => store.close().finally(lock.release) };
  } catch (error) {
    lock.release();
    throw error;
  }
}

/**
 * Takes the lock of a database file, and waits up to `wait` ms for a server that is stopping. Throws a Failure when
 * another process keeps it.
 */
export async function lockForServer(path: string, wait: number): Promise<ServerLock> {
  makeFile(path);
  // By any path to the database it is the same lock. The file stays: another process may be waiting for it.
  const file = `${realpathSync(path)}.lock`;
  makeFile(file);
  const until = performance.now() + wait;
  for (;;) {
    const lock = tryToLock(file);
    if (lock !== undefined) return lock;
    if (performance.now() >= until) throw new Failure('unavailable', inUse(path));
    await sleep(POLL_EVERY);
  }
}

/** Whether a server runs on a database file, given by its real path. */
export function isServed(path: string): boolean {
  const file = `${path}.lock`;
  const lock = existsSync(file) ? tryToLock(file) : undefined;
  lock?.release();
  return existsSync(file) && lock === undefined;
}

/** SQLite's own lock on an empty database: the system ends it when the process dies. Undefined: it is taken. */
function tryToLock(file: string): ServerLock | undefined {
  const db = new DatabaseSync(file, { timeout: 0 });
  try {
    db.exec('BEGIN EXCLUSIVE');
    return { release: () => (db.isOpen ? db.close() : undefined) };
  } catch (error) {
    db.close();
    if (isLocked(error)) return undefined;
    throw toFailure(error);
  }
}

function inUse(path: string): string {
  return (
    `${path} is in use by another server: stop that one first. ` +
    'Only one server can use an SQLite file; several need MongoDB.'
  );
}
