import type { Timestamp } from '../time.ts';
import { ADMIN_USER, type Caller } from './caller.ts';
import type { Repo } from './repo.ts';

/** Everything that the audit log tells of; docs/people.md says what each is. */
export const AUDIT_ACTIONS = [
  'token.made',
  'token.revoked',
  'repo-token.replaced',
  'host-token.set',
  'host-token.removed',
  'webhook.set',
  'share-link.made',
  'share-link.revoked',
  'settings.changed',
  'ratchet.lowered',
  'member.set',
  'member.removed',
  'administrator.set',
  'repo.made',
  'repo.renamed',
  'repo.suspended',
  'repo.resumed',
  'repo.removed',
  'repo.exported',
  'repo.imported',
  'history.imported',
  'history.removed',
  'build.removed',
  'base.excluded',
  'base.included',
  'failure.accepted',
  'failure.no-longer-accepted',
  'account.made',
  'account.disabled',
  'account.enabled',
  'account.erased',
  'person.erased',
  'group-rights.ended',
  'password.changed',
  'app.made',
  'app.removed',
  'sign-in-link.made',
  'sign-in.succeeded',
  'sign-in.failed',
] as const;
export type AuditAction = (typeof AUDIT_ACTIONS)[number];

/** Who did it, never by name: the account's row says who its number is, until that person is erased. */
export type AuditSubject =
  /** `token`: the personal token that it was done with, if any. */
  | { readonly kind: 'account'; readonly account: number; readonly token?: number }
  /** A personal token of `npm run token`, whose user has no account. */
  | { readonly kind: 'token'; readonly token: number }
  | { readonly kind: 'admin-token' }
  | { readonly kind: 'command-line' }
  | { readonly kind: 'repo-token' }
  /** A git host's event or answer, or an upload that it vouches for. */
  | { readonly kind: 'provider'; readonly service: string }
  | { readonly kind: 'unknown' };

/** Who acts, and from which address where it is a request. */
export interface Actor {
  readonly by: AuditSubject;
  readonly address?: string | undefined;
}

export const COMMAND_LINE: Actor = { by: { kind: 'command-line' } };

type Values = Readonly<Record<string, unknown>>;

/** Something that was done. It holds no secret and no person's name. */
export interface AuditEntry extends Actor {
  readonly action: AuditAction;
  readonly at: Timestamp;
  /** `name`: `<service>/<owner>/<name>`, as it was then. */
  readonly repo?: { readonly id: number; readonly name: string } | undefined;
  readonly build?: number | undefined;
  readonly account?: number | undefined;
  /** The id of a personal token. */
  readonly token?: number | undefined;
  readonly shareLink?: number | undefined;
  readonly before?: Values | undefined;
  readonly after?: Values | undefined;
  /** How many sign-ins before this one were not written, since there were too many. */
  readonly omitted?: number | undefined;
}

export interface AuditRecord extends AuditEntry {
  readonly id: number;
  /** It was written before the change, and nobody said since that the change was made: a process may have died. */
  readonly unconfirmed?: true;
}

type AuditEvent = Omit<AuditEntry, 'by' | 'address' | 'repo'> & {
  readonly repo?: Pick<Repo, 'id' | 'service' | 'name'> | undefined;
};

/** The entry of what somebody does: `audit: auditBy(caller, { action, at, repo })`. */
export function auditBy(who: Caller | Actor, { repo, ...event }: AuditEvent): AuditEntry {
  const named = repo && { id: repo.id, name: auditName(repo) };
  return { ...event, ...('by' in who ? who : actorOf(who)), ...(named && { repo: named }) };
}

export function auditName({ service, name }: Pick<Repo, 'service' | 'name'>): string {
  return `${service}/${name}`;
}

export function actorOf(caller: Caller): Actor {
  const { address } = caller;
  return { by: subjectOf(caller), ...(address !== undefined && { address }) };
}

function subjectOf(caller: Caller): AuditSubject {
  if (caller.kind === 'repo') return { kind: 'repo-token' };
  if (caller.kind === 'anonymous') return { kind: 'unknown' };
  const { account, tokenId: token, user } = caller;
  if (account !== undefined) return { kind: 'account', account: account.id, ...(token !== undefined && { token }) };
  if (token !== undefined) return { kind: 'token', token };
  return user === ADMIN_USER ? { kind: 'admin-token' } : { kind: 'unknown' };
}

/** What differs of two states of the same fields; undefined: nothing. */
export function auditChange<T extends object>(
  before: T,
  after: Partial<T>,
): { readonly before: Values; readonly after: Values } | undefined {
  const names = Object.keys(after) as (keyof T & string)[];
  const changed = names.filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]));
  if (changed.length === 0) return undefined;
  const of = (state: Partial<T>): Values => Object.fromEntries(changed.map((name) => [name, state[name] ?? null]));
  return { before: of(before), after: of(after) };
}

/** What its git host's word changed about a repo that people should know; undefined: nothing. */
export function auditFollowed(before: Repo, after: Repo): AuditEntry | undefined {
  const change = auditChange(
    { name: before.name, suspended: before.suspended },
    { name: after.name, suspended: after.suspended },
  );
  if (change === undefined) return undefined;
  const moved = after.suspended === undefined ? 'repo.resumed' : 'repo.suspended';
  const action = before.name === after.name ? moved : 'repo.renamed';
  const by = { kind: 'provider', service: after.service } as const;
  return auditBy({ by }, { action, at: after.updatedAt, repo: after, ...change });
}
