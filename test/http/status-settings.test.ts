import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { STATUS_NAME_SETS } from '../../server/src/core/announce/contexts.ts';
import type { RepoSettings } from '../../server/src/core/repo/settings.ts';
import { job, type RepoJson, shaOf, sourceFile } from '../support/coverage-api.ts';
import { type GithubStandIn, startGithubStandIn } from '../support/github-stand-in/github-stand-in.ts';
import { type Service, startService } from '../support/service.ts';
import { waitFor } from '../support/wait-for.ts';

let github: GithubStandIn;
let service: Service;
beforeAll(async () => {
  github = await startGithubStandIn();
  service = await startService({ github });
});
afterAll(async () => {
  await service.stop();
  expect(github.violations()).toEqual([]);
  await github.close();
});

type Repo = RepoJson & { token: string };
let repos = 0;

const hourFromNow = (hours: number): string => new Date(Date.now() + hours * 3_600_000).toISOString();

/**
 * A repo with main at `base` and pull requests 7 (`head`), 8 (`later`, which is opened in an hour) and 9 (`silent`,
 * open for an hour).
 */
async function newRepo(settings: Partial<RepoSettings> = {}): Promise<Repo> {
  repos += 1;
  const name = `octo/named-${repos}`;
  github.addRepo(name);
  github.addCommit(name, { sha: shaOf('base'), branch: 'main' });
  for (const [number, head, hours] of [
    [7, 'head', 0],
    [8, 'later', 1],
    [9, 'silent', -1],
  ] as const)
    github.addPullRequest(name, { number, headSha: shaOf(head), baseRef: 'main', openedAt: hourFromNow(hours) });
  for (const commit of ['head 2', 'head 3']) github.addCommit(name, { sha: shaOf(commit), parents: [shaOf('head')] });
  const repo = await service.newRepo({ service: 'github', name });
  await change(repo, settings);
  return repo;
}

const change = (repo: Repo, settings: Partial<RepoSettings>) =>
  service.store.repos.update({ repoId: repo.id, settings, at: Date.now() });
const upload = (repo: Repo, lines: number[], fields: object) => ({
  ...job({ repo_token: repo.token, flag_name: 'ui', source_files: [sourceFile('src/a.ts', lines)] }),
  ...fields,
});
const pull = (number: string, commit: string, pullRequest = '7') => ({
  service_number: number,
  commit_sha: shaOf(commit),
  service_pull_request: pullRequest,
  service_base_branch: 'main',
  git: { branch: 'topic' },
});
const BASE = { service_number: '70', commit_sha: shaOf('base') };
const last = (repo: Repo, commit: string) => github.lastStatuses(repo.name, shaOf(commit));
const states = (repo: Repo, commit: string): Record<string, string> =>
  Object.fromEntries([...last(repo, commit).values()].map(({ context, state }) => [context, state]));

describe('status names of a repo (rule 22)', () => {
  test('name its contexts, as another service does', async () => {
    const repo = await newRepo({ statusNames: STATUS_NAME_SETS.coveralls, patchStatus: true });
    await service.uploadAlone(upload(repo, [1, 0], BASE));
    await service.delivered();
    expect(states(repo, 'base')).toEqual({
      'coverage/coveralls': 'success',
      'coverage/coveralls/patch': 'success',
      'Coveralls - ui': 'success',
    });
  });

  test('on a rename: what is open ends under its text, an open pull request keeps both, a new one has it', async () => {
    const repo = await newRepo();
    await service.upload({ ...upload(repo, [1, 0], pull('71', 'head')), parallel: true });
    await waitFor(() => states(repo, 'head').coverage === 'pending', { what: 'the pending status' });
    await service.delivered();
    const former = { names: undefined, at: Date.now() + 1 };
    while (Date.now() <= former.at) await service.store.check();
    await change(repo, { statusNames: STATUS_NAME_SETS.codecov, formerStatusNames: [former] });
    const closed = await service.close(repo.token, '71');
    expect(closed.state).toBe('closed');
    await service.upload({ ...upload(repo, [1, 0], pull('72', 'head 2')), parallel: true });
    await waitFor(() => states(repo, 'head 2')['codecov/project'] === 'pending', { what: 'the pending status' });
    await service.close(repo.token, '72');
    await service.upload({ ...upload(repo, [1, 0], pull('73', 'later', '8')), parallel: true });
    await service.close(repo.token, '73');
    await service.delivered();
    const both = {
      coverage: 'success',
      'coverage (ui)': 'success',
      'codecov/project': 'success',
      'codecov/project/ui': 'success',
    };
    expect([states(repo, 'head'), states(repo, 'head 2')]).toEqual([both, both]);
    expect(states(repo, 'later')).toEqual({ 'codecov/project': 'success', 'codecov/project/ui': 'success' });
  });

  test('after two renames a pull request that was open all the time, without a build, has all three', async () => {
    const repo = await newRepo();
    const renames = [
      { names: STATUS_NAME_SETS.codecov, at: Date.now() },
      { names: undefined, at: Date.now() - 60_000 },
    ];
    await change(repo, { statusNames: STATUS_NAME_SETS.coveralls, formerStatusNames: renames });
    await service.uploadAlone(upload(repo, [1, 0], pull('71', 'silent', '9')));
    await service.uploadAlone(upload(repo, [1, 0], pull('72', 'later', '8')));
    await service.delivered();
    const now = { 'coverage/coveralls': 'success', 'Coveralls - ui': 'success' };
    expect(states(repo, 'silent')).toEqual({
      coverage: 'success',
      'coverage (ui)': 'success',
      'codecov/project': 'success',
      'codecov/project/ui': 'success',
      ...now,
    });
    expect(states(repo, 'later')).toEqual(now);
  });
});

