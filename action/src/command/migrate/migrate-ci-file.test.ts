import { describe, expect, test } from 'vitest';
import { migrateCiFile } from './migrate-ci-file.ts';

describe("the file of a CI gets the address, where a client's command is run", () => {
  const migrated = (path: string, text: string) => migrateCiFile(path, text, 'https://c.example');
  const set = 'COVERAGE_ENDPOINT: https://c.example\n';

  test.each([
    [
      'variables there',
      'variables:\n  A: b\n',
      `variables:\n  ${set}  COVERALLS_ENDPOINT: https://c.example\n  A: b\n`,
    ],
    ['an older address', 'variables:\n    COVERALLS_ENDPOINT: x\n    COVERAGE_ENDPOINT: y\n', undefined],
  ])('GitLab, with %s', (_, variables, expected) => {
    const job = '# ours\ntest:\n  script:\n    - npm test\n    - coveralls report\n';
    const found = migrated('.gitlab-ci.yml', variables + job);
    const replaced = variables.replace(': x', ': https://c.example').replace(': y', ': https://c.example');
    expect(found?.changed).toBe((expected ?? replaced) + job);
    expect(migrated('.gitlab-ci.yml', found?.changed ?? '')).toBeUndefined();
  });

  test('a workflow that runs our command; none where an action uploads, or nothing is run', () => {
    const jobs = (step: string) => `name: CI\non: push\n\njobs:\n  a:\n    steps:\n      - ${step}\n`;
    const ours = migrated('.github/workflows/ci.yml', jobs('run: node coverage.mjs report'));
    expect(ours?.changed).toBe(
      `name: CI\non: push\n\nenv:\n  ${set}\n${jobs('run: node coverage.mjs report').slice(19)}`,
    );
    expect(migrated('ci.yml', jobs('{ uses: coverallsapp/github-action@v2, name: to coveralls }'))).toBeUndefined();
    expect(migrated('.gitlab-ci.yml', 'a: [')).toBeUndefined();
  });

  test.each([
    [
      '.travis.yml',
      [
        'language: node_js',
        'script: npm test',
        'after_success:',
        '  - npm i -g codecov',
        '  # codecov',
        '  - bash <(curl -s https://codecov.io/bash)',
        '  - cat lcov.info | coveralls',
        '',
      ].join('\n'),
      [
        [4, "This installs Codecov's client"],
        [6, 'The bash uploader only sends to Codecov. Run in its place: curl -fsS'],
        [7, 'coveralls reads the address of this server from COVERALLS_ENDPOINT'],
      ],
    ],
    [
      '.circleci/config.yml',
      [
        'orbs:',
        '  codecov: codecov/codecov@4',
        '  cov: coveralls/coveralls@2.2.1',
        'jobs:',
        '  a:',
        '    steps:',
        '      - codecov/upload',
        '      - cov/upload:',
        '          flag: x',
        '      - run:',
        '          name: goveralls',
        '          command: |',
        '            go test',
        '            goveralls -service=circle-ci',
        '',
      ].join('\n'),
      [
        [2, 'The orb codecov/codecov@4 is used'],
        [3, 'The orb coveralls/coveralls@2.2.1 is used'],
        [7, 'The orb only sends to Codecov.'],
        [8, 'The orb runs the official reporter: set COVERALLS_ENDPOINT'],
        [14, 'goveralls takes the address of this server with -endpoint'],
      ],
    ],
    [
      'bitbucket-pipelines.yml',
      [
        'pipelines:',
        '  default:',
        '    - step:',
        '        script:',
        '          - ./codecov -t $TOKEN && echo done',
        '',
      ].join('\n'),
      [[5, 'This client only sends to Codecov.']],
    ],
    [
      '.github/actions/cover/action.yml',
      [
        'runs:',
        '  using: composite',
        '  steps:',
        '    - run: >-',
        '        npx',
        '        codecov',
        '    - run: poetry run codecovcli upload-process',
        '      shell: bash',
        '',
      ].join('\n'),
      [
        [6, 'This client only sends to Codecov.'],
        [7, 'This client only sends to Codecov.'],
      ],
    ],
  ])('%s: clients are named with their lines', (path, text, expected) => {
    const found = migrated(path, text);
    expect(found?.changed).toBe(text);
    expect(found?.notes.map(({ line }) => line)).toEqual(expected.map(([line]) => line));
    for (const [index, [, sentence]] of expected.entries())
      expect(found?.notes[index]?.sentence).toContain(String(sentence));
  });

  test('the PyPI client gets its own variable', () => {
    const text = 'variables:\n  A: b\nt:\n  script:\n    - pip install coveralls\n    - coveralls\n';
    expect(migrated('.gitlab-ci.yml', text)?.changed).toContain('  COVERALLS_HOST: https://c.example\n');
  });

  test('a form without a line for each variable is left, and said', () => {
    const text = 'variables: { A: b }\ntest: { script: [coveralls] }\n';
    expect(migrated('.gitlab-ci.yml', text)).toMatchObject({
      changed: text,
      notes: [
        { sentence: expect.stringContaining('set COVERAGE_ENDPOINT and COVERALLS_ENDPOINT to https://c.example by') },
      ],
    });
  });
});
