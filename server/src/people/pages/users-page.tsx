import type { VNode } from 'preact';
import { printable } from '../../core/printable.ts';
import type { Account } from '../../core/repo/account.ts';
import { asStarted } from '../../platform/sentences.ts';
import { ActionButton } from '../../platform/web/form-parts.tsx';
import { renderPage } from '../../platform/web/frame.tsx';
import { Cell, type Column, listTable, Row } from '../../platform/web/list-table.tsx';
import type { PageContext } from '../../platform/web/page-context.ts';
import { Person } from '../../platform/web/person.tsx';
import { mapRows, type Part } from '../../platform/web/render-parts.tsx';
import { When } from '../../platform/web/when.tsx';

export interface ShownUsers {
  /** By number; 100 at most. */
  readonly accounts: readonly Account[];
  /** Who looks. */
  readonly self: Account;
  readonly after: number | undefined;
  /** As people know the provider of an account. */
  readonly nameIssuer: (issuer: string) => string;
}

const COLUMNS: readonly Column[] = [
  { name: 'User', kind: 'grow' },
  { name: 'Signs in' },
  { name: 'Role' },
  { name: 'Last signed in' },
  { name: '', kind: 'num' },
];
const A_PAGE = 100;

/** All accounts, for administrators. */
export function renderUsersPage(shown: ShownUsers, page: PageContext): Iterable<string> {
  const crumbs = [
    { name: 'Administration', href: page.links.admin() },
    { name: 'Users', href: page.links.users() },
  ];
  return renderPage(page, { title: 'Users', crumbs }, parts(shown, page));
}

function* parts(shown: ShownUsers, page: PageContext): Generator<Part> {
  const { accounts } = shown;
  yield (
    <>
      <h1>Users</h1>
      <p class="quiet lede under">
        Everybody who has signed in, and local accounts. <code>{asStarted('npm run user -- create')}</code> creates a
        local one. Disabled users are signed out immediately, and their tokens stop working.
      </p>
    </>
  );
  const rows = mapRows(accounts, (account) => <UserRow account={account} shown={shown} page={page} />);
  yield* listTable({ label: 'Users', columns: COLUMNS, rows });
  if (accounts.length === A_PAGE) {
    yield (
      <p class="small after">
        <a href={page.links.users(undefined, { after: accounts.at(-1)?.id })}>More users →</a>
      </p>
    );
  }
}

interface RowOf {
  readonly account: Account;
  readonly shown: ShownUsers;
  readonly page: PageContext;
}

function UserRow({ account, shown, page }: RowOf): VNode {
  const isSelf = account.id === shown.self.id;
  return (
    <Row>
      <Cell class="main">
        <b>
          <Person name={account.name} limit={100} />
        </b>{' '}
        {isSelf && <span class="quiet small">you</span>}
        {account.disabledAt !== undefined && <span class="tag warn">disabled</span>}
        {account.email !== undefined && <span class="sub">{printable(account.email, 200)}</span>}
      </Cell>
      <Cell label="signs in">{printable(shown.nameIssuer(account.issuer), 100)}</Cell>
      <Cell>{account.administrator ? 'administrator' : 'user'}</Cell>
      <Cell class="when" label="last signed in">
        {account.signedInAt === undefined ? (
          <span class="quiet">never</span>
        ) : (
          <When at={account.signedInAt} now={page.now} />
        )}
      </Cell>
      <Cell class="num wide">{!isSelf && <Changes account={account} page={page} />}</Cell>
    </Row>
  );
}

function Changes({ account, page }: Pick<RowOf, 'account' | 'page'>): VNode {
  const fields = { id: String(account.id) };
  const button = (name: string, label: string, kind = 'plain'): VNode => (
    <ActionButton
      page={page}
      action={page.links.users(name)}
      label={label}
      about={account.name}
      fields={fields}
      class={kind}
    />
  );
  return (
    <div class="row">
      {account.administrator ? button('demote', 'Remove administrator role') : button('promote', 'Make administrator')}
      {account.disabledAt === undefined ? button('disable', 'Disable', 'plain danger') : button('enable', 'Enable')}
    </div>
  );
}
