import type { Account } from '../core/repo/account.ts';
import type { AuditEntry } from '../core/repo/audit.ts';
import type { Caller } from '../core/repo/caller.ts';
import type { Repo } from '../core/repo/repo.ts';
import type { Timestamp } from '../core/time.ts';

/**
 * The caller with what was granted to them in these repos: as a member, by a group, or by their git host, which is
 * asked once however many there are. Throws a Failure `unavailable` if it cannot be asked about one repo that nothing
 * else opens.
 */
export type ResolveAccess = <C extends Caller>(caller: C, repos: readonly Repo[]) => Promise<C>;

/** Why somebody has fewer rights by groups: the provider says other groups, has ended its word, or was not asked. */
type EndReason = 'changed' | 'ended' | 'expired';

/** The groups of an OpenID provider, which count for a stated time after it named them. */
export interface CurrentGroups {
  /** The account with the groups that count now; from half of their time on, the provider is asked again. */
  of(account: Account): Promise<Account>;
  /** Undefined: its groups are not used here. */
  describe(account: Account): { readonly until: Timestamp; readonly isAskedAgain: boolean } | undefined;
  /** The entry of rights that end where the account's groups become these; undefined: none end. */
  auditEnd(account: Account, groups: readonly string[], reason: EndReason): AuditEntry | undefined;
  /** Once nobody is being asked. */
  settled(): Promise<void>;
}
