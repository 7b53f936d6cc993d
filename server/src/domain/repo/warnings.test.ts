import { expect, test } from 'vitest';
import type { RepoService } from './repo.ts';
import { repoWarnings } from './warnings.ts';

const repo = (service: RepoService, suspended?: string) => ({ service, suspended });
const none = { has: () => false };

test('rule 28: a repo says why nothing is announced for it, a manual one has nobody to tell', () => {
  expect(repoWarnings(repo('github'), none)).toEqual([
    'Nothing is announced: this server has no credential for github; set GITHUB_TOKEN, or GITHUB_APP_ID and GITHUB_APP_PRIVATE_KEY.',
  ]);
  expect(repoWarnings(repo('gitlab'), none)).toEqual([
    'Nothing is announced: this version of the server cannot speak to gitlab.',
  ]);
  expect(repoWarnings(repo('manual'), none)).toEqual([]);
  expect(repoWarnings(repo('github'), { has: (service) => service === 'github' })).toEqual([]);
});

test('a suspended repo says why', () => {
  expect(repoWarnings(repo('manual', 'its name means another repo now.'), none)).toEqual([
    'The repo is suspended: its name means another repo now.',
  ]);
});
