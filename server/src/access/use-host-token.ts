import { Failure } from '../core/failure.ts';
import type { CallerAccount } from '../core/repo/caller.ts';
import type { HostSignIn, HostToken } from '../ports/sign-in.ts';
import type { Services } from '../services/services.ts';

/** A token is renewed this long before it expires, in ms. */
const EARLY = 60_000;

/** Asks a host with somebody's own token, renewed where it must be. Throws a Failure `forbidden` without one. */
export type UseHostToken = <T>(
  account: CallerAccount,
  signIn: HostSignIn,
  ask: (token: string) => Promise<T>,
) => Promise<T>;

export function createUseHostToken(services: Pick<Services, 'accounts' | 'secrets' | 'clock'>): UseHostToken {
  const { accounts, secrets, clock } = services;
  // A refresh token works once: two requests must not both use it.
  const renewing = new Map<number, Promise<HostToken | undefined>>();
  const renew = async (id: number, signIn: HostSignIn, refresh: string): Promise<HostToken | undefined> => {
    const token = await signIn.renew(refresh);
    await accounts.change(id, { hostToken: token && secrets.sealText(JSON.stringify(token)) });
    return token;
  };
  return async ({ id }, signIn, ask) => {
    const account = await accounts.find(id);
    const text = account?.hostToken === undefined ? undefined : secrets.openText(account.hostToken);
    const stored = text === undefined ? undefined : (JSON.parse(text) as HostToken);
    const isOver = stored?.expiresAt !== undefined && clock.now() >= stored.expiresAt - EARLY;
    if (stored === undefined || (isOver && stored.refresh === undefined)) throw signInAgain(signIn.name);
    if (!isOver) return ask(stored.access);
    const open = renewing.get(id) ?? renew(id, signIn, stored.refresh ?? '').finally(() => renewing.delete(id));
    renewing.set(id, open);
    const token = await open;
    if (token === undefined) throw signInAgain(signIn.name);
    return ask(token.access);
  };
}

/** The host has ended what it gave us. */
export function signInAgain(host: string): Failure {
  return new Failure('forbidden', `${host} has ended your sign-in. Sign out here, and sign in with ${host} again.`);
}
