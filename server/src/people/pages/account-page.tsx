import type { VNode } from 'preact';
import { printable } from '../../core/printable.ts';
import { type Account, LOCAL_ISSUER, type Session } from '../../core/repo/account.ts';
import type { PersonalToken } from '../../core/repo/repo.ts';
import type { Timestamp } from '../../core/time.ts';
import { ActionButton, Csrf, Notice } from '../../platform/web/form-parts.tsx';
import { renderPage } from '../../platform/web/frame.tsx';
import { Cell, type Column, listTable, Row } from '../../platform/web/list-table.tsx';
import type { PageContext } from '../../platform/web/page-context.ts';
import { Count } from '../../platform/web/page-parts.tsx';
import { mapRows, type Part } from '../../platform/web/render-parts.tsx';
import { When } from '../../platform/web/when.tsx';
import { clientName } from '../../wording/client-name.ts';
import { PASSWORD_LENGTH } from '../password-form.ts';

export interface ShownAccount {
  readonly account: Account;
  /** Where it signs in, as people know it. */
  readonly provider: string;
  /** How long rights by groups count; undefined: there are none. */
  readonly groups?: { readonly until: Timestamp; readonly isAskedAgain: boolean } | undefined;
  readonly tokens: readonly PersonalToken[];
  readonly sessions: readonly Session[];
  /** The one that asks. */
  readonly session: Session;
  /** A token that was made by this request: it is shown now and never again. */
  readonly made?: { readonly stored: PersonalToken; readonly token: string };
  readonly done?: string;
  readonly problem?: string;
}

/** Somebody's tokens, sessions and password. */
export function renderAccountPage(shown: ShownAccount, page: PageContext): Iterable<string> {
  return renderPage(
    page,
    { title: 'Account', crumbs: [{ name: 'Account', href: page.links.account() }] },
    parts(shown, page),
  );
}

const TOKEN_COLUMNS: readonly Column[] = [
  { name: 'Name', kind: 'grow' },
  { name: 'Begins with' },
  { name: 'Created' },
  { name: 'Last used' },
  { name: 'Expires' },
  { name: '', kind: 'num' },
];
const SESSION_COLUMNS: readonly Column[] = [
  { name: 'Browser', kind: 'grow' },
  { name: 'Signed in' },
  { name: 'Last seen' },
  { name: '', kind: 'num' },
];

function* parts(shown: ShownAccount, page: PageContext): Generator<Part> {
  const { account, tokens, sessions, made, done, problem } = shown;
  yield (
    <>
      <h1>Personal API tokens</h1>
      <p class="quiet lede">
        For the repos API and for reading builds from scripts. CI uploads use the repo token, found in each repo’s
        settings.
      </p>
      {problem !== undefined && <Notice kind="bad" text={problem} />}
      {done !== undefined && <Notice kind="good" text={done} />}
      {made !== undefined && <MadeToken {...made} />}
      <NewToken page={page} />
    </>
  );
  yield { tags: '<section>' };
  yield (
    <div class="head">
      <h2>
        Your tokens
        <Count of={tokens.length} />
      </h2>
    </div>
  );
  const rows = mapRows(tokens, (token) => <TokenRow token={token} made={made?.stored.id} page={page} />);
  if (tokens.length === 0) yield <p class="empty">No tokens yet. Create one above.</p>;
  else yield* listTable({ label: 'Your tokens', columns: TOKEN_COLUMNS, rows });
  yield <p class="quiet small after">Revoked tokens stop working immediately. Past uploads stay.</p>;
  if (shown.groups !== undefined) yield <GroupRights groups={shown.groups} provider={shown.provider} page={page} />;
  yield { tags: '</section><section>' };
  yield (
    <div class="head">
      <h2>
        Signed in
        <Count of={sessions.length} />
      </h2>
    </div>
  );
  const signedIn = mapRows(sessions, (session) => <SessionRow session={session} shown={shown} page={page} />);
  yield* listTable({ label: 'Where you are signed in', columns: SESSION_COLUMNS, rows: signedIn });
  yield { tags: '</section>' };
  if (account.issuer === LOCAL_ISSUER) yield <PasswordForm account={account} page={page} />;
  yield <SignOut shown={shown} page={page} />;
}

function GroupRights(props: {
  readonly groups: NonNullable<ShownAccount['groups']>;
  readonly provider: string;
  readonly page: PageContext;
}) {
  const { groups, provider, page } = props;
  const { until, isAskedAgain } = groups;
  const { now } = page;
  if (until <= now)
    return (
      <p class="quiet small after">
        Your groups at {provider} no longer give you, or your tokens, any rights here. Sign out, then sign in with{' '}
        {provider} again.
      </p>
    );
  return (
    <p class="quiet small after">
      Rights through your groups at {provider} end <When at={until} now={now} />, and so do those of your tokens.{' '}
      {isAskedAgain ? `${provider} is asked again before then if you keep using them.` : 'Sign in again to renew them.'}
    </p>
  );
}

function MadeToken({ stored, token }: NonNullable<ShownAccount['made']>): VNode {
  return (
    <section class="tight note good" role="status">
      <p>
        <b>{printable(stored.name ?? '', 100)}</b> was created. Copy it now: it is not shown again.
      </p>
      <p class="secret">{token}</p>
      <p class="quiet small">
        Click it to select all of it. Send it as <code>Authorization: token …</code>
      </p>
    </section>
  );
}

