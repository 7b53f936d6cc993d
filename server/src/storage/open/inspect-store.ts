import { existsSync } from 'node:fs';
import { Failure } from '../../core/failure.ts';
import { locateStore } from '../copy/location.ts';
import { inspectFile } from '../sqlite/inspect.ts';
import { unfinishedRestore } from '../sqlite/migrate.ts';
import { MIGRATIONS } from '../sqlite/schema.ts';
import type { StoreInspection } from '../store-inspection.ts';
import { readStoreUrl } from '../store-url.ts';

/** Looks at the database that DATABASE_URL names. Nothing is made, and nothing brought up to date. */
export async function inspectStore(url: string): Promise<StoreInspection> {
  const { name } = locateStore('DATABASE_URL', url);
  const found = readStoreUrl('DATABASE_URL', url);
  const unknown = { name, version: undefined, latest: MIGRATIONS.length, isWhole: undefined, isServed: undefined };
  try {
    if (found.kind === 'mongodb') {
      const { inspectMongo } = await import('../mongo/inspect.ts');
      return { ...unknown, ...(await inspectMongo(found.url)), problem: undefined };
    }
    const { version, damage, isServed } = inspectFile(found.path);
    const problem = damage === undefined ? undefined : `The database is damaged: ${damage.slice(0, 200)}.`;
    return { ...unknown, version, isServed, isWhole: damage === undefined, problem };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return { ...unknown, problem: error.message };
  }
}

/** Whether a server has ever stored anything there, or a restore that was cut off continues there. */
export async function storeExists(url: string): Promise<boolean> {
  const found = readStoreUrl('DATABASE_URL', url);
  if (found.kind === 'sqlite') return existsSync(found.path) || existsSync(unfinishedRestore(found.path));
  const { hasNotes } = await import('../mongo/inspect.ts');
  return hasNotes(found.url);
}

/** The database of a running server, which has brought it up to date. */
export function describeOpened(url: string): StoreInspection {
  const found = readStoreUrl('DATABASE_URL', url);
  const name = found.kind === 'sqlite' && found.path === ':memory:' ? url : locateStore('DATABASE_URL', url).name;
  const latest = found.kind === 'sqlite' ? MIGRATIONS.length : undefined;
  return { name, version: latest, latest, problem: undefined, isWhole: undefined, isServed: true };
}
