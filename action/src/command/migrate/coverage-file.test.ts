import { readCoverageFile } from '@coverage/shared/coverage-file';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { readCodecov } from './codecov-settings.ts';

/** What the translated file says, with what is said of it. */
function translate(text: string) {
  const translated = readCodecov(text)?.file;
  if (translated === undefined) throw new Error('no file');
  const read = translated.text === undefined ? undefined : readCoverageFile(Buffer.from(translated.text));
  expect(read === undefined || 'file' in read, JSON.stringify(read)).toBe(true);
  return { ...translated, file: translated.text === undefined ? undefined : parse(translated.text) };
}

const project = (rule: string) => `coverage: { status: { project: { default: ${rule} } } }`;
const patch = (rule: string) => `coverage: { status: { patch: { default: ${rule} } } }`;

describe('statuses', () => {
  test.each([
    [project('{ target: auto }'), { total: { drop: 0 }, ignore_removed_code: true }],
    [project('{ target: auto, threshold: 1% }'), { total: { drop: 1 }, ignore_removed_code: true }],
    [project('{ threshold: 0.5, removed_code_behavior: off }'), { total: { drop: 0.5 } }],
    [project('{ target: 80%, threshold: 1% }'), { total: { minimum: 79 } }],
    [project('{ target: 80.3%, threshold: 0.1% }'), { total: { minimum: 80.2 } }],
    ['coverage: { status: { project: true } }', { total: { drop: 0 }, ignore_removed_code: true }],
    ['coverage: { status: { project: off, patch: no } }', { total: { off: true }, changes: { off: true } }],
    [project('{ informational: true }'), { total: { drop: 0, informational: true }, ignore_removed_code: true }],
    [patch('{ target: auto, threshold: 5% }'), { changes: { minimum: 'base', drop: 5 } }],
    [
      patch('{ branches: [main, "release/*", "x|y"] }'),
      { branches: ['main', 'release/*'], changes: { minimum: 'base' } },
    ],
    [patch('{}'), { changes: { minimum: 'base' } }],
    [patch('{ target: 75, threshold: 5 }'), { changes: { minimum: 70 } }],
    ['coverage: { status: { changes: true } }', { elsewhere: 'fail' }],
    [
      'coverage: { status: { project: { unit: { flags: [unit], target: 60 } }, ' +
        'patch: { unit: { flags: [unit], target: 90 } } } }',
      { flags: { unit: { minimum: 60, changes: { minimum: 90 } } } },
    ],
    [
      'coverage: { status: { project: { Chain: { paths: ["!chain/gen", "chain/"], target: 50 } }, ' +
        'patch: { Chain: { target: 80, paths: [chain/] } } } }',
      {
        groups: [{ name: 'Chain', paths: ['chain/', '!chain/gen'], total: { minimum: 50 }, changes: { minimum: 80 } }],
      },
    ],
  ])('%s', (text, file) => expect(translate(text).file).toEqual(file));

  test.each([
    [project('{ target: 0 }'), 'total'],
    [project('{ target: 1 }'), 'total'],
    [project('{ threshold: 100% }'), 'total'],
    [patch('{ target: 0% }'), 'changes'],
  ])('what could never fail is off, and said: %s', (text, key) => {
    const { file, notes } = translate(text);
    expect(file).toEqual({ [key]: { off: true } });
    expect(notes.join()).toContain('this never failed on Codecov, so it is off here');
  });
});

test('patterns: exceptions last, regular expressions as globs where they can be', () => {
  const { file, notes } = translate(
    `ignore: ["!keep/**", "**/*.test.ts", '.*\\.pb\\.go$', "a b/**", '(?i)x', "gen/{x}/**"]\n` +
      'coverage: { ignore: [old/] }',
  );
  expect(file).toEqual({
    ignore: ['**/*.test.ts', '**/*.pb.go', 'a?b/**', 'gen/[{]x}/**', '!keep/**', 'old/'],
  });
  expect(notes).toEqual([expect.stringContaining('"(?i)x" is not converted')]);
});

test('flags, components, comment, fixes and uploads', () => {
  const { file, notes, withoutEqual, dropped } = translate(`
flags: { web: { carryforward: true, paths: [web/], after_n_builds: 4 }, api: { carryforward: false } }
flag_management:
  default_rules: { carryforward: true }
  individual_flags: [{ name: e2e, statuses: [{ type: project, target: 50 }], carryforward_mode: labels }]
component_management:
  default_rules: { statuses: [{ type: project, target: auto }] }
  individual_components:
    - { component_id: cli, name: "@acme/cli", paths: ["packages/cli/**"], flag_regexes: [unit] }
    - { component_id: core, statuses: [{ type: patch, target: 90% }] }
comment: { require_changes: coverage_drop, layout: diff, after_n_builds: 3 }
codecov: { branch: develop, token: x, notify: { after_n_builds: 2 } }
fixes: ["/app/::backend/", "::src/"]
parsers: { gcov: {} }
`);
  expect(file).toEqual({
    uploads: 3,
    paths: { '/app': 'backend' },
    comment: 'on-drop',
    flags: { web: { carry: true, paths: ['web/'], uploads: 4 }, e2e: { carry: true, minimum: 50 } },
    groups: [
      { name: '@acme/cli', id: 'cli', paths: ['packages/cli/**'], flags: ['unit'], total: { drop: 0 } },
      { name: 'core', paths: ['**'], changes: { minimum: 90 } },
    ],
  });
  expect(notes).toEqual([
    expect.stringContaining('uploads: a build with fewer is incomplete here'),
    'codecov.branch: set the setting default_branch to develop. The file cannot say it.',
    expect.stringContaining('"::src/" is not converted'),
  ]);
  expect(withoutEqual).toEqual(['flag_management.e2e.carryforward_mode', 'parsers']);
  expect(dropped).toEqual(['comment.layout', 'codecov.token']);
});

test('statuses that stand one level too high are read as they are meant, which is said', () => {
  const { file, notes, withoutEqual, dropped } = translate(`
coverage: { project: { default: { target: 95%, threshold: 1% } }, patch: off, fixes: ["build/::src/"] }
codecov: { notify: { threshold: 1% } }
`);
  expect(file).toEqual({ total: { minimum: 94 }, changes: { off: true }, paths: { build: 'src' } });
  expect(notes.filter((one) => one.includes('Codecov rejects the whole file for it'))).toHaveLength(2);
  expect([withoutEqual, dropped]).toEqual([[], ['codecov.notify.threshold']]);
});

test.each([
  ['comment: false', 'off'],
  ['comment: { require_changes: true }', 'on-change'],
  ['comment: { require_changes: [uncovered_patch] }', 'on-missed'],
  ['comment: { require_changes: "coverage_drop OR uncovered_patch" }', 'on-change'],
])('%s', (text, comment) => expect(translate(text).file).toEqual({ comment }));

test('the file begins with what checks it', () => {
  expect(readCodecov('comment: false')?.file?.text).toBe(
    '# How coverage is judged here. "coverage check-config" checks this file.\n\ncomment: off\n',
  );
});

test('names of groups that differ in signs alone get ids of their own', () => {
  const statuses = '{ "a b": { paths: [a] }, "a-b": { paths: [b] } }';
  expect(translate(`coverage: { status: { project: ${statuses} } }`).file.groups).toMatchObject([
    { name: 'a b' },
    { name: 'a-b', id: 'a-b-2' },
  ]);
});
