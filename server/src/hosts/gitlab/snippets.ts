import type { CiSnippets, SnippetWay } from '../../core/repo/ci-snippets.ts';

/** Jobs of GitLab CI, by the command that every server hands out. */
export const JOBS: CiSnippets = {
  called: 'job',
  place: 'Add this to `.gitlab-ci.yml`. Put your own test command where the comment is. The job needs Node 20.',
  whole: (way) => ['coverage:', ...jobOf(way, 'npm ci && npm test   # writes coverage/lcov.info')].join('\n'),
  several: 'Several jobs? Add `--parallel` to each, and a last job with `node coverage.mjs done`.',
  job: (way) =>
    ['e2e:', ...jobOf(way, 'npm run e2e   # writes coverage/lcov.info', ' --parallel --job-flag=e2e')].join('\n'),
  jobNeeds: 'The job needs the same `id_tokens`, or the repo’s token as `COVERALLS_REPO_TOKEN`.',
  close: 'Then close the build in a last job with `node coverage.mjs done`.',
  included: (root) => `${[...TEMPLATE, ...rulesOf()].join('\n').replaceAll('<root>', root)}\n`,
  secret: 'COVERALLS_REPO_TOKEN',
  required:
    'In GitLab, “Settings”, “Merge requests”: choose “Pipelines must succeed”. A failed `coverage` fails the pipeline.',
};

function jobOf({ root, byIdToken }: SnippetWay, tests: string, options = ''): readonly string[] {
  return [
    '  image: node:22',
    ...(byIdToken ? ['  id_tokens:', `    COVERALLS_REPO_TOKEN: { aud: ${root} }`] : []),
    '  script:',
    `    - ${tests}`,
    `    - curl -fsS ${root}/cli.mjs -o coverage.mjs`,
    `    - COVERAGE_ENDPOINT=${root} node coverage.mjs report${options}`,
    ...rulesOf(),
  ];
}

function rulesOf(): readonly string[] {
  return [
    '  rules:',
    '    - if: $CI_PIPELINE_SOURCE == "merge_request_event"',
    '    - if: $CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH',
  ];
}

/** A job `extends` the second, and ends its script with `!reference [.coverage-report, script]`. */
const TEMPLATE: readonly string[] = [
  '.coverage-report:',
  '  script:',
  '    - curl -fsS "$COVERAGE_ENDPOINT/cli.mjs" -o coverage.mjs',
  '    - node coverage.mjs report $COVERAGE_OPTIONS',
  '',
  '.coverage:',
  '  image: node:22',
  '  id_tokens:',
  '    COVERALLS_REPO_TOKEN: { aud: <root> }',
  '  variables:',
  '    COVERAGE_ENDPOINT: <root>',
];
