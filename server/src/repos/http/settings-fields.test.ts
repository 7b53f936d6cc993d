import { expect, test } from 'vitest';
import { ALL_SETTINGS, DEFAULT_REPO_SETTINGS, SECTIONS } from '../../core/repo/settings.ts';
import { writeSetting } from '../../platform/http/written-settings.ts';
import { readSettingsChange } from './settings-fields.ts';

const read = (name: string) => readSettingsChange({ default_branch: name }).defaultBranch;

test.each([
  'main',
  'feat/x.y',
  'a@b',
  'x.locked',
  'x.lock-y',
  'heads/refs/x',
  'é',
  '😀'.repeat(250),
  'k/'.repeat(120).concat('k'),
])('%s may be the default branch', (name) => {
  expect(read(name)).toBe(name);
});

test.each([
  '',
  '@',
  '-x',
  '/x',
  '.x',
  'refs/x',
  'a..b',
  'a//b',
  'a/.b',
  'a@{b',
  'a.lock/b',
  'a.lock',
  'a.',
  'a/',
  'a b',
  'a~b',
  'a\nb',
  'a\\b',
  '\ud83d',
  'a'.repeat(251),
  '😀'.repeat(251),
  `k${'/k'.repeat(40_000)}\u0000`,
  '.lock/'.repeat(40_000),
])('no branch, case %#', (name) => {
  expect(() => read(name)).toThrow(/^default_branch must be a branch's name, or null, not /);
});

test.each(ALL_SETTINGS.filter(({ setAt }) => setAt === undefined))(
  'what is answered of $key can be sent back',
  (setting) => {
    const [key, value] = writeSetting(setting, DEFAULT_REPO_SETTINGS);
    expect(readSettingsChange({ [key]: value })).toStrictEqual({ [setting.name]: setting.default });
  },
);

test('whatever may be set stands on the settings page, once', () => {
  const settable = ALL_SETTINGS.filter(({ setAt }) => setAt !== 'nowhere').map(({ name }) => name);
  expect(Object.values(SECTIONS).flat().toSorted()).toEqual(settable.toSorted());
});
