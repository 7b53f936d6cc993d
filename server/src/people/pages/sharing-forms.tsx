import type { VNode } from 'preact';
import { printable } from '../../core/printable.ts';
import type { ShareLink } from '../../core/repo/account.ts';
import { ActionButton, Csrf } from '../../platform/web/form-parts.tsx';
import { renderPage } from '../../platform/web/frame.tsx';
import { Cell, type Column, listTable, Row } from '../../platform/web/list-table.tsx';
import type { PageContext } from '../../platform/web/page-context.ts';
import { Count } from '../../platform/web/page-parts.tsx';
import { repoCrumbs, repoTabs } from '../../platform/web/page-top.tsx';
import { mapRows, type Part } from '../../platform/web/render-parts.tsx';
import type { RepoAddress } from '../../platform/web/site-links.ts';
import { When } from '../../platform/web/when.tsx';
import type { ListedMember } from '../members.ts';

interface SharingOf {
  readonly repo: RepoAddress;
  readonly page: PageContext;
}

/** Which repo a form is about. */
function fieldsOf({ service, name }: RepoAddress): Readonly<Record<string, string>> {
  return { service, repo: name };
}

function RepoFields({ repo, page }: SharingOf): VNode {
  return (
    <>
      <Csrf page={page} />
      {Object.entries(fieldsOf(repo)).map(([name, value]) => (
        <input type="hidden" name={name} value={value} />
      ))}
    </>
  );
}

const MEMBER_COLUMNS: readonly Column[] = [
  { name: 'Person', kind: 'grow' },
  { name: 'Role' },
  { name: 'Added by' },
  { name: '', kind: 'num' },
];
const LINK_COLUMNS: readonly Column[] = [
  { name: 'Who it is for', kind: 'grow' },
  { name: 'Shows' },
  { name: 'Created by' },
  { name: 'Ends' },
  { name: '', kind: 'num' },
];

/** Links that read a repo, and a form for another one. */
function* linkParts({ links, repo, page }: SharingOf & { readonly links: readonly ShareLink[] }): Generator<Part> {
  yield { tags: '<section id="share-links">' };
  yield (
    <Head name="Share links" count={links.length} about="anybody with a link can read the numbers without an account" />
  );
  const rows = mapRows(links, (link) => (
    <Row>
      <Cell class="main">
        <b>{printable(link.name, 100)}</b>
      </Cell>
      <Cell label="shows">{link.source ? 'numbers and source' : 'numbers'}</Cell>
      <Cell class="wide" label="by">
        {printable(link.by, 100)}
      </Cell>
      <Cell class="when" label="ends">
        <When at={link.expiresAt} now={page.now} />
      </Cell>
      <Cell class="num lead">
        <ActionButton
          page={page}
          action={page.links.sharing('revoke')}
          label="Revoke"
          about={link.name}
          fields={{ ...fieldsOf(repo), id: String(link.id) }}
          class="plain danger"
        />
      </Cell>
    </Row>
  ));
  if (links.length === 0) yield <p class="empty">No links yet. Create one below.</p>;
  else yield* listTable({ label: 'Share links', columns: LINK_COLUMNS, rows });
  yield <LinkForm repo={repo} page={page} />;
  yield { tags: '</section>' };
}

function LinkForm({ repo, page }: SharingOf): VNode {
  return (
    <form class="row after" method="post" action={page.links.sharing('links')}>
      <RepoFields repo={repo} page={page} />
      <label class="row">
        Name <input name="name" placeholder="Who it is for" size={24} maxLength={100} required />
      </label>
      <label class="row">
        Days <input name="expires_in_days" type="number" min="1" max="365" value="30" required />
      </label>
      <label class="choice">
        <input name="source" type="checkbox" value="true" /> <span>with source</span>
      </label>
      <button type="submit">Create a link</button>
    </form>
  );
}

