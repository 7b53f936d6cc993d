import { afterAll, beforeAll, describe, expect, test } from 'vitest';
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

let repos = 0;

/** A repo whose main has a build of the flags web and api, and a pull request on top of it whose run is 71. */
async function newRepo(): Promise<RepoJson & { token: string }> {
  repos += 1;
  const name = `octo/skipped-${repos}`;
  github.addRepo(name);
  github.addCommit(name, { sha: shaOf('base'), branch: 'main' });
  github.addCommit(name, { sha: shaOf('head'), parents: [shaOf('base')], branch: 'topic' });
  github.addPullRequest(name, { number: 7, headSha: shaOf('head'), baseRef: 'main', headRef: 'topic' });
  github.addRun(name, { id: 71, headSha: shaOf('head'), headBranch: 'topic', event: 'pull_request' });
  const repo = await service.newRepo({ service: 'github', name });
  for (const [flag, lines] of [
    ['web', [1, 0]],
    ['api', [1, 1]],
  ] as const) {
    const source_files = [sourceFile(`src/${flag}.ts`, [...lines])];
    const facts = { service_number: '70', commit_sha: shaOf('base'), git: { branch: 'main' } };
    await service.upload({
      ...job({ repo_token: repo.token, parallel: true, flag_name: flag, source_files }),
      ...facts,
    });
  }
  await service.close(repo.token, '70');
  return repo;
}

describe('a close whose legs were all skipped', () => {
  test('becomes a build of the carried flags, which ends the required status', async () => {
    const repo = await newRepo();
    const build = await service.close(repo.token, '71', 'web,api');
    expect(build).toMatchObject({
      state: 'closed',
      commit_sha: shaOf('head'),
      pull_request: 7,
      covered_lines: 3,
      relevant_lines: 4,
      verdict: { state: 'success', rule: 'no-decrease' },
      jobs: [],
    });
    expect(build.flags).toMatchObject([
      { name: 'api', carried_from: { commit_sha: shaOf('base') } },
      { name: 'web', carried_from: { commit_sha: shaOf('base') } },
    ]);
    const status = await waitFor(() => github.lastStatuses(repo.name, shaOf('head')).get('coverage'), {
      what: 'the status',
    });
    expect(status).toMatchObject({ state: 'success' });
    expect(await service.close(repo.token, '71', 'web,api')).toMatchObject({ id: build.id });
  });

  test('of a push belongs to its branch, though that is the head of a pull request', async () => {
    const repo = await newRepo();
    github.addRun(repo.name, { id: 73, headSha: shaOf('head'), headBranch: 'topic', event: 'push' });
    const build = await service.close(repo.token, '73', 'web,api');
    expect(build).toMatchObject({ commit_sha: shaOf('head'), branch: 'topic', pull_request: null });
  });

  test('takes in the job that comes after all', async () => {
    const repo = await newRepo();
    const empty = await service.close(repo.token, '71', 'all');
    const source_files = [sourceFile('src/web.ts', [1, 1])];
    const facts = {
      service_number: '71',
      service_pull_request: '7',
      commit_sha: shaOf('head'),
      git: { branch: 'topic' },
    };
    await service.upload({
      ...job({ repo_token: repo.token, parallel: true, flag_name: 'web', source_files }),
      ...facts,
    });
    expect(await service.close(repo.token, '71')).toMatchObject({ id: empty.id, covered_lines: 4, relevant_lines: 4 });
  });

  test.each([
    ['without carried flags', '71', undefined],
    ['of an unknown run', '72', 'all'],
    ['of a number that is no run', 'abc', 'all'],
  ])('%s is unknown, as before', async (_, number, carryforward) => {
    const repo = await newRepo();
    const asked = {
      repo_token: repo.token,
      build_num: number,
      ...(carryforward === undefined ? {} : { carryforward }),
    };
    const answer = await service.api.closeBuild(asked);
    expect(answer.status).not.toBe(200);
    expect(answer.text).toContain(`No build matching CI build number ${number} found`);
  });
});
