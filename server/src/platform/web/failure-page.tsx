import type { Failure } from '../../core/failure.ts';
import { printable } from '../../core/printable.ts';
import { DocsText } from './docs-links.tsx';
import { renderPage } from './frame.tsx';
import type { PageContext } from './page-context.ts';

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
  const title = repo === undefined ? (TITLES[status] ?? name) : `Not in ${printable(repo.name)}`;
  // Another account changes nothing about these.
  const staysSo = repo !== undefined || status === 429 || status >= 500;
  return renderPage(page, { title }, [
    <div class="narrow wide-n">
      <p class="quiet n">{status}</p>
      <h1>{title}</h1>
      <p>
        <DocsText text={message} links={links} />
      </p>
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
          Request <span class="ref">{request}</span>, for anybody who looks into the log.
        </p>
      )}
    </div>,
  ]);
}
