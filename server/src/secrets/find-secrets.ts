import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import type { Config } from '../config.ts';
import type { Secrets } from '../ports/secrets.ts';
import { createSecrets } from './create-secrets.ts';
import { findKey } from './find-key.ts';

/** The secrets for a command. Undefined: there is no key, and a new key file would open nothing. */
export async function findSecrets(
  config: Pick<Config, 'secretKey' | 'previousSecretKey' | 'databaseUrl'>,
): Promise<Secrets | undefined> {
  const { secretKey, previousSecretKey: previousKey, databaseUrl } = config;
  if (secretKey === undefined && !existsSync(`${databaseUrl.slice(databaseUrl.indexOf(':') + 1)}.key`))
    return undefined;
  const { key } = await findKey({ randomBytes }, config);
  return createSecrets({ key, previousKey, randomBytes });
}
