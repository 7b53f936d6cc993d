import type { VNode } from 'preact';
import type { PageContext } from '../../platform/web/page-context.ts';
import type { ShownHome } from '../show-home.ts';

/** For visitors who see nothing: what this is and how to begin. */
export function Beginning(props: {
  readonly home: ShownHome;
  readonly page: PageContext;
  readonly root: string;
}): VNode {
  const { home, page, root } = props;
  return (
    <section class={home.readable === 0 ? 'tight stack' : 'stack'}>
      <h2>How to begin</h2>
      <p>
        This server stores the coverage of test runs and answers on pull requests. It speaks the Coveralls API: give
        clients <code>{root}</code> as their URL.
      </p>
      {home.readable === 0 && <p class="quiet">No public repos.</p>}
      {page.site.signIn && page.viewer === undefined ? (
        <p>
          <a class="btn" href={page.links.signIn(page.here)}>
            Sign in
          </a>{' '}
          to see the repos that you may read.
        </p>
      ) : null}
      {page.viewer === undefined ? (
        <ByProgram root={root} />
      ) : (
        <p>
          <a class="btn" href={page.links.newRepo()}>
            Add a repo
          </a>{' '}
          and its page says what to put into its CI.
        </p>
      )}
    </section>
  );
}

function ByProgram({ root }: { readonly root: string }): VNode {
  return (
    <>
      <p>
        A repo’s page is at <code>{`${root}/<service>/<owner>/<name>`}</code>. With a personal token, you create one:
      </p>
      <pre class="all fit">
        <code>
          {`curl ${root}/api/v1/repos -H "Authorization: token $TOKEN" -H "Content-Type: application/json" \\\n` +
            `  -d '{"repo":{"service":"manual","name":"acme/shop"}}'`}
        </code>
      </pre>
    </>
  );
}
