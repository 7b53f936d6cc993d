import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { migrateWorkflow } from './migrate-workflow.ts';

const root = fileURLToPath(new URL('../../../../', import.meta.url));
const WORKFLOW = readFileSync(`${root}test/fixtures/workflows/other-services.yml`, 'utf8');
const TO = { server: 'https://coverage.example', action: 'acme/coverage-service@v1' };

const migrated = (text: string, to = TO) => migrateWorkflow('ci.yml', text, to);
const step = (lines: string): string =>
  `jobs:\n  a:\n    steps:\n${lines.replace(/^/gm, '      ').replace(/ +$/gm, '')}\n`;

test('a whole workflow: every other byte stays, comments and blank lines too', () => {
  const { changed = '', notes = [] } = migrated(WORKFLOW) ?? {};
  const before = WORKFLOW.split('\n');
  const kept = changed.split('\n').filter((line) => before.includes(line));
  expect(changed).toMatchSnapshot();
  expect(kept.length).toBeGreaterThan(before.length - 18);
  expect(notes.map(({ line, sentence }) => `${line}: ${sentence}`)).toEqual([
    '12: coverallsapp/github-action@v2 becomes acme/coverage-service@v1.',
    '15: The input path-to-lcov is called file here.',
    '18: The input debug is removed: it has no effect here.',
    '19: coverallsapp/github-action@master becomes acme/coverage-service@v1.',
    '21: codecov/codecov-action@v5 becomes acme/coverage-service@v1.',
    '23: The input token is called repo-token here.',
    '23: From now on, the secret named here must be the repo token of this server.',
    '25: An upload has one flag here, so the step fails if you list several: use one step for each of them.',
    '26: The input fail_ci_if_error is called fail-on-error here.',
    '27: The input verbose is removed: it has no effect here.',
    '28: The input name is removed: it has no effect here.',
    '29: The inputs of this step are on one line, in braces; change it by hand.',
    '31: codecov/codecov-action@v3 becomes acme/coverage-service@v1.',
    '31: Without fail_ci_if_error a step of Codecov never fails: fail-on-error: false keeps that.',
    '34: The step uploads test results, not coverage; it is left as it is.',
    '42: coverallsapp/github-action@v2 becomes acme/coverage-service@v1.',
  ]);
});

test('twice is once', () => {
  const once = migrated(WORKFLOW)?.changed ?? '';
  expect(migrated(once)?.changed).toBe(once);
});

test('without an action steps of the official one keep it, and get the address', () => {
  const text = step('- uses: coverallsapp/github-action@v2\n- uses: codecov/codecov-action@v5');
  const kept = migrateWorkflow('ci.yml', text, { ...TO, action: undefined });
  expect(kept?.changed).toBe(
    step(
      [
        '- uses: coverallsapp/github-action@v2',
        '  with:',
        '    coveralls-endpoint: https://coverage.example',
        '- uses: codecov/codecov-action@v5',
      ].join('\n'),
    ),
  );
  expect(kept?.notes.map(({ line }) => line)).toEqual([4, 5]);
  const again = migrateWorkflow('ci.yml', kept?.changed ?? '', { server: 'https://other.example', action: undefined });
  expect(again?.changed).toContain('coveralls-endpoint: https://other.example\n');
});

test.each([
  ['the first input goes', '- uses: codecov/codecov-action@v5\n  with:\n    verbose: true\n    token: x'],
  ['all inputs go', '- uses: codecov/codecov-action@v5\n  with:\n    verbose: true'],
  ['inputs are empty', '- uses: codecov/codecov-action@v5\n  with:\n'],
  ['uses comes last', '- with:\n    token: x\n  uses: codecov/codecov-action@v5'],
  ['Windows ends lines', '- uses: codecov/codecov-action@v5\r\n  with:\r\n    token: x\r'],
  ['the file ends without a line feed', '- uses: codecov/codecov-action@v5'],
  ['a value of several lines', '- uses: codecov/codecov-action@v5\n  with:\n    files: |\n      a.xml\n      b.xml'],
])('%s', (_, lines) => {
  const changed = migrated(step(lines).trimEnd())?.changed ?? '';
  expect(changed).toMatchSnapshot();
  expect((parse(changed) as { jobs: { a: { steps: object[] } } }).jobs.a.steps).toMatchObject([
    { uses: TO.action, with: { 'server-url': TO.server } },
  ]);
});

/** The inputs of a step of Codecov, after. */
const inputsOf = (lines: string, index = 0) => {
  const text = `- uses: codecov/codecov-action@v5\n  with:\n${lines.replace(/^/gm, '    ')}`;
  const { changed = '', notes = [] } = migrated(step(text)) ?? {};
  const { steps } = (parse(changed) as { jobs: { a: { steps: { with: Record<string, unknown> }[] } } }).jobs.a;
  const { 'server-url': _, ...others } = steps[index]?.with ?? {};
  return { given: others, sentences: notes.map(({ sentence }) => sentence).join('\n') };
};
const TOKEN = { 'repo-token': ['$', '{{ secrets.COVERAGE_REPO_TOKEN }}'].join('') };
const LEFT = { ...TOKEN, 'fail-on-error': false };

