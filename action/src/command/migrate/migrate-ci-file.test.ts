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
    expect(migrated('other-ci.yml', 'script: coveralls report\n')).toBeUndefined();
    expect(migrated('.gitlab-ci.yml', 'a: [')).toBeUndefined();
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
