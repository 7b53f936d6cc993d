import { Failure, quoteValue } from '../core/failure.ts';
import { AUDIT_ACTIONS } from '../core/repo/audit.ts';
import type { Timestamp } from '../core/time.ts';
import type { AuditPart } from '../storage/audit-log.ts';

/** What somebody looks for, as they wrote it. */
export type AuditSearch = Readonly<Partial<Record<'repo' | 'action' | 'since' | 'until', string | undefined>>>;

/** Throws a Failure `payload-invalid`. */
export function readAuditFilter({ repo, action, since, until }: AuditSearch): Omit<AuditPart, 'newestFirst' | 'limit'> {
  const known = AUDIT_ACTIONS.find((one) => one === action);
  if (action !== undefined && known === undefined) {
    const found = quoteValue(action, 60);
    throw new Failure(
      'payload-invalid',
      `There is no action ${found} in the audit log. Use one of ${AUDIT_ACTIONS.join(', ')}.`,
      {
        field: 'action',
      },
    );
  }
  return { repo, action: known, since: readTime('since', since), until: readTime('until', until) };
}

const DAY_OR_TIME = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?Z)?$/;

function readTime(field: string, text: string | undefined): Timestamp | undefined {
  if (text === undefined) return undefined;
  const at = DAY_OR_TIME.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isFinite(at)) return at;
  throw new Failure(
    'payload-invalid',
    `${field} is ${quoteValue(text, 60)}, which is not a time. Write it as 2026-11-22 or 2026-11-22T14:30:00Z.`,
    { field },
  );
}
