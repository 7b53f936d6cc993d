import { expect, test } from 'vitest';
import { githubHost } from '../../../../test/support/hosts.ts';
import type { Provider } from '../../ports/provider.ts';
import { type GitHosts, listHosts } from './git-host.ts';
import type { Repo, RepoService } from './repo.ts';
import { DEFAULT_REPO_SETTINGS } from './settings.ts';
import { annotationsRefusal, repoWarnings } from './warnings.ts';

const repo = (service: RepoService, change: Partial<Pick<Repo, 'suspended' | 'settings'>> = {}) => ({
  service,
  suspended: undefined,
  settings: DEFAULT_REPO_SETTINGS,
  ...change,
});
const annotated = { settings: { ...DEFAULT_REPO_SETTINGS, annotations: true } };
const provider = {} as Provider;
const none = listHosts([githubHost()]);
const token = listHosts([githubHost({ provider })]);
const asApp = (id: number): GitHosts => listHosts([githubHost({ provider, app: { id, forgetInstallation() {} } })]);
const app = asApp(7);

test('rule 28: a repo says why nothing is announced for it, a manual one has nobody to tell', () => {
  expect(repoWarnings(repo('github'), none)).toEqual([
    'Nothing is announced: this server has no credential for github; set GITHUB_TOKEN, or GITHUB_APP_ID and ' +
      'GITHUB_APP_PRIVATE_KEY, or make a GitHub App at /setup.',
  ]);
  expect(repoWarnings(repo('gitlab'), none)).toEqual([
    'Nothing is announced: this version of the server does not support gitlab.',
  ]);
  expect(repoWarnings(repo('manual'), none)).toEqual([]);
  expect(repoWarnings(repo('github'), token)).toEqual([]);
});

test('a repo whose server lost its App says that nothing is marked', () => {
  expect(repoWarnings(repo('github', annotated), app)).toEqual([]);
  expect(repoWarnings(repo('github', annotated), token)).toEqual([
    'Missed lines are not marked: annotations need check runs, which GitHub lets only Apps make, and this ' +
      'server does not sign in as a GitHub App; set GITHUB_APP_ID and GITHUB_APP_PRIVATE_KEY, or make a GitHub ' +
      'App at /setup.',
  ]);
  // One reason is enough.
  expect(repoWarnings(repo('github', annotated), none)).toHaveLength(1);
});

test('annotations are for repos of GitHub, where the server is an App', () => {
  expect(annotationsRefusal('github', app)).toBeUndefined();
  expect(annotationsRefusal('github', token)).toContain('does not sign in as a GitHub App');
  expect(annotationsRefusal('manual', app)).toBe(
    'annotations are check runs of GitHub, and the service of this repo is manual',
  );
});

test.each([
  ['uninstalled', "the GitHub App was uninstalled by the repo's owner; install it again"],
  ['suspended', 'the installation of the GitHub App was suspended; lift the suspension'],
  ['deselected', 'the repo was taken out of what the GitHub App may reach; give its installation access to the repo'],
] as const)('a repo that our App lost says since when and what to do: %s', (how, reason) => {
  const accessLost = { appId: 7, how, at: Date.UTC(2026, 0, 2, 3, 4, 5) };
  const lost = { ...repo('github'), accessLost };
  expect(repoWarnings(lost, app)).toEqual([
    `Nothing has been announced since 2026-01-02 03:04 UTC: ${reason}. Failed deliveries are then retried.`,
  ]);
  // Anybody who signs in otherwise by now does not depend on that App.
  expect(repoWarnings(lost, asApp(8))).toEqual([]);
  expect(repoWarnings(lost, token)).toEqual([]);
});

test('a suspended repo says why', () => {
  expect(repoWarnings(repo('manual', { suspended: 'its name means another repo now.' }), none)).toEqual([
    'The repo is suspended: its name means another repo now.',
  ]);
});
