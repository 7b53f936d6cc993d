import type { CiSnippets, SnippetWay } from '../../core/repo/ci-snippets.ts';

/** How READMEs name our action. */
const ACTION = 'acme/coverage-service@v0';

/** Workflows of GitHub Actions. */
export const WORKFLOWS: CiSnippets = {
  called: 'workflow',
  place: 'Save this as `coverage.yml` in the workflows of the repo. Put your own test command where the comment is.',
  whole: (way, branch) =>
    [
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
    ].join('\n'),
  several: 'Several jobs? Add `parallel: true` and a last job with `parallel-finished: true`.',
  job: (way) => actionStep(way, ['flag-name: e2e', 'parallel: true']),
  jobNeeds: 'The job needs `id-token: write` among its permissions, or `repo-token` with the repo’s token.',
  close: 'Then close the build in a last step with `parallel-finished: true`.',
  secret: 'COVERAGE_TOKEN',
  required: 'In GitHub, “Settings”, “Rules”, “Rulesets”: require the status check `coverage` for the default branch.',
};

function actionStep({ root, byIdToken }: SnippetWay, more: readonly string[] = []): string {
  return [
    `- uses: ${ACTION}`,
    '  with:',
    `    server-url: ${root}`,
    ...(byIdToken ? [] : ['    repo-token: $' + '{{ secrets.COVERAGE_TOKEN }}']),
    ...more.map((line) => `    ${line}`),
  ].join('\n');
}