describe('a rename reaches the pull requests that GitHub lists as open at once', () => {
  const rename = async (repo: Repo): Promise<void> => {
    const headers = { 'content-type': 'application/json', authorization: `token ${service.adminToken}` };
    const path = `/api/v1/repos/github/${repo.name}/settings`;
    const answer = await service.api.send(path, {
      method: 'PUT',
      headers,
      body: JSON.stringify({ status_names: 'codecov' }),
    });
    expect(answer.status).toBe(200);
  };
  /** Pull requests 7 (open) and 9 (closed since its build). */
  const withBuilds = async (): Promise<Repo> => {
    const repo = await newRepo();
    await service.uploadAlone(upload(repo, [1, 0], pull('71', 'head')));
    await service.uploadAlone(upload(repo, [1, 0], pull('72', 'silent', '9')));
    github.addPullRequest(repo.name, { number: 9, headSha: shaOf('silent'), baseRef: 'main', state: 'closed' });
    return repo;
  };
  const renamed = (repo: Repo, commit: string) =>
    waitFor(() => states(repo, commit)['codecov/project'] === 'success', { what: 'the new name' });

  test('and no others', async () => {
    const repo = await withBuilds();
    await rename(repo);
    await renamed(repo, 'head');
    await service.delivered();
    expect(states(repo, 'head')).toMatchObject({ coverage: 'success', 'codecov/project/ui': 'success' });
    expect(states(repo, 'silent')).not.toHaveProperty('codecov/project');
  });

  test('all builds of a head, and the one that waits in a merge queue', async () => {
    const repo = await newRepo();
    const queue = `gh-readonly-queue/main/pr-7-${shaOf('base')}`;
    github.addCommit(repo.name, { sha: shaOf('queued'), parents: [shaOf('base')], branch: queue });
    await service.uploadAlone(upload(repo, [1, 0], pull('71', 'head')));
    await service.uploadAlone({ ...upload(repo, [1, 0], pull('72', 'head')), flag_name: 'api' });
    await service.uploadAlone(
      upload(repo, [1, 0], { service_number: '73', commit_sha: shaOf('queued'), git: { branch: queue } }),
    );
    await rename(repo);
    await renamed(repo, 'head');
    await renamed(repo, 'queued');
    await service.delivered();
    // The queue's own run reports one flag of two.
    for (const commit of ['head', 'queued'])
      expect(states(repo, commit)).toMatchObject({ 'codecov/project/ui': 'success', 'codecov/project/api': 'success' });
  });

  test('while it does not say, the newest builds of the repo', async () => {
    const repo = await withBuilds();
    const heal = github.faults.when(({ path }) =>
      path.includes('/pulls?') ? { kind: 'status', status: 500 } : undefined,
    );
    await rename(repo);
    heal();
    await renamed(repo, 'head');
    await renamed(repo, 'silent');
  });
});

describe('what a repo may ask for besides', () => {
  test('informational: a failure is reported and fails nothing', async () => {
    const repo = await newRepo({ informational: true });
    await service.uploadAlone(upload(repo, [1, 1], BASE));
    const build = await service.uploadAlone(upload(repo, [1, 0], pull('71', 'head')));
    await service.delivered();
    expect(build.verdict).toMatchObject({ state: 'failure', informational: true });
    expect(last(repo, 'head').get('coverage')).toMatchObject({
      state: 'success',
      description: expect.stringMatching(
        /^50\.00%, −50\.00 points from 100\.00%: .*\(informational; base .*\)\. 1 line lost outside the change$/,
      ),
    });
  });

  test('no new comment while nothing changed; the one there is continues being edited', async () => {
    const repo = await newRepo({ commentMode: 'on-change' });
    await service.uploadAlone(upload(repo, [1, 0], BASE));
    await service.uploadAlone(upload(repo, [1, 0], pull('71', 'head')));
    await service.delivered();
    expect(github.comments(repo.name, 7)).toEqual([]);
    await service.uploadAlone(upload(repo, [1, 1], pull('72', 'head 2')));
    await service.uploadAlone(upload(repo, [1, 0], pull('73', 'head 3')));
    await service.delivered();
    expect(github.comments(repo.name, 7)).toMatchObject([
      { body: expect.stringContaining('### ✅ Coverage 50.00%, unchanged from [') },
    ]);
  });

  test('a flag of emoji has a status too: GitHub refuses such characters', async () => {
    const repo = await newRepo();
    await service.uploadAlone(upload(repo, [1, 0], { ...BASE, flag_name: '🚀 ui' }));
    await service.delivered();
    expect(states(repo, 'base')).toEqual({ coverage: 'success', 'coverage (\ufffd ui)': 'success' });
  });
});
