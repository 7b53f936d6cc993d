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
    '18: The input debug goes: it means nothing here.',
    '19: coverallsapp/github-action@master becomes acme/coverage-service@v1.',
    '21: codecov/codecov-action@v5 becomes acme/coverage-service@v1.',
    '23: The input token is called repo-token here.',
    '23: The secret that is named here must hold the repo token of this server from now on.',
    '24: The input files is called files here.',
    '25: The input flags is called flag-name here.',
    '25: One upload has one flag here: make it one step for each of these flags.',
    '26: The input fail_ci_if_error is called fail-on-error here.',
    '27: The input verbose goes: it means nothing here.',
    '28: The input name goes: it has no equal here. Look whether the step still does what it should.',
    '29: The inputs of this step stand in one line, in braces; change it by hand.',
    '31: codecov/codecov-action@v3 becomes acme/coverage-service@v1.',
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
  // Of the steps that are left as they are.
  const ours = stdout.split('\n').filter((line) => line.includes('coverage-service'));
  expect([ours, status === 0 || stdout.includes('codecov')]).toEqual([[], true]);
});
