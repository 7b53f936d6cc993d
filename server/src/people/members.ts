import { findAdministeredRepo, type RepoRequest, repoNotFound } from '../access/find-administered-repo.ts';
import type { Account, Member, MemberRole } from '../core/repo/account.ts';
import { auditBy } from '../core/repo/audit.ts';
import { nameOf } from '../core/repo/caller.ts';
import type { Services } from '../services/services.ts';
import { findAccount } from './manage-accounts.ts';

/** A member with the account, as far as it is known. */
export interface ListedMember {
  readonly member: Member;
  readonly account: Account | undefined;
}

type Membership = Pick<Services, 'repos' | 'accounts' | 'members' | 'clock' | 'resolveAccess'>;

/** Who may read or maintain a repo by a maintainer's word. Throws a Failure `not-found` or `forbidden`. */
export async function listMembers(services: Membership, request: RepoRequest): Promise<readonly ListedMember[]> {
  const repo = await findAdministeredRepo(services, request);
  const found = await services.members.ofRepo(repo.id);
  return Promise.all(
    found.map(async (member) => ({ member, account: await services.accounts.find(member.accountId) })),
  );
}

/** `account`: a number, or the user name of a local account. */
export async function putMember(
  services: Membership,
  { account: reference, role, ...request }: RepoRequest & { readonly account: string; readonly role: MemberRole },
): Promise<ListedMember> {
  const { members, clock } = services;
  const repo = await findAdministeredRepo(services, request);
  const account = await findAccount(services, reference);
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
}

export async function removeMember(
  services: Membership,
  { account, ...request }: RepoRequest & { readonly account: string },
): Promise<void> {
  const { members, clock } = services;
  const repo = await findAdministeredRepo(services, request);
  const { id } = await findAccount(services, account);
  const before = { role: (await members.role(repo.id, id)) ?? null };
  const event = { action: 'member.removed', at: clock.now(), repo, account: id, before } as const;
  await members.remove(repo.id, id, auditBy(request.caller, event));
}