function NewToken({ page }: { readonly page: PageContext }): VNode {
  return (
    <section>
      <div class="head">
        <h2>New token</h2>
      </div>
      <form class="row" method="post" action={page.links.account()}>
        <Csrf page={page} />
        <label class="row">
          Name <input name="name" placeholder="What it is for" size={28} maxLength={100} required />
        </label>
        <label class="row">
          Expires{' '}
          <select name="expires">
            <option value="90">in 90 days</option>
            <option value="30">in 30 days</option>
            <option value="365">in 1 year</option>
            <option value="never">never</option>
          </select>
        </label>
        <button type="submit" class="primary">
          Create token
        </button>
      </form>
    </section>
  );
}

const SOON = 7 * 86_400_000;

function TokenRow(props: {
  readonly token: PersonalToken;
  readonly made: number | undefined;
  readonly page: PageContext;
}) {
  const { token, made, page } = props;
  const { now, links } = page;
  const name = token.name ?? '';
  const left = (token.expiresAt ?? Number.POSITIVE_INFINITY) - now;
  return (
    <Row>
      <Cell class="main">
        <b>{printable(name, 100)}</b> {token.id === made && <span class="tag">new</span>}
        {left <= 0 && <span class="tag">expired</span>}
        {left > 0 && left < SOON && <span class="tag warn">expires soon</span>}
      </Cell>
      <Cell label="begins">
        <span class="ref">{token.beginning ?? ''}</span>
      </Cell>
      <Cell class="when" label="created">
        <When at={token.createdAt} now={now} />
      </Cell>
      <Cell class="when" label="used">
        {token.usedAt === undefined ? <span class="quiet">never</span> : <When at={token.usedAt} now={now} />}
      </Cell>
      <Cell class="when" label="expires">
        {token.expiresAt === undefined ? <span class="quiet">never</span> : <When at={token.expiresAt} now={now} />}
      </Cell>
      <Cell class="num lead">
        <ActionButton
          page={page}
          action={links.account('revoke')}
          label={left <= 0 ? 'Remove' : 'Revoke'}
          about={name}
          fields={{ id: String(token.id) }}
          class={left <= 0 ? 'plain' : 'plain danger'}
        />
      </Cell>
    </Row>
  );
}

function SessionRow(props: { readonly session: Session; readonly shown: ShownAccount; readonly page: PageContext }) {
  const { session, shown, page } = props;
  const isThis = session.hash === shown.session.hash;
  const browser = clientName(session.browser || 'unknown');
  return (
    <Row>
      <Cell class="main">
        <span title={printable(session.browser, 200)}>{browser}</span> {isThis && <span class="tag">this one</span>}
      </Cell>
      <Cell class="when" label="signed in">
        <When at={session.createdAt} now={page.now} />
      </Cell>
      <Cell class="when" label="last seen">
        <When at={session.seenAt} now={page.now} />
      </Cell>
      <Cell class="num lead">
        {!isThis && (
          <ActionButton
            page={page}
            action={page.links.account('end-session')}
            label="End"
            about={`the session of ${browser}`}
            fields={{ id: session.hash.slice(0, 16) }}
          />
        )}
      </Cell>
    </Row>
  );
}

function PasswordForm({ account, page }: { readonly account: Account; readonly page: PageContext }): VNode {
  return (
    <section>
      <div class="head">
        <h2>Password</h2>
      </div>
      <form method="post" action={page.links.account('password')} class="stack short-form">
        <Csrf page={page} />
        {/* Password managers pass over what is of type hidden. */}
        <input hidden name="username" autocomplete="username" value={account.name} readonly />
        {account.password !== undefined && (
          <PasswordField name="current_password" label="Current password" use="current-password" />
        )}
        <PasswordField
          name="new_password"
          label="New password"
          use="new-password"
          help={`At least ${PASSWORD_LENGTH.min} characters. Several words make a good one.`}
        />
        <PasswordField name="again" label="New password, again" use="new-password" />
        <button type="submit">Change password</button>
      </form>
    </section>
  );
}

function PasswordField(props: {
  readonly name: string;
  readonly label: string;
  readonly use: string;
  readonly help?: string;
}): VNode {
  const { name, label, use, help } = props;
  const about = help === undefined ? undefined : `${name}-help`;
  return (
    <div class="field">
      <label for={name}>{label}</label>
      <input id={name} name={name} type="password" autocomplete={use} aria-describedby={about} required />
      {help !== undefined && (
        <span class="help" id={about}>
          {help}
        </span>
      )}
    </div>
  );
}

function SignOut({ shown: { account, provider }, page }: { readonly shown: ShownAccount; readonly page: PageContext }) {
  return (
    <section class="split last">
      <div>
        <h2>Signed in as {printable(account.name, 100)}</h2>
        <p>
          {account.issuer === LOCAL_ISSUER ? 'With a password of this server' : `Through ${provider}`}
          {account.email !== undefined && `, ${printable(account.email, 200)}`} · account {account.id}
          {page.viewer?.administrator && ' · administrator'}
        </p>
      </div>
      <form method="post" action={page.links.signOut()} class="row">
        <Csrf page={page} />
        <button type="submit">Sign out</button>
        <button type="submit" name="everywhere" value="1" class="plain">
          Sign out everywhere
        </button>
      </form>
    </section>
  );
}
