import { findAdministeredRepo, type RepoRequest, repoNotFound } from '../access/find-administered-repo.ts';
import type { Account, Member, MemberRole } from '../core/repo/account.ts';
import { auditBy } from '../core/repo/audit.ts';
import { nameOf } from '../core/repo/caller.ts';
import type { Clock } from '../platform/clock.ts';
import type { ResolveAccess } from '../ports/access.ts';
import type { AccountStore, MemberStore } from '../storage/account-store.ts';
import type { RepoStore } from '../storage/store.ts';
import type { FindAccounts } from './manage-accounts.ts';

/** A member with the account, as far as it is known. */
export interface ListedMember {
  readonly member: Member;
  readonly account: Account | undefined;
}

/** Who may read or maintain a repo by a maintainer's word. Failures: `not-found`, `forbidden`. */
export interface Members {
  list(request: RepoRequest): Promise<readonly ListedMember[]>;
  /** `account`: a number, or the user name of a local account. */
  put(request: RepoRequest & { readonly account: string; readonly role: MemberRole }): Promise<ListedMember>;
  remove(request: RepoRequest & { readonly account: string }): Promise<void>;
}

export function createMembers(deps: {
  readonly repos: Pick<RepoStore, 'findByName'>;
  readonly accounts: Pick<AccountStore, 'find'>;
  readonly members: MemberStore;
  readonly findAccount: FindAccounts['find'];
  readonly clock: Clock;
  readonly resolveAccess: ResolveAccess;
}): Members {
  const { accounts, members, findAccount, clock } = deps;
  return {
    async list(request) {
      const repo = await findAdministeredRepo(deps, request);
      const found = await members.ofRepo(repo.id);
      const of = async (member: Member) => ({ member, account: await accounts.find(member.accountId) });
      return Promise.all(found.map(of));
    },
    async put({ account: reference, role, ...request }) {
      const repo = await findAdministeredRepo(deps, request);
      const account = await findAccount(reference);
      const by = request.caller.kind === 'user' ? nameOf(request.caller) : '';
      const at = clock.now();
      const member = { repoId: repo.id, accountId: account.id, role, by, at };
      const audit = auditBy(request.caller, {
        action: 'member.set',
        at,
        repo,
        account: account.id,
        before: { role: (await members.role(repo.id, account.id)) ?? null },
        after: { role },
      });
      if (!(await members.put(member, audit))) throw repoNotFound(request.address);
      return { member, account };
    },
    async remove({ account, ...request }) {
      const repo = await findAdministeredRepo(deps, request);
      const { id } = await findAccount(account);
      const before = { role: (await members.role(repo.id, id)) ?? null };
      const event = { action: 'member.removed', at: clock.now(), repo, account: id, before } as const;
      await members.remove(repo.id, id, auditBy(request.caller, event));
    },
  };
}
