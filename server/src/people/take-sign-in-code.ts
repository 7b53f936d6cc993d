import { Failure } from '../core/failure.ts';
import type { Account } from '../core/repo/account.ts';
import type { Services } from '../services/services.ts';
import type { SignInGuards } from './limit-attempts.ts';

/** The account of a sign-in link's code, once. Throws a Failure `credential-unknown`. */
export async function takeSignInCode(
  services: Pick<Services, 'accounts' | 'secrets' | 'clock'> & Pick<SignInGuards, 'auditSignIns'>,
  { code: text, address }: { readonly code: string; readonly address: string },
): Promise<Account> {
  const { accounts, secrets, clock, auditSignIns } = services;
  const code = readSignInCode(text);
  const account = code && (await accounts.find(code.accountId));
  const isGood =
    code !== undefined &&
    account !== undefined &&
    account.disabledAt === undefined &&
    (await accounts.takeCode({ id: account.id, hash: secrets.hash(code.secret), at: clock.now() }));
  if (isGood) return account;
  await auditSignIns.failed({ way: 'link', address, account: account?.id });
  throw new Failure('credential-unknown', LINK_OVER);
}

/** The parts of a code, good or not; undefined: it does not have the form of one. */
export function readSignInCode(text: string) {
  const [, id, secret = ''] = /^(\d{1,15})\.([\w-]{43})$/.exec(text) ?? [];
  return id === undefined ? undefined : { text, accountId: Number(id), secret };
}

export const LINK_OVER = 'This sign-in link has been used or has expired. Create another one.';
