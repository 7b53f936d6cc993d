import { createReadStream, createWriteStream, existsSync, realpathSync, renameSync, rmSync, statSync } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { Failure } from '../../core/failure.ts';
import type { Timestamp } from '../../core/time.ts';
import { noFileToRestore } from '../sentences.ts';
import { type BackupContents, dropDigests, verifyBackup } from './backup.ts';
import { unfinishedRestore } from './migrate.ts';
import { lockForServer } from './server-lock.ts';

export interface Restored {
  readonly contents: BackupContents;
  /** What the database that was there is called now; undefined: there was none. */
  readonly aside: string | undefined;
}

/** What belongs to a database file; the file itself last, so that it is never without its log under its own name. */
const PARTS = ['-wal', '-shm', ''];

/**
 * Makes the database file `to` of the backup `from`, and moves what was there aside. Cut off at any moment, no server
 * starts on half of it. Throws a Failure while a server runs on `to`, and for a backup that is damaged.
 */
export async function restoreBackup(restore: {
  readonly from: string;
  readonly to: string;
  readonly at: Timestamp;
}): Promise<Restored> {
  const { from, to, at } = restore;
  if (!existsSync(from)) throw new Failure('not-found', noFileToRestore(from));
  verifyBackup(from);
  const lock = await lockForServer(to, 0);
  try {
    const path = realpathSync(to);
    const contents = await copyBackup(from, path);
    const aside = moveAside(path, at);
    renameSync(unfinishedRestore(path), path);
    return { contents, aside };
  } finally {
    lock.release();
  }
}

/** A whole database under the name that keeps servers from starting. */
async function copyBackup(from: string, path: string): Promise<BackupContents> {
  const copy = `${path}.restoring`;
  rmSync(copy, { force: true });
  try {
    await pipeline(createReadStream(from), createWriteStream(copy, { flags: 'wx', mode: 0o600 }));
    const contents = verifyBackup(copy);
    dropDigests(copy);
    renameSync(copy, unfinishedRestore(path));
    return contents;
  } catch (error) {
    rmSync(copy, { force: true });
    throw error;
  }
}

function moveAside(path: string, at: Timestamp): string | undefined {
  const there = PARTS.filter((part) => existsSync(path + part));
  // The lock made an empty file if none was.
  if (there.length === 1 && statSync(path).size === 0) return undefined;
  const aside = `${path}.before-${new Date(at).toISOString().replace(/[-:.]/g, '')}`;
  for (const part of there) renameSync(path + part, aside + part);
  return aside;
}
