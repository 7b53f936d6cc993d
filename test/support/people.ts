import { createSecretKey, randomBytes } from 'node:crypto';
import type { Account } from '../../server/src/core/repo/account.ts';
import { COMMAND_LINE } from '../../server/src/core/repo/audit.ts';
import { type ManageAccounts, manageAccounts as manageFor } from '../../server/src/people/manage-accounts.ts';
import { createSecrets } from '../../server/src/platform/secrets/create-secrets.ts';
import { createPasswords } from '../../server/src/platform/secrets/passwords.ts';
import { openBrowser, type PageBrowser } from './page-browser.ts';
import type { Service } from './service.ts';

export const PASSWORD = 'correct horse battery';

/** What `npm run user` does, with passwords that cost little. */
export function manageAccounts({
  store,
  time,
}: Pick<Service, 'store'> & { readonly time: Pick<Service['time'], 'clock'> }): ManageAccounts {
  const secrets = createSecrets({ key: createSecretKey(randomBytes(32)), previousKey: undefined, randomBytes });
  const passwords = createPasswords({ randomBytes, cost: { log2: 4, blocks: 8, parallelism: 1 } });
  return manageFor({ ...store, passwords, secrets, clock: time.clock }, COMMAND_LINE);
}

/** A new local account. */
export function newPerson(service: Service, user: string, administrator = false): Promise<Account> {
  return manageAccounts(service).create({ user, password: PASSWORD, administrator });
}

/** Somebody's browser, signed in with PASSWORD. */
export async function signedIn(service: Service, name: string): Promise<PageBrowser> {
  const browser = openBrowser(service.url);
  await browser.get('/sign-in');
  const answer = await browser.send('/sign-in', { name, password: PASSWORD });
  if (answer.status !== 303) throw new Error(`${name} was not signed in: ${answer.status} ${answer.text}`);
  return browser;
}

/** Anybody who visits an OpenID provider signs in; two browsers, since the provider has cookies of its own. */
export async function signInAtOpenId(url: string, issuer: string) {
  const [here, there] = [openBrowser(url), openBrowser(issuer)];
  const { location = '' } = await here.get('/sign-in/openid?next=/account/tokens');
  for (let next = location, steps = 0; steps < 10; steps += 1) {
    const answer = await there.get(next);
    next = new URL(answer.location ?? '', issuer).toString();
    if (next.startsWith(url)) return { browser: here, answer: await here.follow(next) };
  }
  throw new Error('the provider did not send the browser back');
}
