import type { KeyObject } from 'node:crypto';
import { loadOrCreateKeyFile, passingKey } from './key-file.ts';
import type { RandomBytes } from './random-token.ts';

export interface FoundKey {
  readonly key: KeyObject;
  /** Sentences for the log. */
  readonly warnings: readonly string[];
}

/** SECRET_KEY if set; else, on SQLite, the key file beside the database; in memory a key as short-lived as the data. */
export async function findKey(
  deps: { readonly randomBytes: RandomBytes },
  config: { readonly secretKey: KeyObject | undefined; readonly databaseUrl: string },
): Promise<FoundKey> {
  const { secretKey, databaseUrl } = config;
  if (secretKey !== undefined) return { key: secretKey, warnings: [] };
  const path = databaseUrl.slice(databaseUrl.indexOf(':') + 1);
  if (path === ':memory:') return { key: passingKey(deps.randomBytes), warnings: [] };
  const { key, created, warning } = await loadOrCreateKeyFile(`${path}.key`, deps);
  const made = `Made ${path}.key, the key of the stored repo tokens: back it up, but not together with the database.`;
  return { key, warnings: [...(created ? [made] : []), ...(warning === undefined ? [] : [warning])] };
}
