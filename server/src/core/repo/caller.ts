import type { Account, MemberRole, Session } from './account.ts';
import type { Repo, Role } from './repo.ts';

/** Who sent a request, as far as it proves that, and from which address, as the server sees it. */
export type Caller = { readonly address?: string | undefined } & (
  | {
      readonly kind: 'user';
      readonly user: string;
      readonly role: Role;
      /** Whose account it is; undefined for ADMIN_TOKEN and for tokens of `npm run token`. */
      readonly account?: CallerAccount | undefined;
      /** The personal token that came. */
      readonly tokenId?: number | undefined;
      /** In repos that were looked at for this request; in any other, nothing was granted. */
      readonly grants?: readonly Grant[] | undefined;
      readonly shares?: readonly SharedRepo[] | undefined;
    }
  /** Holds the token of one repo: reads its numbers, never source or settings (rule 30). */
  | { readonly kind: 'repo'; readonly repoId: number }
  | { readonly kind: 'anonymous'; readonly shares?: readonly SharedRepo[] | undefined }
);

export interface CallerAccount {
  readonly id: number;
  readonly issuer: string;
  /** For people. */
  readonly name: string;
  readonly groups: readonly string[];
}

/** What somebody may do in a repo as its member, by a group, or by what its git host says. */
export interface Grant {
  readonly repoId: number;
  readonly role: MemberRole;
}

/** A repo that a share link opens. */
export interface SharedRepo {
  readonly repoId: number;
  /** Whether source texts may be read too. */
  readonly source: boolean;
}

/** The user in whose name ADMIN_TOKEN acts: no personal token can bear it, since user names hold no parentheses. */
export const ADMIN_USER = '(ADMIN_TOKEN)';

/** What people call the user. */
export function nameOf(caller: Extract<Caller, { kind: 'user' }>): string {
  return caller.account?.name ?? caller.user;
}

type ReadRepo = Pick<Repo, 'id' | 'owner' | 'settings'>;

/** Whether the caller may read the repo's numbers and pages. */
export function mayRead(caller: Caller, repo: ReadRepo): boolean {
  return repo.settings.visibility === 'public' || isMember(caller, repo) || shareOf(caller, repo) !== undefined;
}

/** Whether the caller may read source texts: a repo token never may, and not every share link (rule 30). */
export function mayReadSource(caller: Caller, repo: ReadRepo): boolean {
  if (caller.kind === 'repo') return false;
  const isOpen = repo.settings.visibility === 'public' || isMember(caller, repo);
  return isOpen || shareOf(caller, repo)?.source === true;
}

/** Whether the caller may see e-mail addresses of committers: that repo's own token, and its members. */
export function mayReadEmails(caller: Caller, repo: Pick<Repo, 'id' | 'owner'>): boolean {
  return isMember(caller, repo);
}

/** Whether the caller may see the repo's token and change its settings: its maintainers and administrators. */
export function mayAdminister(caller: Caller, repo: Pick<Repo, 'id' | 'owner'>): boolean {
  if (caller.kind !== 'user') return false;
  if (caller.role === 'administrator' || caller.user === repo.owner) return true;
  return grantIn(caller, repo) === 'maintainer';
}

function isMember(caller: Caller, repo: Pick<Repo, 'id' | 'owner'>): boolean {
  if (caller.kind === 'repo') return caller.repoId === repo.id;
  return mayAdminister(caller, repo) || grantIn(caller, repo) !== undefined;
}

function grantIn(caller: Caller, { id }: Pick<Repo, 'id'>): MemberRole | undefined {
  const grants = caller.kind === 'user' ? (caller.grants ?? []).filter(({ repoId }) => repoId === id) : [];
  return grants.find(({ role }) => role === 'maintainer')?.role ?? grants[0]?.role;
}

function shareOf(caller: Caller, { id }: Pick<Repo, 'id'>): SharedRepo | undefined {
  const shares = caller.kind === 'repo' ? [] : (caller.shares ?? []).filter(({ repoId }) => repoId === id);
  return shares.find(({ source }) => source) ?? shares[0];
}

/** Somebody who is signed in. */
export interface SignedIn {
  readonly account: Account;
  readonly session: Session;
  readonly caller: PersonCaller;
}

export type PersonCaller = Extract<Caller, { kind: 'user' }>;

/** Whom a group of a provider makes an administrator. */
export type AdminGroup = { readonly issuer: string; readonly group: string } | undefined;

/** What a group of a provider may do in some repos. */
export interface GroupRole {
  readonly issuer: string;
  readonly group: string;
  /** `<service>/<owner>/<name>`, compared without regard to case; `*` at its end stands for any ending. */
  readonly repos: string;
  readonly role: MemberRole;
}
