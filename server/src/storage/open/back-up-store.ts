import { rmSync } from 'node:fs';
import { Failure } from '../../core/failure.ts';
import { copyStore, type KindComparison } from '../copy/copy-store.ts';
import { locateStore, type StoreLocation } from '../copy/location.ts';
import { openMongoMoment } from '../mongo/mongo-archive.ts';
import { type BackupContents, finishBackup, makeBackupFile, writeBackup } from '../sqlite/backup.ts';
import { openSqliteWriter } from '../sqlite/sqlite-archive.ts';

/**
 * Writes everything in the store that `url` names (DATABASE_URL) to a new file `to`, which only its owner can read: an
 * SQLite database with the digest of each of its tables, verified. Servers may run in the meantime; it is of one moment
 * anyway. Throws a Failure, and leaves no file then.
 */
export async function backUpStore({ url, to }: { readonly url: string; readonly to: string }): Promise<BackupContents> {
  const from = locateStore('DATABASE_URL', url);
  if (from.kind === 'sqlite') return writeBackup(from.path, to);
  makeBackupFile(to);
  try {
    await exportDatabase(from, to);
    return finishBackup(to);
  } catch (error) {
    for (const part of ['', '-wal', '-shm']) rmSync(to + part, { force: true });
    throw error;
  }
}

async function exportDatabase(source: Extract<StoreLocation, { kind: 'mongodb' }>, path: string): Promise<void> {
  const { reader: from, isOneMoment } = await openMongoMoment(source);
  try {
    const to = openSqliteWriter({ path, name: path });
    const comparisons = await copyStore({ from, to, isOneMoment }).finally(to.close);
    refuseDifferent(comparisons, path);
  } finally {
    await from.close();
  }
}

function refuseDifferent(comparisons: readonly KindComparison[], path: string): void {
  if (comparisons.every(({ isEqual }) => isEqual)) return;
  throw new Failure(
    'conflict',
    comparisons.some(({ hasChanged }) => hasChanged)
      ? 'The database was changed while it was read, and a standalone MongoDB server has no snapshots. ' +
          'Stop every server that uses it, or run this again when nothing is uploaded.'
      : `${path} differs from what was read: the disk is faulty, or something else wrote to the file.`,
  );
}
