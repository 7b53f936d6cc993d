import { renderPage } from './frame.tsx';
import type { PageContext } from './page-context.ts';

export type RenderFrontPage = (base: string, page: PageContext) => Iterable<string>;

/** What stands at the root, for whoever opens the address alone. `base`: BASE_URL. */
export function renderFrontPage(base: string, page: PageContext): Iterable<string> {
  return renderPage(page, { title: 'Repos', isHome: true }, [
    <>
      <h1>Coverage service</h1>
      <p>
        This server stores the coverage of test runs and answers on pull requests. It speaks the Coveralls API: give
        clients <code>{base}</code> as its address.
      </p>
      <h2>The builds of a repo</h2>
      <p>
        <code>{`${base}/<service>/<owner>/<name>`}</code>
      </p>
      <h2>Its badge</h2>
      <p>
        <code>{`${base}/repos/<service>/<owner>/<name>/badge.svg`}</code>
      </p>
      <h2>All repos that you may see, with a personal token</h2>
      <p>
        <code>{`${base}/api/v1/repos`}</code>
      </p>
    </>,
  ]);
}