/** The members of a repo, and a form for another one. */
function* memberParts(of: SharingOf & { readonly members: readonly ListedMember[] }): Generator<Part> {
  const { members, repo, page } = of;
  yield { tags: '<section id="members">' };
  yield <Head name="Members" count={members.length} about="people without access at the git host" />;
  const rows = mapRows(members, ({ member, account }) => (
    <Row>
      <Cell class="main">
        <b>{printable(account?.name ?? '', 100)}</b> <span class="quiet small">account {member.accountId}</span>
      </Cell>
      <Cell label="role">{member.role}</Cell>
      <Cell class="wide" label="by">
        {printable(member.by, 100)}
      </Cell>
      <Cell class="num lead">
        <ActionButton
          page={page}
          action={page.links.sharing('members')}
          label="Remove"
          about={account?.name ?? ''}
          fields={{ ...fieldsOf(repo), account: String(member.accountId), role: 'none' }}
          class="plain danger"
        />
      </Cell>
    </Row>
  ));
  if (members.length === 0) yield <p class="empty">No members yet. Add someone below.</p>;
  else yield* listTable({ label: 'Members', columns: MEMBER_COLUMNS, rows });
  yield <MemberForm repo={repo} page={page} />;
  yield { tags: '</section>' };
}

function MemberForm({ repo, page }: SharingOf): VNode {
  return (
    <>
      <form class="row after" method="post" action={page.links.sharing('members')}>
        <RepoFields repo={repo} page={page} />
        <label class="row">
          User name or account number <input name="account" size={24} required />
        </label>
        <label class="row">
          Role{' '}
          <select name="role">
            <option value="reader">reader</option>
            <option value="maintainer">maintainer</option>
          </select>
        </label>
        <button type="submit">Add</button>
      </form>
      <p class="quiet small after">Everybody sees their account number on their account page.</p>
    </>
  );
}

function Head(props: { readonly name: string; readonly count: number; readonly about: string }): VNode {
  return (
    <div class="head">
      <h2>
        {props.name}
        <Count of={props.count} />
      </h2>
      <span class="quiet small">{props.about}</span>
    </div>
  );
}

/** Who else reads a repo, for its maintainers. */
export function renderSharingPage(
  {
    repo,
    links,
    commit,
    members,
  }: {
    readonly repo: RepoAddress;
    readonly links: readonly ShareLink[];
    /** The one whose files the tab Files shows. */
    readonly commit: string | undefined;
    readonly members: readonly ListedMember[];
  },
  page: PageContext,
): Iterable<string> {
  const crumbs = repoCrumbs(repo, page.links, { name: 'Sharing', href: page.links.sharingOf(repo) });
  const tabs = repoTabs({ repo, current: 'Settings', commit, maintains: true }, page.links);
  return renderPage(page, { title: `Sharing · ${printable(repo.name)}`, crumbs, tabs }, [
    <h1>Sharing</h1>,
    ...memberParts({ members, repo, page }),
    ...linkParts({ links, repo, page }),
  ]);
}

/** What somebody sees who made a link: the only time that it is shown. */
export function renderMadeLinkPage(
  { repo, link, url }: { readonly repo: RepoAddress; readonly link: ShareLink; readonly url: string },
  page: PageContext,
): Iterable<string> {
  const sharing = page.links.sharingOf(repo);
  const crumbs = repoCrumbs(repo, page.links, { name: 'Sharing', href: sharing });
  return renderPage(page, { title: 'Share link', crumbs }, [
    <>
      <h1>Share link</h1>
      <section class="tight note good" role="status">
        <p>
          <b>{printable(link.name, 100)}</b> was created. Copy it now: it is not shown again.
        </p>
        <p class="secret">{url}</p>
        <p class="quiet small">
          It {link.source ? 'shows source too, and ' : ''}ends <When at={link.expiresAt} now={page.now} />.
        </p>
      </section>
      <p>
        <a href={sharing}>All links and members</a>
      </p>
    </>,
  ]);
}
