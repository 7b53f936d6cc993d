import { Failure } from '../core/failure.ts';
import { type Account, LOCAL_ISSUER } from '../core/repo/account.ts';
import { auditBy } from '../core/repo/audit.ts';
import type { SignedIn } from '../core/repo/caller.ts';
import type { Services } from '../services/services.ts';
import type { SignInGuards } from './limit-attempts.ts';
import { checkPassword } from './password-form.ts';

export interface PasswordChange {
  readonly current: string;
  readonly wanted: string;
  readonly address: string;
}

/** Somebody's own password; their other sessions end. Throws a Failure `payload-invalid` or `over-limit`. */
export async function changePassword(
  services: Pick<Services, 'accounts' | 'sessions' | 'passwords' | 'clock'> & Pick<SignInGuards, 'limitAttempts'>,
  { account, session, caller }: SignedIn,
  { current, wanted, address }: PasswordChange,
): Promise<Account> {
  const { accounts, sessions, passwords, limitAttempts, clock } = services;
  if (account.issuer !== LOCAL_ISSUER)
    throw new Failure('payload-invalid', 'You sign in elsewhere, and have no password here.');
  // By the session: strangers who try to sign in keep nobody from it.
  const forget = limitAttempts({ name: `session ${session.hash}`, address });
  const key = { known: true, share: session.hash };
  if (account.password !== undefined && !(await passwords.matches(current.slice(0, 1_000), account.password, key)))
    throw new Failure('payload-invalid', 'The current password is wrong.', { field: 'current_password' });
  forget();
  const password = await passwords.hash(checkPassword(wanted));
  const event = { action: 'password.changed', at: clock.now(), account: account.id } as const;
  await accounts.change(account.id, { password }, auditBy(caller, event));
  await sessions.endAll(account.id, session.hash);
  return { ...account, password };
}
