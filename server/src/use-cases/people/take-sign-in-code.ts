import { Failure } from '../../domain/failure.ts';
import type { Account } from '../../domain/repo/account.ts';
import * as say from '../../messages/people.ts';
import type { AccountStore } from '../../ports/account-store.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Secrets } from '../../ports/secrets.ts';

/** The account of a sign-in link's code, once. Throws a Failure `credential-unknown`. */
export type TakeSignInCode = (code: string) => Promise<Account>;

export function createTakeSignInCode(deps: {
  readonly accounts: Pick<AccountStore, 'find' | 'takeCode'>;
  readonly secrets: Pick<Secrets, 'hash'>;
  readonly clock: Clock;
}): TakeSignInCode {
  const { accounts, secrets, clock } = deps;
  return async (text) => {
    const [, id, code = ''] = /^(\d{1,15})\.([\w-]{43})$/.exec(text) ?? [];
    const account = id === undefined ? undefined : await accounts.find(Number(id));
    const isGood =
      account !== undefined &&
      account.disabledAt === undefined &&
      (await accounts.takeCode({ id: account.id, hash: secrets.hash(code), at: clock.now() }));
    if (isGood) return account;
    throw new Failure('credential-unknown', say.LINK_OVER);
  };
}
