import { Failure } from '../domain/failure.ts';
import { readStoreUrl } from './store-url.ts';

/** The file of the SQLite database that DATABASE_URL names. Throws a Failure where it names none. */
export function locateFile(url: string): string {
  const store = readStoreUrl('DATABASE_URL', url);
  if (store.kind === 'sqlite' && store.path !== ':memory:') return store.path;
  throw new Failure(
    'unavailable',
    'DATABASE_URL names no SQLite file. A database of MongoDB is backed up by its own tools (docs/operating.md).',
  );
}
