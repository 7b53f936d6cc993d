import type { BuildJson } from '@coverage/shared';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { advanceTimeUntil, skipHangs } from '../support/advance-time-until.ts';
import { job, shaOf, sourceFile } from '../support/coverage-api.ts';
import type { Delivery } from '../support/github-stand-in/deliveries.ts';
import { type GithubStandIn, startGithubStandIn } from '../support/github-stand-in/github-stand-in.ts';
import type { StatusRecord } from '../support/github-stand-in/model.ts';
import { HOOK_SECRET, sendDelivery } from '../support/hooks-client.ts';
import { type Service, startService } from '../support/service.ts';
import { waitFor } from '../support/wait-for.ts';

let github: GithubStandIn;
let service: Service;
beforeAll(async () => {
  github = await startGithubStandIn();
  service = await startService({ github, env: { GITHUB_WEBHOOK_SECRET: HOOK_SECRET } });
});
afterAll(async () => {
  await service.stop();
  await github.close();
});
afterEach(() => expect(github.violations()).toEqual([]));

let repos = 0;

/** A repo of its own at both, with main at the commit `base` of this story. */
async function startStory() {
  repos += 1;
  const name = `acme/story-${repos}`;
  const commit = (what: string): string => shaOf(`${name} ${what}`);
  github.addRepo(name);
  github.addCommit(name, { sha: commit('base'), branch: 'main' });
  const { token, ...repo } = await service.newRepo({ service: 'github', name });
  return {
    name,
    repo,
    commit,
    deliver: async (delivery: Delivery): Promise<readonly string[]> => {
      const { status, json } = await sendDelivery(service.url, delivery);
      expect([status, json.outcome]).toEqual([200, 'heard']);
      return json.effects ?? [];
    },
    /** A build of one job with these hits in src/a.ts. */
    build: (what: string, number: string | number, fields: object, hits = [1, 0]): Promise<BuildJson> =>
      service.uploadAlone({
        ...job({ repo_token: token, service_name: 'github', service_number: String(number), commit_sha: commit(what) }),
        git: { branch: 'main' },
        source_files: [sourceFile('src/a.ts', hits)],
        ...fields,
      }),
    token,
    status: (what: string, context = 'coverage'): Promise<StatusRecord> =>
      waitFor(
        async () => {
          const status = github.lastStatuses(name, commit(what)).get(context);
          return status?.state === 'pending' ? undefined : status;
        },
        { what: `the status ${context} of ${what}`, meanwhile: service.time.skipPause },
      ),
  };
}

const pull = (number: number) => ({ service_pull_request: String(number), git: { branch: `change-${number}` } });

const comparedWith = (id: string, base: BuildJson): Promise<BuildJson> =>
  waitFor(
    async () => {
      const build = await service.build(id);
      return build.state === 'closed' && build.base?.build === base.id ? build : undefined;
    },
    { what: `build ${id} to be compared with build ${base.id}`, meanwhile: service.time.skipPause },
  );

test('a pull request that goes to another branch is compared with that one', async () => {
  const { name, commit, build, deliver } = await startStory();
  github.addCommit(name, { sha: commit('next'), parents: [commit('base')], branch: 'next' });
  github.addCommit(name, { sha: commit('head'), parents: [commit('next')] });
  github.addPullRequest(name, { number: 7, headSha: commit('head'), baseRef: 'main' });
  const onMain = await build('base', 1, {});
  const onNext = await build('next', 2, { git: { branch: 'next' } }, [1, 1]);
  const ours = await build('head', 3, pull(7));
  expect(ours.base).toMatchObject({ build: onMain.id, rule: 'merge-base' });
  expect(ours.verdict?.state).toBe('success');
  github.addPullRequest(name, { number: 7, headSha: commit('head'), baseRef: 'next' });
  const changes = { base: { ref: { from: 'main' }, sha: { from: commit('base') } } };
  expect(await deliver(github.deliveries.pullRequest(name, 7, { action: 'edited', changes }))).toContain(
    'build 3 is compared again',
  );
  const again = await comparedWith(ours.id, onNext);
  expect(again).toMatchObject({ base: { rule: 'merge-base' }, verdict: { state: 'failure', rule: 'no-decrease' } });
});

test('the end of its run closes a build that nobody closes', async () => {
  const { name, commit, deliver, token } = await startStory();
  const run = github.addRun(name, { headSha: commit('base'), status: 'completed', conclusion: 'success' });
  const fields = { service_name: 'github', service_number: String(run.id), parallel: true, commit_sha: commit('base') };
  const { build } = await service.upload({ ...job({ repo_token: token, ...fields }), git: { branch: 'main' } });
  await deliver(github.deliveries.runCompleted(name, run));
  expect(await service.closed(build)).toMatchObject({ closed_by: 'provider', covered_percent: 50 });
});

