import type { VNode } from 'preact';

/** How READMEs name our action. */
const ACTION = 'acme/coverage-service@v0';

/** What a workflow of a repo differs by. */
export interface WorkflowWay {
  /** BASE_URL. */
  readonly root: string;
  /** The host vouches for runs by id-tokens: no secret is needed. */
  readonly byIdToken: boolean;
}

function actionStep({ root, byIdToken }: WorkflowWay, more: readonly string[] = []): string {
  return [
    `- uses: ${ACTION}`,
    '  with:',
    `    server-url: ${root}`,
    ...(byIdToken ? [] : ['    repo-token: $' + '{{ secrets.COVERAGE_TOKEN }}']),
    ...more.map((line) => `    ${line}`),
  ].join('\n');
}

/** A whole workflow of one job. */
export function workflowText(way: WorkflowWay, branch: string): string {
  return [
    'name: coverage',
    'on:',
    `  push: { branches: [${branch}] }`,
    '  pull_request:',
    ...(way.byIdToken ? ['permissions: { contents: read, id-token: write }'] : []),
    'jobs:',
    '  test:',
    '    runs-on: ubuntu-latest',
    '    steps:',
    '      - uses: actions/checkout@v5',
    '      - run: npm ci && npm test   # writes coverage/lcov.info',
    actionStep(way).replace(/^/gm, '      '),
  ].join('\n');
}

export function jobText(way: WorkflowWay): string {
  return actionStep(way, ['flag-name: e2e', 'parallel: true']);
}

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
