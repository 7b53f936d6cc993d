import { copyFileSync, existsSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Failure } from '../../core/failure.ts';
import type { Timestamp } from '../../core/time.ts';
import { BACKUP_NAME } from '../archive.ts';
import { copyStore } from '../copy/copy-store.ts';
import { locateStore, type StoreLocation } from '../copy/location.ts';
import { openMongoWriter } from '../mongo/mongo-archive.ts';
import { noFileToRestore } from '../sentences.ts';
import { dropDigests, verifyBackup } from '../sqlite/backup.ts';
import { type Restored, restoreBackup } from '../sqlite/restore.ts';
import { openSqliteReader } from '../sqlite/sqlite-archive.ts';

/**
 * Makes the store that `url` names (DATABASE_URL) of the backup `from`, whichever store that was of. A file that is
 * there is moved aside; a database of MongoDB must be new or empty. Throws a Failure for a backup that is damaged.
 */
export async function restoreStore(restore: {
  readonly from: string;
  readonly url: string;
  readonly at: Timestamp;
}): Promise<Restored> {
  const { from, url, at } = restore;
  const to = locateStore('DATABASE_URL', url);
  if (to.kind === 'sqlite') return restoreBackup({ from, to: to.path, at });
  if (!existsSync(from)) throw new Failure('not-found', noFileToRestore(from));
  const contents = verifyBackup(from);
  await importBackup(realpathSync(from), to);
  return { contents, aside: undefined };
}

/** For a copy: the backup itself stays as it is. */
async function importBackup(backup: string, target: Extract<StoreLocation, { kind: 'mongodb' }>): Promise<void> {
  const folder = mkdtempSync(`${backup}.restoring-`);
  const path = join(folder, 'backup.db');
  try {
    copyFileSync(backup, path);
    verifyBackup(path);
    dropDigests(path);
    await fillDatabase({ path, name: `${BACKUP_NAME}${backup}` }, target);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function fillDatabase(
  source: { readonly path: string; readonly name: string },
  target: Extract<StoreLocation, { kind: 'mongodb' }>,
): Promise<void> {
  const from = openSqliteReader(source);
  try {
    const to = await openMongoWriter(target);
    const comparisons = await copyStore({ from, to, isOneMoment: true }).catch(inWords).finally(to.close);
    if (comparisons.every(({ isEqual }) => isEqual)) return;
    throw new Failure(
      'conflict',
      `${target.name} differs from what was restored: something else wrote to it. Restore into a new database.`,
    );
  } finally {
    await from.close();
  }
}

/** Those of the copy name its option. */
function inWords(error: unknown): never {
  if (!(error instanceof Failure)) throw error;
  const message = error.message.replaceAll('name a new database with --to', 'set DATABASE_URL to a new database');
  const more = error.code === 'unavailable' ? ' Run the same command again: it continues where it stopped.' : '';
  throw new Failure(error.code, message + more, { cause: error });
}
