import { Failure, quoteValue } from '../core/failure.ts';
import { type Account, LOCAL_ISSUER, userOf } from '../core/repo/account.ts';
import { type Actor, type AuditAction, type AuditEntry, auditBy, auditChange } from '../core/repo/audit.ts';
import type { Caller } from '../core/repo/caller.ts';
import type { Repo } from '../core/repo/repo.ts';
import { readUserName, USER_NAME_FORM } from '../core/repo/user-name.ts';
import type { Services } from '../services/services.ts';
import type { ErasedAccount, HeldByAccount } from '../storage/account-store.ts';
import { personOf } from './erase-person.ts';
import { checkPassword } from './password-form.ts';

/** How long a sign-in link is good, in ms. */
const CODE_LIMIT = 10 * 60_000;
const PAGE = 100;

type Accounts = Pick<
  Services,
  'accounts' | 'tokens' | 'repos' | 'sessions' | 'members' | 'passwords' | 'secrets' | 'clock'
>;

/** How much of somebody was removed or changed. */
export interface RemovedAccount extends ErasedAccount {
  readonly sessions: number;
  readonly tokens: number;
  readonly memberships: number;
  readonly repos: number;
}

/** What operators and administrators do with accounts. Failures: `payload-invalid`, `conflict`. */
export interface ManageAccounts {
  create(wanted: {
    readonly user: string;
    readonly password: string | undefined;
    readonly administrator: boolean;
  }): Promise<Account>;
  setPassword(account: Account, password: string): Promise<void>;
  /** Sessions end at once, and so do the person's tokens while it lasts. */
  setDisabled(account: Account, disabled: boolean): Promise<void>;
  setAdministrator(account: Account, administrator: boolean): Promise<void>;
  /** Nobody knows any more whose the account's number was, which the audit log keeps. */
  erase(account: Account): Promise<RemovedAccount>;
  /** A code that signs in once, for anybody who may run commands on the server. */
  makeCode(account: Account): Promise<string>;
}

/** By id, from the one after `after` on. */
export function listAccounts(
  { accounts }: Pick<Services, 'accounts'>,
  after: number | undefined,
): Promise<readonly Account[]> {
  return accounts.list({ after, limit: PAGE });
}

/** By number, or by the user name of a local account. Throws a Failure `not-found`. */
export async function findAccount({ accounts }: Pick<Services, 'accounts'>, reference: string): Promise<Account> {
  const user = readUserName(reference);
  const account = /^\d{1,15}$/.test(reference) ? await accounts.find(Number(reference)) : undefined;
  const found = account ?? (user && (await accounts.findBySubject(LOCAL_ISSUER, user)));
  if (found) return found;
  throw new Failure('not-found', noAccount(quoteValue(reference)));
}

/** `who`: the person who does it. */
export function manageAccounts(services: Accounts, who: Caller | Actor): ManageAccounts {
  const { accounts, sessions, members, passwords, secrets, clock } = services;
  const audit = (action: AuditAction, account?: number, change?: Pick<AuditEntry, 'before' | 'after'>) =>
    auditBy(who, { action, at: clock.now(), ...(account !== undefined && { account }), ...change });
  return {
    create: (wanted) => {
      const { administrator } = wanted;
      return create(services, wanted, audit('account.made', undefined, { after: { administrator } }));
    },
    async setPassword({ id, issuer, name }, password) {
      if (issuer !== LOCAL_ISSUER)
        throw new Failure('payload-invalid', `${name} signs in elsewhere, and has no password here.`);
      const hash = await passwords.hash(checkPassword(password));
      await accounts.change(id, { password: hash }, audit('password.changed', id));
      await sessions.endAll(id);
    },
    async setDisabled({ id, disabledAt }, disabled) {
      const change = { disabledAt: disabled ? clock.now() : undefined, signInCode: undefined };
      if (disabled !== (disabledAt !== undefined))
        await accounts.change(id, change, audit(disabled ? 'account.disabled' : 'account.enabled', id));
      if (disabled) await sessions.endAll(id);
    },
    async setAdministrator({ id, administrator: before }, administrator) {
      const change = auditChange({ administrator: before }, { administrator });
      if (change !== undefined) await accounts.change(id, { administrator }, audit('administrator.set', id, change));
    },
    async erase(account) {
      const held = await findHeld(services, account);
      const [open, memberships] = await Promise.all([sessions.ofAccount(account.id), members.ofAccount(account.id)]);
      const erased = await accounts.erase(account.id, held, audit('account.erased', account.id));
      if (erased === undefined) throw new Failure('not-found', noAccount(String(account.id)));
      const { tokens, repos } = held;
      const counts = { sessions: open.length, memberships: memberships.length };
      return { ...erased, ...counts, tokens: tokens.length, repos: repos.length };
    },
    async makeCode({ id }) {
      const code = secrets.newRandom();
      const signInCode = { hash: secrets.hash(code), expiresAt: clock.now() + CODE_LIMIT };
      await accounts.change(id, { signInCode }, audit('sign-in-link.made', id));
      return `${id}.${code}`;
    },
  };
}

/** A local account has what its user name has, also without signing in. */
async function findHeld({ tokens, repos }: Accounts, account: Account): Promise<HeldByAccount> {
  const user = userOf(account);
  const ofUser = (await tokens.list()).filter((one) => one.accountId === account.id || one.user === user);
  const owned: number[] = [];
  for (let after: Repo | undefined; ; ) {
    const some = await repos.list({ after, limit: PAGE });
    owned.push(...some.filter(({ owner }) => owner === user).map(({ id }) => id));
    after = some.at(-1);
    if (after === undefined)
      return { tokens: ofUser.map(({ id }) => id), repos: owned, names: personOf({ account, emails: [] }).names };
  }
}

async function create(
  { accounts, passwords, clock }: Accounts,
  { user, password, administrator }: Parameters<ManageAccounts['create']>[0],
  audit: AuditEntry,
): Promise<Account> {
  const name = readUserName(user);
  // A number would be taken for the number of an account.
  if (name === undefined || /^\d+$/.test(name))
    throw new Failure(
      'payload-invalid',
      `A user name is ${USER_NAME_FORM}, and not a number; got ${quoteValue(user)}.`,
    );
  const hash = password === undefined ? undefined : await passwords.hash(checkPassword(password));
  const fresh = {
    issuer: LOCAL_ISSUER,
    subject: name,
    name,
    email: undefined,
    administrator,
    groups: [],
    password: hash,
    hostToken: undefined,
    signInCode: undefined,
    disabledAt: undefined,
    createdAt: clock.now(),
    signedInAt: undefined,
  };
  const account = await accounts.create(fresh, audit);
  if (account !== undefined) return account;
  throw new Failure('conflict', `There is already an account ${name}; set-password gives it a new password.`);
}

function noAccount(found: string): string {
  return `There is no account ${found}; give a number or a user name.`;
}
