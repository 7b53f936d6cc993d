import type { VNode } from 'preact';
import { printable } from '../../core/printable.ts';
import type { Repo } from '../../core/repo/repo.ts';
import { Icon, Logo } from './icons.tsx';
import type { PageContext } from './page-context.ts';
import { Face } from './person.tsx';
import type { RepoAddress, SiteLinks } from './site-links.ts';

export interface Crumb {
  readonly name: string;
  /** Undefined if there is no such page. */
  readonly href?: string;
}

export interface Tab {
  readonly name: string;
  readonly href: string;
  readonly current: boolean;
  /** How many entries wait there, and what they are; nothing is shown for 0. */
  readonly count?: { readonly number: number; readonly what: string };
}

/** The bar at the top of every page. `alone`: no tabs follow. */
export function PageTop(props: {
  readonly page: PageContext;
  readonly crumbs: readonly Crumb[];
  readonly alone: boolean;
}): VNode {
  const { page, crumbs, alone } = props;
  const { links } = page;
  return (
    <header class={alone ? 'top alone' : 'top'}>
      <div class="wrap">
        <a class="mark" href={links.home()} aria-label="Coverage, home">
          <Logo />
          {crumbs.length === 0 && <b>Coverage</b>}
        </a>
        {crumbs.length === 0 ? <div class="crumbs" /> : <Crumbs crumbs={crumbs} />}
        <form class="find" role="search" action={links.home()}>
          <input
            type="search"
            name="q"
            aria-label="Search repos, pull requests, commits, branches, people and files"
            placeholder="Search repos, commits, files"
          />
          <kbd aria-hidden="true">/</kbd>
        </form>
        <a class="find-link" href={`${links.home()}#q`} aria-label="Search">
          <Icon name="find" />
        </a>
        <Who page={page} />
      </div>
    </header>
  );
}

function Crumbs({ crumbs }: { readonly crumbs: readonly Crumb[] }): VNode {
  return (
    <nav class="crumbs" aria-label="Breadcrumb">
      <ol>
        {crumbs.map(({ name, href }, index) => {
          const current = index === crumbs.length - 1 && { 'aria-current': 'page' as const };
          return (
            <li>
              {href === undefined ? (
                <span {...current}>{name}</span>
              ) : (
                <a href={href} {...current}>
                  {name}
                </a>
              )}
            </li>
          );
        })}
      </ol>
    </nav>
  );
}

function Who({ page: { viewer, links, site, here } }: { readonly page: PageContext }): VNode | null {
  if (viewer !== undefined) {
    const name = printable(viewer.name, 60);
    return (
      <a class="who" href={links.account()}>
        <span class="sr">Account of </span>
        <Face name={viewer.name} />
        <span class="name">{name}</span>
      </a>
    );
  }
  if (!site.signIn) return null;
  return (
    <a class="who" href={links.signIn(here)}>
      Sign in
    </a>
  );
}

export function TabBar({ tabs }: { readonly tabs: readonly Tab[] }): VNode {
  return (
    <nav class="tabs" aria-label="Repo">
      <div class="wrap">
        <ul>
          {tabs.map(({ name, href, current, count }) => (
            <li>
              <a href={href} {...(current && { 'aria-current': 'page' as const })}>
                {name}
                {count !== undefined && count.number > 0 && (
                  <>
                    {' '}
                    <span class="count">
                      <span class="sr">{count.what}: </span>
                      {count.number}
                    </span>
                  </>
                )}
              </a>
            </li>
          ))}
        </ul>
      </div>
    </nav>
  );
}

/** The way to a repo: its owner, its name, then what is given. Nested groups stay with the owner. */
export function repoCrumbs(repo: RepoAddress, links: SiteLinks, ...further: readonly Crumb[]): readonly Crumb[] {
  const end = repo.name.lastIndexOf('/');
  const owner = repo.name.slice(0, Math.max(0, end));
  return [
    ...(owner === '' ? [] : [{ name: owner, href: links.owner(repo.service, owner) }]),
    { name: repo.name.slice(end + 1), href: links.repo(repo) },
    ...further,
  ];
}

export type RepoTab = 'Overview' | 'Files' | 'Groups' | 'Flags' | 'Uploads' | 'Settings';

/** What the tabs of a repo depend on. */
export interface RepoTabsOf {
  readonly repo: Pick<Repo, 'service' | 'name'>;
  readonly current: RepoTab | undefined;
  /** The commit whose files the tab Files shows; without one there is no such tab. */
  readonly commit?: string | undefined;
  /** Settings and uploads are for maintainers. */
  readonly maintains?: boolean;
  readonly refusedUploads?: number;
}

export function repoTabs({ repo, current, commit, maintains, refusedUploads = 0 }: RepoTabsOf, links: SiteLinks) {
  const tab = (name: RepoTab, href: string): Tab => ({ name, href, current: name === current });
  return [
    tab('Overview', links.repo(repo)),
    ...(commit === undefined ? [] : [tab('Files', links.tree(repo, commit))]),
    tab('Groups', links.ofRepo(repo, 'groups')),
    tab('Flags', links.ofRepo(repo, 'flags')),
    ...(maintains
      ? [
          { ...tab('Uploads', links.ofRepo(repo, 'uploads')), count: { number: refusedUploads, what: 'rejected' } },
          tab('Settings', links.ofRepo(repo, 'settings')),
        ]
      : []),
  ] satisfies readonly Tab[];
}
