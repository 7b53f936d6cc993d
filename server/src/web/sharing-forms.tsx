import type { VNode } from 'preact';
import { printable } from '../domain/printable.ts';
import type { ShareLink } from '../domain/repo/account.ts';
import type { ListedMember } from '../use-cases/people/members.ts';
import { ActionButton, Csrf } from './form-parts.tsx';
import { renderPage } from './frame.tsx';
import type { PageContext } from './page-context.ts';
import { repoCrumbs } from './page-top.tsx';
import type { RepoAddress } from './site-links.ts';
import { When } from './when.tsx';

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

/** For a repo's settings: links that read it, and a form for another one. */
export function ShareLinksForm({ links, repo, page }: SharingOf & { readonly links: readonly ShareLink[] }): VNode {
  return (
    <section id="share-links">
      <div class="head">
        <h2>
          Share links<span class="count">{links.length}</span>
        </h2>
      </div>
      <p class="quiet">Whoever has such a link reads the numbers of this repo, without an account.</p>
      {links.map((link) => (
        <div class="row">
          <b>{printable(link.name, 100)}</b>
          <span class="quiet small">
            {link.source ? 'with source · ' : ''}by {printable(link.by, 100)} · ends{' '}
            <When at={link.expiresAt} now={page.now} />
          </span>
          <ActionButton
            page={page}
            action={page.links.sharing('revoke')}
            label="Revoke"
            about={link.name}
            fields={{ ...fieldsOf(repo), id: String(link.id) }}
            class="plain danger"
          />
        </div>
      ))}
      <form class="row" method="post" action={page.links.sharing('links')}>
        <RepoFields repo={repo} page={page} />
        <label class="row">
          Name <input name="name" placeholder="Who it is for" size={24} maxLength={100} required />
        </label>
        <label class="row">
          Days <input name="expires_in_days" type="number" min="1" max="365" value="30" required />
        </label>
        <label class="row">
          <input name="source" type="checkbox" value="true" /> with source
        </label>
        <button type="submit">Make a link</button>
      </form>
    </section>
  );
}

/** For a repo's settings: its members, and a form for another one. */
export function MembersForm({ members, repo, page }: SharingOf & { readonly members: readonly ListedMember[] }): VNode {
  const action = page.links.sharing('members');
  return (
    <section id="members">
      <div class="head">
        <h2>
          Members<span class="count">{members.length}</span>
        </h2>
      </div>
      <p class="quiet">
        People who do not get in by the git host. Everybody sees their account number on their account page.
      </p>
      {members.map(({ member, account }) => (
        <div class="row">
          <b>{printable(account?.name ?? '', 100)}</b>
          <span class="quiet small">
            account {member.accountId} · {member.role} · by {printable(member.by, 100)}
          </span>
          <ActionButton
            page={page}
            action={action}
            label="Remove"
            about={account?.name ?? ''}
            fields={{ ...fieldsOf(repo), account: String(member.accountId), role: 'none' }}
            class="plain danger"
          />
        </div>
      ))}
      <form class="row" method="post" action={action}>
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
    </section>
  );
}

export type RenderSharingPage = (
  shown: {
    readonly repo: RepoAddress;
    readonly links: readonly ShareLink[];
    readonly members: readonly ListedMember[];
  },
  page: PageContext,
) => Iterable<string>;

/** Who else reads a repo, for its maintainers. */
export const renderSharingPage: RenderSharingPage = ({ repo, links, members }, page) => {
  const crumbs = repoCrumbs(repo, page.links, { name: 'Sharing', href: page.links.sharingOf(repo) });
  return renderPage(page, { title: `Sharing · ${printable(repo.name)}`, crumbs }, [
    <h1>Sharing</h1>,
    <MembersForm members={members} repo={repo} page={page} />,
    <ShareLinksForm links={links} repo={repo} page={page} />,
  ]);
};

export type RenderMadeLinkPage = (
  made: { readonly repo: RepoAddress; readonly link: ShareLink; readonly url: string },
  page: PageContext,
) => Iterable<string>;

/** What somebody sees who made a link: the only time that it is shown. */
export const renderMadeLinkPage: RenderMadeLinkPage = ({ repo, link, url }, page) => {
  const sharing = page.links.sharingOf(repo);
  const crumbs = repoCrumbs(repo, page.links, { name: 'Sharing', href: sharing });
  return renderPage(page, { title: 'Share link', crumbs }, [
    <>
      <h1>Share link</h1>
      <section class="tight note good" role="status">
        <p>
          <b>{printable(link.name, 100)}</b> was made. Copy it now: it is not shown again.
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
};