test.each<[string, Record<string, unknown>]>([
  ['fail_ci_if_error: true', { ...TOKEN, 'fail-on-error': true, 'fail-on-server-error': true }],
  ['fail_ci_if_error: false', { ...TOKEN, 'fail-on-error': false, 'fail-on-server-error': false }],
  ['verbose: true', LEFT],
  ['directory: cov\nworking-directory: ./web', { ...LEFT, directory: 'web/cov' }],
  ['working-directory: web', { ...LEFT, directory: 'web' }],
  ['files: a.xml,b.xml\nworking-directory: web', { ...LEFT, files: 'web/a.xml web/b.xml' }],
  ['working-directory: web\nfiles: |\n  a.xml\n  b c.xml', { ...LEFT, files: 'web/a.xml\nweb/b c.xml' }],
  ['file: a.xml\nworking-directory: web\ndirectory: cov', { ...LEFT, file: 'web/a.xml' }],
  ['files: /tmp/a.xml\nworking-directory: web', { ...LEFT, files: '/tmp/a.xml' }],
  ['files: a.xml\nworking-directory: $' + '{{ matrix.p }}', { ...LEFT, files: '$' + '{{ matrix.p }}/a.xml' }],
  [
    'files: $' + '{{ env.X }}/a.xml\nworking-directory: web',
    { ...LEFT, files: '$' + '{{ env.X }}/a.xml', 'working-directory': 'web' },
  ],
  ['exclude: node_modules\nfiles: a.xml', { ...LEFT, files: 'a.xml' }],
  ['use_oidc: true\ntoken: x', { 'fail-on-error': false }],
  ['use_oidc: false', LEFT],
  ['slug: acme/shop\noverride_pr: 7', { ...LEFT, slug: 'acme/shop', override_pr: 7 }],
  ['gcov_args: -x', LEFT],
  ['flags: unit\ncommit_parent: abc', { ...LEFT, 'flag-name': 'unit', 'compare-sha': 'abc' }],
])('of Codecov: %j', (lines, expected) => expect(inputsOf(lines).given).toEqual(expected));

test('what a step of Codecov loses is said', () => {
  expect(inputsOf('verbose: true').sentences).toContain('fail-on-error: false keeps that.');
  expect(inputsOf('exclude: a\n').sentences).toContain('exclude is removed: it has no equivalent');
  expect(inputsOf('files: a\ndirectory: b').sentences).toContain('if you name files, the step does not search');
  expect(inputsOf('files: a\nworking-directory: b').sentences).toContain(
    'working-directory is removed: it is now part of',
  );
});

test('steps that upload and the one that closes use one secret', () => {
  const secret = (name: string): string => `$${'{{'} secrets.${name} }}`;
  const text = step(
    [
      '- uses: codecov/codecov-action@v5',
      '  with:',
      `    token: ${secret('CODECOV_TOKEN')}`,
      '- uses: coverallsapp/github-action@v2',
      '  with:',
      `    repo-token: ${secret('COVERALLS')}`,
      '- uses: coverallsapp/github-action@v2',
      '  with:',
      `    github-token: ${secret('GITHUB_TOKEN')}`,
      '    parallel-finished: true',
    ].join('\n'),
  );
  const { changed = '', notes = [] } = migrated(text) ?? {};
  const { steps } = (parse(changed) as { jobs: { a: { steps: { with: object }[] } } }).jobs.a;
  const one = { with: { 'repo-token': secret('CODECOV_TOKEN') } };
  expect(steps).toMatchObject([one, one, one]);
  expect(notes.filter(({ sentence }) => sentence.includes('with one token')).map(({ line }) => line)).toEqual([9]);
});

test('a composite action sees no secrets, so it is told to take one', () => {
  const composite = (lines: string): string => `runs:\n  using: composite\n  steps:\n${lines}`;
  const codecov = '    - uses: codecov/codecov-action@v5\n';
  const { changed = '', notes = [] } = migrated(composite(codecov)) ?? {};
  expect(changed).not.toContain('secrets.');
  expect(notes.map(({ line, sentence }) => `${line}: ${sentence}`)).toContainEqual(
    expect.stringMatching(/^4: A composite action sees no secrets/),
  );
  const token = ['$', '{{ inputs.token }}'].join('');
  const given = migrated(composite(`${codecov}      with:\n        token: ${token}\n${codecov}`));
  expect(given?.changed.split(`repo-token: ${token}`)).toHaveLength(3);
});

test('added lines end as the others do', () => {
  const text = 'steps:\r\n  - uses: codecov/codecov-action@v5\r\n';
  expect(migrated(text)?.changed.replaceAll('\r\n', '')).not.toContain('\n');
});

test('what is no YAML is no workflow, and one of others is left alone', () => {
  expect(migrated('a: [')).toBeUndefined();
  const text = step('- uses: actions/checkout@v4');
  expect(migrated(text)).toEqual({ path: 'ci.yml', text, changed: text, notes: [] });
});

const actionlint = `${root}.cache/bin/actionlint`;
test.skipIf(!existsSync(actionlint))('actionlint takes what comes out', () => {
  const { stdout, status } = spawnSync(actionlint, ['-shellcheck=', '-pyflakes=', '-'], {
    input: migrated(WORKFLOW)?.changed,
    encoding: 'utf8',
  });
  // For the steps that are left as they are.
  const ours = stdout.split('\n').filter((line) => line.includes('coverage-service'));
  expect([ours, status === 0 || stdout.includes('codecov')]).toEqual([[], true]);
});
