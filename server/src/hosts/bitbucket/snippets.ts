import type { CiSnippets, SnippetWay } from '../../core/repo/ci-snippets.ts';

/** Steps of Bitbucket Pipelines, by the command that every server hands out. */
export const STEPS: CiSnippets = {
  called: 'step',
  place:
    'Add this to `bitbucket-pipelines.yml`. Put your own test command where the comment is. The step needs ' +
    'Node 20.',
  whole: (way, branch) =>
    [
      'image: node:22',
      'definitions:',
      '  steps:',
      '    - step: &coverage',
      ...stepOf(way, 'Coverage', 'npm ci && npm test   # writes coverage/lcov.info', '').map((line) => `      ${line}`),
      'pipelines:',
      '  branches:',
      `    ${branch}:`,
      '      - step: *coverage',
      '  pull-requests:',
      "    '**':",
      '      - step: *coverage',
    ].join('\n'),
  several: 'Several steps? Add `--parallel` to each, and a last step with `node coverage.mjs done`.',
  job: (way) =>
    [
      '- step:',
      ...stepOf(way, 'End to end', 'npm run e2e   # writes coverage/lcov.info', ' --parallel --job-flag=e2e'),
    ].join('\n'),
  jobNeeds: 'The step needs the same `oidc`, or the repo’s token as `COVERALLS_REPO_TOKEN`.',
  close: 'Then close the build in a last step with `node coverage.mjs done`.',
  secret: 'COVERALLS_REPO_TOKEN',
  required:
    'In Bitbucket, “Repository settings”, “Branch restrictions”: set the minimum number of successful builds. ' +
    'Bitbucket counts builds, and cannot ask for `coverage` by its name.',
};

function stepOf({ root, byIdToken }: SnippetWay, name: string, tests: string, options: string): readonly string[] {
  return [
    `    name: ${name}`,
    ...(byIdToken ? [`    oidc: { audiences: [${root}] }`] : []),
    '    script:',
    `      - ${tests}`,
    `      - curl -fsS ${root}/cli.mjs -o coverage.mjs`,
    `      - COVERAGE_ENDPOINT=${root} node coverage.mjs report${options}`,
  ];
}
