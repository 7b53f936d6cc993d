import { expect, test } from 'vitest';
import { completeRepo, type Repo } from './repo.ts';
import { DEFAULT_REPO_SETTINGS, type RepoSettings } from './settings.ts';

const stored = (settings: object): Repo => ({
  id: 1,
  service: 'github',
  name: 'octo/shop',
  owner: 'mona',
  settings: settings as RepoSettings,
  providerId: undefined,
  suspended: undefined,
  createdAt: 0,
  updatedAt: 0,
});

test.each([
  ['lacks, as before there was such a setting', {}, []],
  [
    'is one alone, as an earlier version kept it',
    { formerStatusNames: { names: undefined, at: 5 } },
    [{ names: undefined, at: 5 }],
  ],
  ['is none', { formerStatusNames: undefined }, []],
  ['is a list', { formerStatusNames: [{ names: undefined, at: 5 }] }, [{ names: undefined, at: 5 }]],
])('a stored repo whose former status names are what %s', (_, settings, expected) => {
  expect(completeRepo(stored(settings)).settings).toEqual({
    ...DEFAULT_REPO_SETTINGS,
    configFile: 'off',
    formerStatusNames: expected,
  });
});
