import type { CiSnippets, SnippetWay } from '../../core/repo/ci-snippets.ts';
import type { Flavor } from './flavor.ts';

/** Workflows of Gitea and Forgejo Actions, by the command that every server hands out. */
export function workflowsOf({ service, name, idTokensFrom }: Flavor): CiSnippets {
  const needs = idTokensFrom === undefined ? '' : ` The ID token needs ${name} ${idTokensFrom} or newer.`;
  return {
    called: 'workflow',
    place:
      `As \`.${service}/workflows/coverage.yml\`. Put your own test command where the comment is. ` +
      `The runner's image needs Node 20.${needs}`,
    whole: (way, branch) =>
      [
        'on:',
        `  push: { branches: [${branch}] }`,
        '  pull_request:',
        'jobs:',
        '  coverage:',
        '    runs-on: ubuntu-latest',
        ...(way.byIdToken ? ['    enable-openid-connect: true'] : []),
        '    steps:',
        '      - uses: actions/checkout@v4',
        '      - run: npm ci && npm test   # writes coverage/lcov.info',
        ...stepOf(way, '').map((line) => `      ${line}`),
      ].join('\n'),
    several: 'Several jobs? Add `--parallel` to each, and a last job with `node coverage.mjs done`.',
    job: (way) => stepOf(way, ' --parallel --job-flag=e2e').join('\n'),
    jobNeeds: 'The job needs `enable-openid-connect: true`, or the repo’s token as `COVERALLS_REPO_TOKEN`.',
    close: 'Then close the build in a last job with `node coverage.mjs done`.',
    secret: 'COVERALLS_REPO_TOKEN',
    required:
      'In “Settings”, “Branches”: enable the status check for the default branch, with the pattern `coverage*`.',
  };
}

function stepOf({ root, byIdToken }: SnippetWay, options: string): readonly string[] {
  return [
    `- run: curl -fsS ${root}/cli.mjs -o coverage.mjs`,
    `- run: node coverage.mjs report${options}`,
    '  env:',
    `    COVERAGE_ENDPOINT: ${root}`,
    ...(byIdToken ? [] : ['    COVERALLS_REPO_TOKEN: $' + '{{ secrets.COVERALLS_REPO_TOKEN }}']),
  ];
}