test('a squash is adopted by its base branch, and the next pull request is compared with it', async () => {
  const { name, commit, build, deliver } = await startStory();
  github.addCommit(name, { sha: commit('head'), parents: [commit('base')], tree: 'f'.repeat(40) });
  github.addPullRequest(name, { number: 7, headSha: commit('head'), baseRef: 'main' });
  await build('base', 1, {});
  const ours = await build('head', 2, pull(7), [1, 1]);
  github.addCommit(name, { sha: commit('squash'), parents: [commit('base')], tree: 'f'.repeat(40), branch: 'main' });
  const merged = { state: 'closed', merged: true, mergeCommitSha: commit('squash') } as const;
  github.addPullRequest(name, { number: 7, headSha: commit('head'), baseRef: 'main', ...merged });
  expect(await deliver(github.deliveries.pullRequest(name, 7, { action: 'closed' }))).toContain(
    'build 2 counts for "main" now (same-tree)',
  );
  github.addCommit(name, { sha: commit('later'), parents: [commit('squash')] });
  github.addPullRequest(name, { number: 8, headSha: commit('later'), baseRef: 'main' });
  const later = await build('later', 3, pull(8), [1, 1]);
  expect(later.base).toMatchObject({ build: ours.id, rule: 'merge-base' });
});

test('a squash that is reported while GitHub is away is adopted once it is back', async () => {
  const { name, commit, build, deliver } = await startStory();
  github.addCommit(name, { sha: commit('head'), parents: [commit('base')], tree: 'e'.repeat(40) });
  github.addPullRequest(name, { number: 7, headSha: commit('head'), baseRef: 'main' });
  await build('base', 1, {});
  const ours = await build('head', 2, pull(7), [1, 1]);
  github.addCommit(name, { sha: commit('squash'), parents: [commit('base')], tree: 'e'.repeat(40), branch: 'main' });
  const merged = { state: 'closed', merged: true, mergeCommitSha: commit('squash') } as const;
  github.addPullRequest(name, { number: 7, headSha: commit('head'), baseRef: 'main', ...merged });
  const heal = github.faults.when(({ path }) => (path.includes('/git/commits/') ? { kind: 'hang' } : undefined));
  const delivered = deliver(github.deliveries.pullRequest(name, 7, { action: 'closed' }));
  const skip = skipHangs(github, service.time);
  const effects = await advanceTimeUntil(delivered, skip);
  expect(effects).toContain('what landed on "main" is asked again: GitHub gave no answer');
  expect((await service.build(ours.id)).landed).toBeNull();
  heal();
  await waitFor(async () => (await service.build(ours.id)).landed?.how === 'same-tree', {
    what: 'the adoption',
    meanwhile: skip,
  });
});

test('a run that brings no coverage is answered for', async () => {
  const { name, commit, build, deliver, status } = await startStory();
  const first = github.addRun(name, { headSha: commit('base'), status: 'completed' });
  await build('base', first.id, {});
  await deliver(github.deliveries.runCompleted(name, first));
  const change = async (number: number, what: string, filename: string) => {
    const files = [
      { filename, status: 'modified' as const, additions: 1, deletions: 0, patch: '@@ -1 +1,2 @@\n a\n+b' },
    ];
    github.addPullRequest(name, { number, headSha: commit(what), baseRef: 'main', files });
    const of = { headSha: commit(what), headBranch: `change-${number}`, event: 'pull_request' };
    const run = github.addRun(name, { ...of, status: 'completed', conclusion: 'failure' });
    expect(await deliver(github.deliveries.runCompleted(name, run))).toHaveLength(1);
    const { state, description } = await status(what);
    return [state, description];
  };
  expect(await change(7, 'docs', 'README.md')).toEqual([
    'success',
    expect.stringContaining('no measured file changed'),
  ]);
  expect(await change(8, 'code', 'src/a.ts')).toEqual(['failure', expect.stringContaining('coverage was expected')]);
});

test('status names take effect with the next build, and an excluded base is no base', async () => {
  const { name, commit, build, status, repo } = await startStory();
  const headers = { 'content-type': 'application/json', authorization: `token ${service.adminToken}` };
  const put = (path: string, body: object) =>
    service.api.send(path, { method: 'PUT', headers, body: JSON.stringify(body) });
  github.addCommit(name, { sha: commit('middle'), parents: [commit('base')], branch: 'main' });
  github.addCommit(name, { sha: commit('head'), parents: [commit('middle')] });
  github.addPullRequest(name, { number: 7, headSha: commit('head'), baseRef: 'main' });
  const good = await build('base', 1, {}, [1, 0]);
  const bad = await build('middle', 2, {}, [1, 1]);
  expect((await put(`/api/v1/repos/${repo.service}/${repo.name}/settings`, { status_names: 'codecov' })).status).toBe(
    200,
  );
  const ours = await build('head', 3, pull(7));
  expect(ours.base?.build).toBe(bad.id);
  expect((await status('head', 'codecov/project')).state).toBe('failure');
  expect((await put(`/api/v1/builds/${bad.id}/base`, { excluded: true })).status).toBe(200);
  expect((await comparedWith(ours.id, good)).verdict?.state).toBe('success');
  expect((await put(`/api/v1/builds/${bad.id}/base`, { excluded: false })).status).toBe(200);
  expect((await comparedWith(ours.id, bad)).verdict?.state).toBe('failure');
});
