import { Failure } from '../core/failure.ts';
import { type Account, LOCAL_ISSUER } from '../core/repo/account.ts';
import { readUserName } from '../core/repo/user-name.ts';
import { networkOf } from '../platform/network-of.ts';
import type { Services } from '../services/services.ts';
import { recognizeDevice } from './known-devices.ts';
import type { SignInGuards } from './limit-attempts.ts';

/** A user name and password, and where they came from. */
interface LocalSignIn {
  readonly name: string;
  readonly password: string;
  readonly address: string;
  /** What the browser keeps from earlier sign-ins. */
  readonly kept: string | undefined;
}

/**
 * The account of a name and its password. An unknown name gets the same answer after the same time. Throws a Failure
 * `credential-unknown` or `over-limit`.
 */
export async function signInLocally(
  services: Pick<Services, 'accounts' | 'passwords' | 'secrets' | 'clock'> & SignInGuards,
  { name, password, address, kept }: LocalSignIn,
): Promise<Account> {
  const { accounts, passwords, limitAttempts, auditSignIns } = services;
  const user = readUserName(name.trim());
  const find = async () => (user === undefined ? undefined : accounts.findBySubject(LOCAL_ISSUER, user));
  const device = await recognizeDevice(services, { kept, user: user ?? '', find });
  const forget = limitAttempts({ name: user ?? '', address, device });
  const account = await find();
  const key = { known: device !== undefined, share: networkOf(address) };
  const isRight = await passwords.matches(password.slice(0, 1_000), account?.password, key);
  if (account === undefined || !isRight || account.disabledAt !== undefined) {
    await auditSignIns.failed({ way: 'password', address, account: account?.id });
    throw new Failure('credential-unknown', 'Wrong user name or password.');
  }
  forget();
  return account;
}

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
