import { describe, expect, test } from 'vitest';
import { readReposFile } from './read-repos-file.ts';

const FILE = `# ours
defaults:
  service: manual
  patch_status: true
  quiet_period: 30m
repos:
  - name: acme/shop
  - name: acme/till
    quiet_period: null
    commit_status_fail_threshold: 80.5
`;

test('a repo has the defaults and its own settings, which go before them', () => {
  expect(readReposFile(FILE, 'repos.yaml')).toEqual([
    { service: 'manual', name: 'acme/shop', settings: { patch_status: true, quiet_period: '30m' } },
    {
      service: 'manual',
      name: 'acme/till',
      settings: { patch_status: true, quiet_period: null, commit_status_fail_threshold: 80.5 },
    },
  ]);
});

test('settings may be shared by an anchor', () => {
  const file = `repos:
  - {service: manual, name: a/b, expected_flags: &flags [web, api]}
  - {service: manual, name: a/c, expected_flags: *flags}
`;
  expect(readReposFile(file, 'f').map(({ settings }) => settings)).toEqual([
    { expected_flags: ['web', 'api'] },
    { expected_flags: ['web', 'api'] },
  ]);
});

describe('what is wrong is said with its line', () => {
  test.each([
    [
      'a misspelt setting',
      'patch_status: true',
      'patch_statsu: true',
      4,
      '"patch_statsu" is unknown (did you mean patch_status?)',
    ],
    ['an unknown one', 'patch_status: true', 'color: red', 4, '"color" is unknown (known: service, comment_on_pull_'],
    ['one of the wrong place', '  patch_status', '  name: x/y\n  patch_status', 4, '"name" is unknown'],
    [
      'a wrong value',
      '80.5',
      '180',
      10,
      'commit_status_fail_threshold must be a number from 0 to 100, or null, not 180',
    ],
    ['another', '30m', 'soon', 5, 'quiet_period must be '],
    ['a switch of null', 'true', 'null', 4, 'patch_status must be true or false, not null'],
    ['no service', 'service: manual', 'patch_minimum: 5', 7, 'service must be one of '],
    ['a wrong name', 'acme/till', 'till', 8, 'name must be <owner>/<name>, not "till"'],
    ['no name', '- name: acme/till\n   ', '-', 8, 'name must be a text, <owner>/<name>.'],
    ['a repo that is listed twice', 'acme/till', 'ACME/Shop', 8, 'manual/ACME/Shop is listed twice.'],
    ['a text for a repo', '- name: acme/shop', '- acme/shop', 7, 'a repo must be "name: <owner>/<name>"'],
    ['no list', 'repos:', 'repo:', 6, '"repo" is unknown (did you mean repos?)'],
    ['a key that is there twice', 'patch_status: true', 'service: manual', 4, 'Map keys must be unique'],
    ['no YAML', '- name: acme/shop', '- name: acme: shop', 7, 'Nested mappings are not allowed'],
    ['nothing', FILE, '', 1, 'the file must have the key "repos", a list of repos.'],
  ])('%s', (_, before, after, line, sentence) => {
    expect(FILE).toContain(before);
    const read = () => readReposFile(FILE.replace(before, after), 'repos.yaml');
    expect(read).toThrow(/^repos\.yaml:\d+: /m);
    expect(read).toThrow(`repos.yaml:${line}: ${sentence}`);
  });

  test('all at once, the first twenty', () => {
    const file = `repos:\n${Array.from({ length: 25 }, () => '  - x\n').join('')}`;
    expect(() => readReposFile(file, 'f')).toThrow(/^f:2: .*\nf:21: .*\nand 5 more problems$/s);
  });
});
