import type { Account, Member, MemberRole, Session, ShareLink } from '../core/repo/account.ts';
import type { AuditEntry } from '../core/repo/audit.ts';
import type { Timestamp } from '../core/time.ts';

/** People who may sign in. */
export interface AccountStore {
  /** Undefined: the issuer's subject has an account already. */
  create(account: Omit<Account, 'id'>, audit?: AuditEntry): Promise<Account | undefined>;
  find(id: number): Promise<Account | undefined>;
  findBySubject(issuer: string, subject: string): Promise<Account | undefined>;
  /** Up to `limit` by id, from the one after `after` on. */
  list(part: { readonly after: number | undefined; readonly limit: number }): Promise<readonly Account[]>;
  /**
   * Changes the fields that are given, nothing else; undefined empties one. Undefined: there is no such account, or it
   * is no longer as in `was`.
   */
  change(id: number, fields: AccountChange, audit?: AuditEntry, was?: AccountState): Promise<Account | undefined>;
  /**
   * Removes the account, its sessions and memberships, and what `held` names. What is repeated completes what was cut
   * off. Undefined: there is no such account.
   */
  erase(id: number, held: HeldByAccount, audit?: AuditEntry): Promise<ErasedAccount | undefined>;
  /** Takes a code that is good until after `at`, so that nobody can take it again. False: it is not, or was taken. */
  takeCode(taking: { readonly id: number; readonly hash: string; readonly at: Timestamp }): Promise<boolean>;
}

/** What somebody has by their number or their user name. */
export interface HeldByAccount {
  /** Ids of personal tokens, which go. */
  readonly tokens: readonly number[];
  /** Ids of repos, which become ERASED_OWNER's. */
  readonly repos: readonly number[];
  /** What they signed members and share links of others with, which say ERASED_NAME then. */
  readonly names: readonly string[];
}

/** How many were changed. */
export interface ErasedAccount {
  readonly membersMade: number;
  readonly shareLinksMade: number;
}

/** What a change is made for only. */
export type AccountState = Partial<Pick<Account, 'groupsAt' | 'groupsAskedUntil' | 'hostToken' | 'refreshToken'>>;

export type AccountChange = Partial<Omit<Account, 'id' | 'issuer' | 'subject' | 'createdAt'>>;

/** Browsers that are signed in; not copied to another store. */
export interface SessionStore {
  /** Stores a session, and takes away those that have expired. For one account's, the `most` newest stay. */
  open(session: Session, max: number, audit?: AuditEntry): Promise<void>;
  /** One that has expired too. */
  find(hash: string): Promise<Session | undefined>;
  /** Notes a request. */
  noteUse(hash: string, at: Timestamp): Promise<void>;
  /** Newest first. */
  ofAccount(accountId: number): Promise<readonly Session[]>;
  end(hash: string): Promise<void>;
  /** Ends all of an account, but `except`. */
  endAll(accountId: number, except?: string): Promise<void>;
}

/** Who may do what in a repo, by a maintainer's word. They go with their repo. */
export interface MemberStore {
  /** Makes somebody a member, or changes the role. False: the repo is gone. */
  put(member: Member, audit?: AuditEntry): Promise<boolean>;
  /** False: there is no such member. */
  remove(repoId: number, accountId: number, audit?: AuditEntry): Promise<boolean>;
  role(repoId: number, accountId: number): Promise<MemberRole | undefined>;
  /** By account id, 1,000 at most. */
  ofRepo(repoId: number): Promise<readonly Member[]>;
  /** By repo id, 1,000 at most. */
  ofAccount(accountId: number): Promise<readonly Member[]>;
}

/** Links that read one repo. They go with their repo. */
export interface ShareStore {
  /** Undefined: the repo is gone. */
  create(link: Omit<ShareLink, 'id'>, audit?: AuditEntry): Promise<ShareLink | undefined>;
  /** One that has expired too. */
  findByHash(hash: string): Promise<ShareLink | undefined>;
  /** Newest first. */
  ofRepo(repoId: number): Promise<readonly ShareLink[]>;
  /** Ends a link of that repo at once. False: it has no such link. */
  revoke(repoId: number, id: number, audit?: AuditEntry): Promise<boolean>;
}
