import { existsSync, realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import { Failure } from '../../core/failure.ts';
import { EXAMPLE_URLS, readStoreUrl } from '../store-url.ts';

/** A store that is to be copied, or copied to. */
export type StoreLocation =
  | { readonly kind: 'sqlite'; readonly path: string; readonly name: string }
  | { readonly kind: 'mongodb'; readonly url: string; readonly name: string };

/**
 * Scheme, hosts and database. The only @ ends user and password: nothing of a password that was not percent-encoded is
 * taken for a host. Options may hold secrets too, and belong to the connection, not to the database.
 */
const MONGODB = /^(mongodb(?:\+srv)?):\/\/(?:[^@/?#]*@)?([^@/?#]+)\/([^@/?#]+)(?:\?[^@]*)?$/i;

/** Reads the URL of an option (`--from`, `--to`). Throws a Failure that never repeats what could be a password. */
export function locateStore(option: string, url: string): StoreLocation {
  const found = readStoreUrl(option, url);
  return found.kind === 'sqlite' ? locateFile(option, found.path) : locateDatabase(option, url);
}

function locateFile(option: string, path: string): StoreLocation {
  if (path === ':memory:') {
    throw new Failure(
      'unavailable',
      `${option} is sqlite::memory:, which no other process can read or write; use ${EXAMPLE_URLS}.`,
    );
  }
  // By any path it is the same file.
  return { kind: 'sqlite', path, name: `sqlite:${existsSync(path) ? realpathSync.native(path) : resolve(path)}` };
}

function locateDatabase(option: string, url: string): StoreLocation {
  const [, scheme = '', hosts = '', database] = MONGODB.exec(url) ?? [];
  if (database === undefined) {
    throw new Failure(
      'unavailable',
      `${option} names no MongoDB database; use mongodb://user:password@host/coverage, with %40 for @, %2F for / ` +
        'and %3F for ? in user, password and options.',
    );
  }
  return { kind: 'mongodb', url, name: `${scheme.toLowerCase()}://${orderHosts(hosts)}/${database}` };
}

/** The hosts of a replica set may be named in any order. */
function orderHosts(hosts: string): string {
  return hosts
    .toLowerCase()
    .split(',')
    .map((host) => host.replace(/:27017$/, ''))
    .sort()
    .join(',');
}
