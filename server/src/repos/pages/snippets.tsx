import type { VNode } from 'preact';
import type { CiSnippets } from '../../core/repo/ci-snippets.ts';

const FETCH = (root: string): string => `curl -fsS ${root}/cli.mjs -o coverage.mjs`;

/** By the command, in a CI of any kind: every server hands it out. */
export const COMMAND_SNIPPETS: CiSnippets = {
  called: 'step',
  place: 'As the last step of your tests, with the secret as the variable `COVERALLS_REPO_TOKEN`. It needs Node 20.',
  whole: ({ root }) =>
    [
      'npm ci && npm test   # writes coverage/lcov.info',
      FETCH(root),
      `COVERAGE_ENDPOINT=${root} node coverage.mjs report`,
    ].join('\n'),
  several: 'Several jobs? Add `--parallel` to each, and a last step with `node coverage.mjs done`.',
  job: ({ root }) =>
    [FETCH(root), `COVERAGE_ENDPOINT=${root} node coverage.mjs report --parallel --job-flag=e2e`].join('\n'),
  jobNeeds: '',
  close: 'Then close the build in a last step with `node coverage.mjs done`.',
  secret: 'COVERALLS_REPO_TOKEN',
};

/** Settings that point clients here, as docs/clients.md has them. */
export function clientRows(root: string): readonly (readonly [client: string, setting: string])[] {
  return [
    ['official action and reporter, npm, C++, Perl, Ruby', `COVERALLS_ENDPOINT=${root}`],
    ['PyPI coveralls', `COVERALLS_HOST=${root}`],
    ['goveralls', `goveralls -endpoint ${root} -repotoken $COVERALLS_REPO_TOKEN`],
    ['Maven', `mvn -DcoverallsUrl=${root}/api/v1/jobs -DrepoToken=$COVERALLS_REPO_TOKEN`],
    ['Gradle', `apiEndpoint = "${root}/api/v1/jobs"`],
    ['cargo-tarpaulin', `--coveralls $COVERALLS_REPO_TOKEN --report-uri ${root}/api/v1/jobs`],
    ['excoveralls', `config :excoveralls, endpoint: "${root}"`],
    ['gcovr --coveralls', `curl --fail-with-body -F json_file=@coveralls.json ${root}/api/v1/jobs`],
  ];
}

/** A sentence whose code stands between backticks. */
export function Sentence({ text }: { readonly text: string }): VNode {
  return <>{text.split('`').map((part, at) => (at % 2 === 0 ? part : <code>{part}</code>))}</>;
}

/** One text that a click selects whole. */
export function Snippet({ text }: { readonly text: string }): VNode {
  return (
    <pre class="all fit">
      <code>{text}</code>
    </pre>
  );
}

export function ClientList({ root }: { readonly root: string }): VNode {
  return (
    <dl class="pairs small">
      {clientRows(root).map(([client, setting]) => (
        <>
          <dt>{client}</dt>
          <dd>
            <code>{setting}</code>
          </dd>
        </>
      ))}
    </dl>
  );
}

/** `address`: of the badge, absolute, with its token where it needs one. */
export function badgeText(address: string, page: string): string {
  return `[![coverage](${address})](${page})`;
}
