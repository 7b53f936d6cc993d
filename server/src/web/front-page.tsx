import { renderPage } from './layout.tsx';

export type RenderFrontPage = (base: string) => Iterable<string>;

/** What stands at the root, for whoever opens the address alone. `base`: BASE_URL. */
export function renderFrontPage(base: string): Iterable<string> {
  return renderPage('Coverage', undefined, [
    <>
      <h1>Coverage service</h1>
      <p>
        This server stores the coverage of test runs and answers on pull requests. It speaks the Coveralls API: give
        clients <code>{base}</code> as its address.
      </p>
      <dl>
        <dt>The builds of a repo</dt>
        <dd>
          <code>{`${base}/<service>/<owner>/<name>`}</code>
        </dd>
        <dt>Its badge</dt>
        <dd>
          <code>{`${base}/repos/<service>/<owner>/<name>/badge.svg`}</code>
        </dd>
        <dt>All repos that you may see, with a personal token</dt>
        <dd>
          <code>{`${base}/api/v1/repos`}</code>
        </dd>
      </dl>
    </>,
  ]);
}
