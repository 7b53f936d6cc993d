import { existsSync, readdirSync, realpathSync, rmSync, statfsSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Failure } from '../../core/failure.ts';
import type { Counts, Texts } from '../../core/sentences.ts';
import { writeBackup } from './backup.ts';
import { APPLICATION_ID } from './migrate.ts';
import { MIGRATIONS } from './schema.ts';

export interface UpgradeOptions {
  /** How many backups of earlier upgrades stay, this one included; 0: none is made. */
  readonly keep: number;
  /** Called with each backup that was made. */
  readonly report: (made: UpgradeBackup) => void;
  /** Bytes that may still be written beside a file; the disk is asked by default. */
  readonly readFree?: (path: string) => number;
}

export interface UpgradeBackup {
  readonly backup: string;
  /** The schema's, before and after. */
  readonly from: number;
  readonly to: number;
}

const DEFAULT: UpgradeOptions = { keep: 2, report: () => undefined };

/** Before a file of an older schema is brought up to date, a verified copy of it is made beside it: the way back. */
export function backUpBeforeUpgrade(path: string, { keep, report, readFree = freeOnDisk }: UpgradeOptions = DEFAULT) {
  const from = keep === 0 ? undefined : findOlderVersion(path);
  if (from === undefined) return;
  const file = realpathSync(path);
  const needed = sizeOf(file) + sizeOf(`${file}-wal`);
  const free = readFree(file);
  if (free < needed) throw new Failure('unavailable', noRoomForUpgrade({ path, needed, free }));
  const backup = `${file}.before-upgrade-${from}-${new Date().toISOString().replace(/[-:.]/g, '')}`;
  writeBackup(file, backup);
  for (const old of earlierBackups(file).slice(keep)) rmSync(old);
  report({ backup, from, to: MIGRATIONS.length });
}

/** Undefined: the file is new, up to date, or not ours to bring up to date, which its opening says. */
function findOlderVersion(path: string): number | undefined {
  if (!existsSync(path)) return undefined;
  let db: DatabaseSync | undefined;
  try {
    db = new DatabaseSync(path, { readOnly: true });
    const read = (name: string): number => Number(db?.prepare(`PRAGMA ${name}`).get()?.[name]);
    const version = read('user_version');
    return read('application_id') === APPLICATION_ID && version < MIGRATIONS.length ? version : undefined;
  } catch {
    return undefined;
  } finally {
    if (db?.isOpen) db.close();
  }
}

/** The newest first, by the time at the end of their names. */
function earlierBackups(file: string): readonly string[] {
  const time = (name: string): string => name.slice(name.lastIndexOf('-') + 1);
  const names = readdirSync(dirname(file)).filter((name) => name.startsWith(`${basename(file)}.before-upgrade-`));
  return names.toSorted((a, b) => (time(a) < time(b) ? 1 : -1)).map((name) => join(dirname(file), name));
}

function sizeOf(path: string): number {
  return existsSync(path) ? statSync(path).size : 0;
}

function freeOnDisk(path: string): number {
  const { bavail, bsize } = statfsSync(path);
  return bavail * bsize;
}

function noRoomForUpgrade({ path, needed, free }: Texts<'path'> & Counts<'needed' | 'free'>): string {
  const mib = (bytes: number): string => `${Math.ceil(bytes / 2 ** 20)} MiB`;
  return (
    `${path} has an older version, and a backup is made beside it before it is upgraded. This needs ` +
    `${mib(needed)}, but only ${mib(free)} are free: make room, or make a backup elsewhere and set UPGRADE_BACKUPS=0.`
  );
}
