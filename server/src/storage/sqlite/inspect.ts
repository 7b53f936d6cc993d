import { existsSync, realpathSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { Failure } from '../../core/failure.ts';
import { noDatabaseThere } from '../sentences.ts';
import { toFailure } from './errors.ts';
import { checkOwner } from './migrate.ts';
import { isServed } from './server-lock.ts';

const BUSY_TIMEOUT = 2_000;

/** Reads a database file without changing it, beside a running server too. Throws a Failure if it cannot be used. */
export function inspectFile(path: string) {
  if (!existsSync(path)) throw new Failure('not-found', noDatabaseThere(path));
  let db: DatabaseSync | undefined;
  try {
    db = new DatabaseSync(path, { readOnly: true, timeout: BUSY_TIMEOUT });
    checkOwner(db, path);
    const version = Number(db.prepare('PRAGMA user_version').get()?.user_version);
    const found = db.prepare('PRAGMA quick_check(1)').get()?.quick_check;
    const damage = found === 'ok' ? undefined : String(found);
    return { version, damage, isServed: isServed(realpathSync(path)) };
  } catch (error) {
    throw toFailure(error);
  } finally {
    db?.close();
  }
}
