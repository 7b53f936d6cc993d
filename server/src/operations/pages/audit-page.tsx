import type { VNode } from 'preact';
import { printable } from '../../core/printable.ts';
import { AUDIT_ACTIONS, type AuditRecord } from '../../core/repo/audit.ts';
import { renderPage } from '../../platform/web/frame.tsx';
import { Cell, type Column, listTable, Row } from '../../platform/web/list-table.tsx';
import type { PageContext } from '../../platform/web/page-context.ts';
import { mapRows, type Part } from '../../platform/web/render-parts.tsx';
import { When } from '../../platform/web/when.tsx';
import { capitalize } from '../../wording/phrases.ts';
import type { AuditPage, AuditPeople } from '../read-audit.ts';

export interface ShownAudit extends AuditPage {
  /** The search. */
  readonly repo: string | undefined;
  readonly action: string | undefined;
}

const COLUMNS: readonly Column[] = [
  { name: 'What', kind: 'nowrap' },
  { name: 'Who' },
  { name: 'On', kind: 'grow' },
  { name: 'When' },
];

/** Who did what, for administrators. */
export const renderAuditPage = (shown: ShownAudit, page: PageContext): Iterable<string> => {
  const crumbs = [
    { name: 'Administration', href: page.links.admin() },
    { name: 'Audit log', href: page.links.audit() },
  ];
  return renderPage(page, { title: 'Audit log', crumbs }, mainParts(shown, page));
};

function* mainParts(shown: ShownAudit, page: PageContext): Generator<Part> {
  const { entries, people, next, repo, action } = shown;
  yield (
    <div class="head">
      <h1>Audit log</h1>
      <form class="filter end" action={page.links.audit()}>
        <input name="repo" aria-label="Repo" placeholder="service/owner/name" size={22} value={repo} />
        <select name="action" aria-label="Action">
          <option value="">every action</option>
          {AUDIT_ACTIONS.map((one) => (
            <option value={one} selected={one === action}>
              {nameAction(one)}
            </option>
          ))}
        </select>
        <button type="submit">Find</button>
      </form>
    </div>
  );
  if (entries.length === 0) {
    yield <p class="empty">No matching log entries.</p>;
    return;
  }
  const rows = mapRows(entries, (entry) => <EntryRow entry={entry} people={people} page={page} />);
  yield* listTable({ label: 'Audit log', columns: COLUMNS, rows });
  if (next !== undefined)
    yield (
      <p class="small after">
        <a href={page.links.audit({ repo, action, before: next })}>Earlier entries →</a>
      </p>
    );
}

/** `Settings changed` for `settings.changed`, the name in the API. */
function nameAction(action: string): string {
  return capitalize(action.replace('.', ' ').replaceAll('-', ' ').replace('sign in', 'sign-in'));
}

interface RowOf {
  readonly entry: AuditRecord;
  readonly people: AuditPeople;
  readonly page: PageContext;
}

function EntryRow({ entry, people, page }: RowOf): VNode {
  const { action, at, address, before, after, omitted, unconfirmed } = entry;
  return (
    <Row>
      <Cell class="main nw">
        <span title={action}>{nameAction(action)}</span>
        {unconfirmed && <span class="tag warn">not confirmed</span>}
        {omitted !== undefined && <span class="sub">{omitted} earlier sign-ins were not logged</span>}
      </Cell>
      <Cell class="nowrap" label="by">
        {nameSubject(entry, people)}
        {address !== undefined && <span class="sub">{address}</span>}
      </Cell>
      <Cell class="wide">
        {nameObjects(entry, people)}
        <Values name="before" of={before} />
        <Values name="after" of={after} />
      </Cell>
      <Cell class="when">
        <When at={at} now={page.now} />
      </Cell>
    </Row>
  );
}

function Values({ name, of = {} }: { readonly name: string; readonly of: object | undefined }): VNode | null {
  const values = Object.entries(of).map(([key, value]) => `${key} ${printable(showValue(key, value), 300)}`);
  return values.length === 0 ? null : (
    <span class="sub">
      {name}: {values.join(', ')}
    </span>
  );
}

function showValue(name: string, value: unknown): string {
  const time = typeof value === 'number' && name.endsWith('At') ? new Date(value) : undefined;
  return time === undefined || Number.isNaN(time.getTime()) ? (JSON.stringify(value) ?? '') : time.toISOString();
}

function nameSubject({ by }: AuditRecord, people: AuditPeople): string {
  if (by.kind === 'account') {
    const name = nameAccount(by.account, people);
    return by.token === undefined ? name : `${name}, by token ${by.token}`;
  }
  if (by.kind === 'token') return `token ${by.token}`;
  if (by.kind === 'provider') return printable(by.service, 60);
  return by.kind === 'admin-token' ? 'ADMIN_TOKEN' : by.kind;
}

function nameAccount(id: number, people: AuditPeople): string {
  const name = people.get(id)?.name;
  return name === undefined ? `account ${id}` : `${printable(name, 60)} (account ${id})`;
}

function nameObjects({ repo, build, account, token, shareLink }: AuditRecord, people: AuditPeople): string {
  const objects = [
    repo && printable(repo.name, 200),
    build && `build ${build}`,
    account && nameAccount(account, people),
    token && `token ${token}`,
    shareLink && `share link ${shareLink}`,
  ];
  return objects.filter(Boolean).join(' · ');
}
