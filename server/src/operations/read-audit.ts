import { Failure } from '../core/failure.ts';
import type { Account } from '../core/repo/account.ts';
import type { AuditRecord } from '../core/repo/audit.ts';
import type { Caller } from '../core/repo/caller.ts';
import type { AccountStore } from '../storage/account-store.ts';
import type { AuditLog, AuditPart } from '../storage/audit-log.ts';

/** Who accounts are, by their number; one that was erased is not there. */
export type AuditPeople = ReadonlyMap<number, Pick<Account, 'id' | 'issuer' | 'subject' | 'name'>>;

export interface AuditPage {
  readonly entries: readonly AuditRecord[];
  readonly people: AuditPeople;
  /** The id from which on there are more; undefined: there are none. */
  readonly next: number | undefined;
}

export interface ReadAuditDeps {
  readonly audit: Pick<AuditLog, 'list'>;
  readonly accounts: Pick<AccountStore, 'find'>;
}

/** A part of the audit log, with the people that it is about. */
export function createReadAudit({ audit, accounts }: ReadAuditDeps): (part: AuditPart) => Promise<AuditPage> {
  return async (part) => {
    const found = await audit.list({ ...part, limit: part.limit + 1 });
    const entries = found.slice(0, part.limit);
    const ids = new Set(
      entries.flatMap(({ by, account }) => [account, by.kind === 'account' ? by.account : undefined]),
    );
    const people = await Promise.all([...ids].map((id) => (id === undefined ? undefined : accounts.find(id))));
    return {
      entries,
      people: new Map(people.flatMap((one) => (one === undefined ? [] : [[one.id, one]]))),
      next: found.length > part.limit ? entries.at(-1)?.id : undefined,
    };
  };
}

export type ShowAudit = (asked: { readonly caller: Caller; readonly part: AuditPart }) => Promise<AuditPage>;

/** The same for administrators; throws a Failure `forbidden` for anybody else. */
export function createShowAudit(deps: ReadAuditDeps): ShowAudit {
  const readAudit = createReadAudit(deps);
  return async ({ caller, part }) => {
    if (caller.kind === 'user' && caller.role === 'administrator') return readAudit(part);
    throw new Failure('forbidden', 'Only administrators of this server may read the audit log.');
  };
}
