import { createSecretKey, randomBytes } from 'node:crypto';
import { createSecrets } from '../../../server/src/platform/secrets/create-secrets.ts';
import type { Store } from '../../../server/src/storage/store.ts';

const ISSUER = 'http://127.0.0.1:9';
const HOUR = 3_600_000;

/** An OpenID provider that does not answer, by whose groups everything may be done. */
export const LOST_GROUP_ENV = {
  OIDC_ISSUER: ISSUER,
  OIDC_CLIENT_ID: 'coverage',
  OIDC_CLIENT_SECRET: 'secret-of-the-client-0123456789',
  OIDC_ALLOWED_DOMAINS: '*',
  OIDC_ADMIN_GROUP: 'ops',
  OIDC_GROUP_ROLES: 'core=github/acme/*:maintainer,core=manual/acme/*:maintainer',
};

/** A personal token that never expires, of somebody who was in both groups 13 hours ago. */
export async function addLostGroup({ accounts, tokens }: Pick<Store, 'accounts' | 'tokens'>): Promise<string> {
  const secrets = createSecrets({ key: createSecretKey(randomBytes(32)), previousKey: undefined, randomBytes });
  const at = Date.now() - 13 * HOUR;
  const account = await accounts.create({
    issuer: ISSUER,
    subject: 'u-1',
    name: 'Erin',
    email: undefined,
    administrator: false,
    groups: ['ops', 'core'],
    groupsAt: at,
    password: undefined,
    hostToken: undefined,
    signInCode: undefined,
    disabledAt: undefined,
    createdAt: at,
    signedInAt: at,
  });
  if (account === undefined) throw new Error('there was such an account');
  const token = secrets.newPersonalToken();
  const ofAccount = { user: `account:${account.id}`, role: 'user', accountId: account.id, name: 'laptop' } as const;
  await tokens.create({ ...ofAccount, hash: secrets.hash(token), ending: token.slice(-4), createdAt: at });
  return token;
}
