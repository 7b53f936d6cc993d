import { Failure } from '../../domain/failure.ts';
import type { Account } from '../../domain/repo/account.ts';
import * as say from '../../messages/people.ts';
import type { AccountStore } from '../../ports/account-store.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Secrets } from '../../ports/secrets.ts';
import type { AuditSignIns } from '../audit/audit-sign-ins.ts';

/** The account of a sign-in link's code, once. Throws a Failure `credential-unknown`. */
export type TakeSignInCode = (given: { readonly code: string; readonly address: string }) => Promise<Account>;

export function createTakeSignInCode(deps: {
  readonly accounts: Pick<AccountStore, 'find' | 'takeCode'>;
  readonly secrets: Pick<Secrets, 'hash'>;
  readonly clock: Clock;
  readonly auditSignIns: Pick<AuditSignIns, 'failed'>;
}): TakeSignInCode {
  const { accounts, secrets, clock, auditSignIns } = deps;
  return async ({ code: text, address }) => {
    const [, id, code = ''] = /^(\d{1,15})\.([\w-]{43})$/.exec(text) ?? [];
    const account = id === undefined ? undefined : await accounts.find(Number(id));
    const isGood =
      account !== undefined &&
      account.disabledAt === undefined &&
      (await accounts.takeCode({ id: account.id, hash: secrets.hash(code), at: clock.now() }));
    if (isGood) return account;
    await auditSignIns.failed({ way: 'link', address, account: account?.id });
    throw new Failure('credential-unknown', say.LINK_OVER);
  };
}
