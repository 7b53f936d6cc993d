import { type KeyObject, randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import type { Secrets } from '../secrets.ts';
import { createSecrets } from './create-secrets.ts';
import { findKey } from './find-key.ts';

/** The secrets for a command. Undefined: there is no key, and a new key file would open nothing. */
export async function findSecrets(config: {
  readonly secretKey: KeyObject | undefined;
  readonly previousSecretKey: KeyObject | undefined;
  readonly databaseUrl: string;
}): Promise<Secrets | undefined> {
  const { secretKey, previousSecretKey: previousKey, databaseUrl } = config;
  if (secretKey === undefined && !existsSync(`${databaseUrl.slice(databaseUrl.indexOf(':') + 1)}.key`))
    return undefined;
  const { key } = await findKey({ randomBytes }, config);
  return createSecrets({ key, previousKey, randomBytes });
}
