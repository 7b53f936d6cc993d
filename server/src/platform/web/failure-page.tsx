import type { VNode } from 'preact';
import type { Failure, Unbuilt } from '../../core/failure.ts';
import { printable } from '../../core/printable.ts';
import type { RepoService } from '../../core/repo/repo.ts';
import { shortCommit } from '../../wording/build-name.ts';
import { DocsText } from './docs-links.tsx';
import { renderPage } from './frame.tsx';
import type { PageContext } from './page-context.ts';
import { repoCrumbs, repoTabs } from './page-top.tsx';

export interface ShownFailure {
  /** The HTTP status, and its name. */
  readonly status: number;
  readonly title: string;
  /** What was seen and what to do. It quotes what was asked for: hostile text (rule 26). */
  readonly message: string;
  /** The repo, which the reader may read, in which something is not there. */
  readonly repo?: Failure['repo'];
  /** As answered in X-Request-Id. */
  readonly request: string;
}

/** Where the name of the status says less. */
const TITLES: Readonly<Record<number, string>> = {
  404: 'Page not found',
  429: 'Too many requests',
  500: 'Something went wrong',
};

/** What a browser is shown where the request failed. */
export function renderFailurePage({ status, title: name, message, repo, request }: ShownFailure, page: PageContext) {
  const { links, viewer, site, here } = page;
  const unbuilt = repo?.unbuilt && nameUnbuilt(repo.unbuilt, repo, page);
  const title =
    unbuilt !== undefined
      ? `No build of ${unbuilt} yet`
      : repo === undefined
        ? (TITLES[status] ?? name)
        : `Not in ${printable(repo.name)}`;
  // Another account changes nothing about these.
  const staysSo = repo !== undefined || status === 429 || status >= 500;
  return renderPage(page, { title, ...frameOf(repo, unbuilt, page) }, [
    <div class="narrow wide-n">
      <p class="quiet n">{status}</p>
      <h1>{title}</h1>
      <p>
        <DocsText text={message} links={links} />
      </p>
      {repo !== undefined && unbuilt !== undefined && <WhyUnbuilt repo={repo} name={unbuilt} page={page} />}
      <p class="row">
        {repo !== undefined && (
          <a class="btn primary" href={links.ofRepo(repo, '')}>
            {printable(repo.name)}
          </a>
        )}
        <a class={repo === undefined ? 'btn primary' : 'btn'} href={links.home()}>
          Repos
        </a>
        {site.signIn && !staysSo && (
          <a class="btn" href={links.signIn(here)}>
            {viewer === undefined ? 'Sign in' : 'Switch account'}
          </a>
        )}
      </p>
      {!message.includes(request) && (
        <p class="quiet small">
          Request ID, to find this in the server’s log: <span class="ref">{request}</span>
        </p>
      )}
    </div>,
  ]);
}

type InRepo = NonNullable<Failure['repo']>;

/** `#99`, `commit 0f66fc2` */
function nameUnbuilt({ kind, name }: Unbuilt, repo: InRepo, { links }: PageContext): string {
  if (kind === 'commit') return `commit ${printable(shortCommit(name), 20)}`;
  return links.numberOf(addressOf(repo), Number(name));
}

/** A Failure has the service of a repo that is there. */
function addressOf({ service, name }: InRepo) {
  return { service: service as RepoService, name };
}

function frameOf(repo: InRepo | undefined, name: string | undefined, { links, here }: PageContext) {
  if (repo === undefined) return {};
  const address = addressOf(repo);
  return {
    crumbs: repoCrumbs(address, links, ...(name === undefined ? [] : [{ name, href: here }])),
    tabs: repoTabs({ repo: address, current: undefined }, links),
  };
}

/** What may keep a build from being there, and where to look. */
function WhyUnbuilt(props: { readonly repo: InRepo; readonly name: string; readonly page: PageContext }): VNode {
  const { repo, name, page } = props;
  const { links } = page;
  return (
    <ul class="dots">
      <li>If CI is still running, reload this page when its first job has reported.</li>
      <li>
        If CI is done, its upload may have been rejected. People who administer the repo see it under{' '}
        <a href={links.ofRepo(repo, 'uploads')}>rejected uploads</a>, and can{' '}
        <a href={links.ofRepo(repo, 'set-up')}>check the set-up</a>.
      </li>
      <li>If {name} only changes files that aren’t measured, CI may have skipped its tests.</li>
    </ul>
  );
}
