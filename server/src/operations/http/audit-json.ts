import type { AuditRecord } from '../../core/repo/audit.ts';
import type { Answer } from '../../platform/http/openapi/answer.ts';
import type { AuditPeople } from '../read-audit.ts';

/** One entry, as `GET /api/v1/audit` and `npm run audit` write it. */
export function presentAuditEntry(entry: AuditRecord, people: AuditPeople): Answer<'auditEntry'> {
  const { id, at, action, by, address, repo, build, account, token, shareLink, before, after, omitted } = entry;
  const person = (number: number) => {
    const { issuer, subject } = people.get(number) ?? {};
    return { id: number, issuer: issuer ?? null, subject: subject ?? null };
  };
  return {
    id,
    at: new Date(at).toISOString(),
    action,
    by: {
      kind: by.kind,
      account: by.kind === 'account' ? person(by.account) : null,
      token_id: by.kind === 'account' || by.kind === 'token' ? (by.token ?? null) : null,
      service: by.kind === 'provider' ? by.service : null,
    },
    address: address ?? null,
    repo: repo ?? null,
    build_id: build === undefined ? null : String(build),
    account: account === undefined ? null : person(account),
    token_id: token ?? null,
    share_link_id: shareLink ?? null,
    before: before ?? null,
    after: after ?? null,
    omitted_before: omitted ?? 0,
    confirmed: entry.unconfirmed !== true,
  };
}
