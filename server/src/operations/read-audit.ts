import { Failure } from '../core/failure.ts';
import type { Account } from '../core/repo/account.ts';
import type { AuditRecord } from '../core/repo/audit.ts';
import type { Caller } from '../core/repo/caller.ts';
import type { Services } from '../services/services.ts';
import type { AuditPart } from '../storage/audit-log.ts';

/** Who accounts are, by their number; one that was erased is not there. */
export type AuditPeople = ReadonlyMap<number, Pick<Account, 'id' | 'issuer' | 'subject' | 'name'>>;

export interface AuditPage {
  readonly entries: readonly AuditRecord[];
  readonly people: AuditPeople;
  /** The id from which on there are more; undefined: there are none. */
  readonly next: number | undefined;
}

/** A part of the audit log, with the people that it is about. */
export async function readAudit(
  { audit, accounts }: Pick<Services, 'accounts' | 'audit'>,
  part: AuditPart,
): Promise<AuditPage> {
  const found = await audit.list({ ...part, limit: part.limit + 1 });
  const entries = found.slice(0, part.limit);
  const ids = new Set(entries.flatMap(({ by, account }) => [account, by.kind === 'account' ? by.account : undefined]));
  const people = await Promise.all([...ids].map((id) => (id === undefined ? undefined : accounts.find(id))));
  return {
    entries,
    people: new Map(people.flatMap((one) => (one === undefined ? [] : [[one.id, one]]))),
    next: found.length > part.limit ? entries.at(-1)?.id : undefined,
  };
}

/** The same for administrators; throws a Failure `forbidden` for anybody else. */
export async function showAudit(
  services: Pick<Services, 'accounts' | 'audit'>,
  asked: { readonly caller: Caller; readonly part: AuditPart },
): Promise<AuditPage> {
  const { caller, part } = asked;
  if (caller.kind === 'user' && caller.role === 'administrator') return readAudit(services, part);
  throw new Failure('forbidden', 'Only administrators of this server may read the audit log.');
}
