import type { AuditSignIns } from '../access/audit-sign-ins.ts';
import { Failure } from '../core/failure.ts';
import { type Account, LOCAL_ISSUER } from '../core/repo/account.ts';
import { readUserName } from '../core/repo/user-name.ts';
import type { Passwords } from '../platform/passwords.ts';
import type { AccountStore } from '../storage/account-store.ts';
import type { KnownDevices } from './known-devices.ts';
import type { LimitAttempts } from './limit-attempts.ts';

export interface SignInLocallyDeps {
  readonly accounts: Pick<AccountStore, 'findBySubject'>;
  readonly passwords: Pick<Passwords, 'matches'>;
  readonly limitAttempts: LimitAttempts;
  readonly knownDevices: Pick<KnownDevices, 'recognise'>;
  readonly networkOf: (address: string) => string;
  readonly auditSignIns: Pick<AuditSignIns, 'failed'>;
}

/** Somebody's name and password, and from where they came. */
export interface LocalSignIn {
  readonly name: string;
  readonly password: string;
  readonly address: string;
  /** What the browser keeps of sign-ins before. */
  readonly kept: string | undefined;
}

/** Throws a Failure `credential-unknown` or `over-limit`. */
export type SignInLocally = (given: LocalSignIn) => Promise<Account>;

/** The account of a name and its password. A name that nobody has is answered alike, and after as long. */
export function createSignInLocally(deps: SignInLocallyDeps): SignInLocally {
  const { accounts, passwords, limitAttempts, knownDevices, networkOf, auditSignIns } = deps;
  return async ({ name, password, address, kept }) => {
    const user = readUserName(name.trim());
    const find = async () => (user === undefined ? undefined : accounts.findBySubject(LOCAL_ISSUER, user));
    const device = await knownDevices.recognise(kept, user ?? '', find);
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
  };
}
