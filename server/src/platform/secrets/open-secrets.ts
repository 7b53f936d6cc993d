import { type KeyObject, randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { Failure } from '../../core/failure.ts';
import type { HostAppStore } from '../../ports/host-apps.ts';
import type { RepoStore } from '../../storage/store.ts';
import type { Secrets } from '../secrets.ts';
import { createSecrets } from './create-secrets.ts';
import { loadOrCreateKeyFile, passingKey } from './key-file.ts';
import type { RandomBytes } from './random-token.ts';

/** What of the settings says which key it is. */
interface KeySettings {
  readonly secretKey: KeyObject | undefined;
  readonly previousSecretKey: KeyObject | undefined;
  readonly databaseUrl: string;
}

interface OpenedSecrets {
  readonly secrets: Secrets;
  /** Only this key; undefined: the key file of what is stored is missing. */
  readonly current: Secrets | undefined;
  /** Sentences for the log. */
  readonly warnings: readonly string[];
}

/**
 * The secrets of a server on its store. If the key file of what is sealed there is missing, no new one is made: what
 * needs the key fails with a sentence until it is back. Throws a Failure for a key that opens nothing of it.
 */
export async function openSecrets(
  settings: KeySettings,
  store: { readonly repos: Pick<RepoStore, 'listTokens'>; readonly hostApps: Pick<HostAppStore, 'list'> },
): Promise<OpenedSecrets> {
  const tokens = await store.repos.listTokens();
  const apps = await store.hostApps.list();
  const file = keyFileOf(settings);
  if (file !== undefined && tokens.length + apps.length > 0 && !existsSync(file)) {
    const passing = createSecrets({ key: passingKey(randomBytes), previousKey: undefined, randomBytes });
    return { secrets: lock(passing), current: undefined, warnings: [] };
  }
  const { key, warnings } = await findKey({ randomBytes }, settings);
  const secrets = createSecrets({ key, previousKey: settings.previousSecretKey, randomBytes });
  const opensOne =
    tokens.some(({ sealed }) => secrets.unseal(sealed) !== undefined) ||
    apps.some(({ sealed }) => secrets.openText(sealed) !== undefined);
  if (tokens.length + apps.length > 0 && !opensOne) {
    const named = file === undefined ? 'SECRET_KEY' : file;
    const sealed = tokens.length > 0 ? `repo tokens (${tokens.length})` : `Apps of /setup (${apps.length})`;
    throw new Failure(
      'unavailable',
      `${named} cannot decrypt any of the stored ${sealed}: they were encrypted with another key. ` +
        'Start with that one (in a cluster all servers have the same SECRET_KEY). ' +
        `If it is lost, ${tokens.length > 0 ? 'create new tokens with this one' : 'give them up'}: ` +
        'npm run rotate -- --lost.',
    );
  }
  return { secrets, current: createSecrets({ key, previousKey: undefined, randomBytes }), warnings };
}

/** The secrets for a command. Undefined: there is no key, and a new key file would open nothing. */
export async function findSecrets(settings: KeySettings): Promise<Secrets | undefined> {
  const file = keyFileOf(settings);
  if (file !== undefined && !existsSync(file)) return undefined;
  return makeSecrets(settings);
}

/** The same, and makes the key file if there is none. */
export async function makeSecrets(settings: KeySettings): Promise<Secrets> {
  const { key } = await findKey({ randomBytes }, settings);
  return createSecrets({ key, previousKey: settings.previousSecretKey, randomBytes });
}

/** Undefined: SECRET_KEY is set, or the database is in no file. */
export function keyFileOf({ secretKey, databaseUrl }: KeySettings): string | undefined {
  const path = /^sqlite:(.*)$/s.exec(databaseUrl)?.[1];
  return secretKey !== undefined || path === undefined || path === ':memory:' ? undefined : `${path}.key`;
}

/** What lives no longer than a sign-in has a key as short-lived; nothing that is stored is opened or sealed. */
function lock(passing: Secrets): Secrets {
  const refuse = (): never => {
    throw new Failure(
      'unavailable',
      'The key file of this server is missing, so it cannot check repo tokens. Its operator has to bring the file ' +
        'back, or create new tokens for all repos (docs/backup.md, "A lost key"). Nothing was stored; try again then.',
    );
  };
  return {
    ...passing,
    requireKey: refuse,
    seal: refuse,
    unseal: () => undefined,
    lookups: refuse,
    badgeToken: () => undefined,
    isBadgeToken: refuse,
  };
}

interface FoundKey {
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
