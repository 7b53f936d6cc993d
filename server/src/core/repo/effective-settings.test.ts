import { describe, expect, test } from 'vitest';
import { completeChange, effectiveSettings } from './effective-settings.ts';
import { DEFAULT_REPO_SETTINGS } from './settings.ts';

const SEEN = { defaultBranch: 'trunk', visibility: 'public', at: 1 } as const;
const [OPEN, CLOSED] = [{ requireSignIn: false }, { requireSignIn: true }];

describe('rules 18 and 30: what a repo goes by', () => {
  test.each([
    ['nobody says anything', {}, undefined, OPEN, [['main', 'master'], 'usual-names', 'private', 'server']],
    ['its provider', {}, SEEN, OPEN, [['trunk'], 'provider', 'public', 'provider']],
    [
      'not its provider about who may read, where everybody signs in',
      {},
      SEEN,
      CLOSED,
      [['trunk'], 'provider', 'private', 'server'],
    ],
    [
      'its settings',
      { defaultBranch: 'dev', visibility: 'private' },
      SEEN,
      OPEN,
      [['dev'], 'setting', 'private', 'setting'],
    ],
    [
      'its settings',
      { visibility: 'public' },
      undefined,
      CLOSED,
      [['main', 'master'], 'usual-names', 'public', 'setting'],
    ],
  ] as const)('%s', (_, settings, seen, server, expected) => {
    const effective = effectiveSettings({ settings: { ...DEFAULT_REPO_SETTINGS, ...settings }, seen }, server);
    const { defaultBranches, defaultBranchFrom, visibility, visibilityFrom } = effective;
    expect([defaultBranches, defaultBranchFrom, visibility, visibilityFrom]).toEqual(expected);
  });
});

describe('rule 22: names that are replaced', () => {
  const names = { build: 'a', flag: 'b <flag>', patch: 'c' };
  const named = { ...DEFAULT_REPO_SETTINGS, statusNames: names };

  test('are kept, those of the server too', () => {
    const at = 5;
    expect(completeChange(DEFAULT_REPO_SETTINGS, { statusNames: names }, at)).toEqual({
      statusNames: names,
      formerStatusNames: [{ names: undefined, at }],
    });
    expect(completeChange(named, { statusNames: undefined }, at)).toEqual({
      statusNames: undefined,
      formerStatusNames: [{ names, at }],
    });
    const renamed = {
      ...named,
      formerStatusNames: [4, 3, 2, 1, 0].map((before) => ({ names: undefined, at: before })),
    };
    const again = completeChange(renamed, { statusNames: undefined }, at);
    expect(again.formerStatusNames?.map((former) => former.at)).toEqual([5, 4, 3, 2, 1]);
  });

  test.each([
    [named, { statusNames: { ...names } }],
    [DEFAULT_REPO_SETTINGS, { statusNames: undefined }],
    [named, { informational: true }],
  ])('not where they stay', (settings, change) => {
    expect(completeChange(settings, change, 5)).toEqual(change);
  });
});
