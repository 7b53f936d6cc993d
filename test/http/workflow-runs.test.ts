import type { BuildJson } from '@coverage/shared';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Build } from '../../server/src/core/builds/build.ts';
import { job, shaOf, sourceFile } from '../support/coverage-api.ts';
import { MAIN, MAINTAINER_TOKEN, REPO } from '../support/fork-github.ts';
import { type ForkScene, startForkScene } from '../support/fork-scene.ts';
import type { RunSetUp } from '../support/github-stand-in/set-up.ts';
import { waitFor } from '../support/wait-for.ts';

/** The head of Eve's pull request 9, from a branch of her fork that is called `main`. */
const EVIL = shaOf('main of eve');
const FORK = { headRepo: 'eve/shop', headBranch: 'main', headSha: EVIL, actor: 'eve' };
const [ALL, QUARTER] = [[sourceFile('src/a.ts', [1, 1, 1, 1])], [sourceFile('src/a.ts', [1, 0, 0, 0])]];

let scene: ForkScene;
let main: BuildJson;
beforeAll(async () => {
  scene = await startForkScene();
  const { github } = scene;
  const ofEve = { headRepo: FORK.headRepo, headRef: 'main', headSha: EVIL, login: 'eve' };
  github.addPullRequest(REPO, { number: 9, baseRef: 'main', baseSha: MAIN, ...ofEve });
  main = await push(MAIN);
});
afterAll(() => scene.end());

/** A run of the repo itself, of main. */
const ownRun = (change: Partial<RunSetUp> = {}) =>
  scene.run({ event: 'push', headSha: MAIN, headRepo: REPO, headBranch: 'main', actor: 'mona', ...change });
/** Eve's run, and the one of the repo's own workflow that follows it. */
const afterEves = (event = 'pull_request'): string => {
  scene.run({ ...FORK, event, status: 'completed' });
  return ownRun({ event: 'workflow_run' });
};

const sent = (fields: object) => ({
  ...job({ repo_token: scene.shop.token, source_files: QUARTER }),
  service_job_id: undefined,
  ...fields,
});
const upload = async (run: string, fields: object = {}): Promise<Build> => {
  const { build } = await scene.service.upload(sent({ service_number: run, commit_sha: EVIL, ...fields }));
  return (await scene.builds()).find(({ id }) => id === Number(build)) as Build;
};
/** A push to main that covers all. */
const push = (commit: string): Promise<BuildJson> => {
  const run = ownRun({ headSha: commit });
  return scene.service.uploadAlone(sent({ service_number: run, commit_sha: commit, source_files: ALL }));
};
const placeOf = ({ trust, pullRequest, branch }: Build) => ({ trust, pullRequest, branch });
const badge = async () => (await fetch(`${scene.service.url}/github/${REPO}/badge.svg`)).text();
describe('a fork whose branch is called main moves nothing of main', () => {
  type Case = readonly [string, () => string, (run: string) => object];
  test.each<Case>([
    ['by the run that follows its own', () => afterEves(), () => ({})],
    [
      'by that run in the job id alone',
      () => afterEves(),
      (run) => ({ service_number: 'x', service_job_id: `${run}-up` }),
    ],
    ['by its own run', () => scene.run(FORK), () => ({})],
    ['under pull_request_target', () => scene.run({ ...FORK, event: 'pull_request_target' }), () => ({})],
    ['in jobs that come one by one', () => afterEves(), () => ({ parallel: true })],
    ['as a tag', () => afterEves(), () => ({ git: { branch: 'refs/tags/v1' } })],
    ['as a merge queue', () => afterEves(), () => ({ git: { branch: `gh-readonly-queue/main/pr-7-${MAIN}` } })],
    ["as another's pull request", () => afterEves(), () => ({ service_pull_request: '7' })],
    ['with a base of its choice', () => afterEves(), () => ({ compare_ref: 'main', compare_sha: MAIN })],
  ])('%s', async (name, run, fields) => {
    const id = run();
    let build = await upload(id, fields(id));
    if (build.state === 'open') {
      expect((await scene.service.close(scene.shop.token, id)).id).toBe(String(build.id));
      build = (await scene.builds()).find(({ id: one }) => one === build.id) as Build;
    }
    expect(build).toMatchObject({
      trust: 'run',
      runCheck: { run: 'fork', trust: 'secret' },
      pullRequest: 9,
      branch: 'main',
      commit: EVIL,
      target: EVIL,
      tag: false,
      mergeQueue: false,
    });
    expect(build.result?.base?.buildId).toBe(Number(main.id));
    expect(await badge()).toContain('coverage: 100');
    const later = shaOf(`after ${name}`);
    scene.github.addCommit(REPO, { sha: later, parents: [MAIN] });
    const next = await push(later);
    expect([next.base?.build, next.coverage_change]).toEqual([main.id, 0]);
  });
});

describe('what a run that follows another uploads', () => {
  test("of a fork's pull request answers there: status and comment, with the repo token or a person's", async () => {
    for (const fields of [{}, { repo_token: MAINTAINER_TOKEN, repo_name: REPO }, { git: undefined }]) {
      const build = await upload(afterEves(), fields);
      expect(build).toMatchObject({ trust: 'run', pullRequest: 9, result: { base: { buildId: Number(main.id) } } });
      const { url } = await scene.service.build(String(build.id));
      const look = () => scene.github.comments(REPO, 9)[0]?.body.includes(url) || undefined;
      await waitFor(look, { what: 'the comment', intervalMs: 5, meanwhile: scene.service.time.skipPause });
      expect(scene.github.comments(REPO, 9)).toMatchObject([{ body: expect.stringContaining('Unverified: ') }]);
      expect(scene.github.lastStatuses(REPO, EVIL).get('coverage')).toMatchObject({
        description: expect.stringMatching(/^Unverified: 25\.00%/),
        targetUrl: url,
      });
    }
    expect(scene.github.violations()).toEqual([]);
  });

  test.each<[string, Partial<RunSetUp>, object, object]>([
    ['a push', {}, {}, { trust: 'secret', branch: 'main' }],
    [
      'an own pull request',
      { event: 'pull_request' },
      { service_pull_request: '12' },
      { trust: 'secret', pullRequest: 12, branch: 'main' },
    ],
  ])('of %s of the repo is trusted', async (name, run, fields, expected) => {
    const commit = shaOf(`own ${name}`);
    scene.github.addCommit(REPO, { sha: commit, parents: [MAIN] });
    scene.github.addPullRequest(REPO, { number: 12, baseRef: 'main', baseSha: MAIN, headSha: commit });
    ownRun({ headSha: commit, status: 'completed', ...run });
    const build = await upload(ownRun({ event: 'workflow_run' }), { commit_sha: commit, source_files: ALL, ...fields });
    expect(placeOf(build)).toEqual(expected);
    expect(build.runCheck).toBeUndefined();
  });

  test("of the merge of an own pull request's head, which some clients name, is trusted", async () => {
    const [head, merge] = [shaOf('own head'), shaOf('own merge')];
    const pull = { number: 10, baseRef: 'main', baseSha: MAIN, headRef: 'fix', headSha: head, mergeCommitSha: merge };
    scene.github.addPullRequest(REPO, pull);
    ownRun({ event: 'pull_request', headSha: head, headBranch: 'fix' });
    const fields = { commit_sha: merge, service_pull_request: '10' };
    expect(await upload(ownRun({ event: 'workflow_run' }), fields)).toMatchObject({ trust: 'secret', target: head });
  });

  test("of a commit that a maintainer pushed to a branch of the repo stays the fork's on main", async () => {
    const commit = shaOf('looked at by a maintainer');
    const pull = { number: 11, baseRef: 'main', baseSha: MAIN, headRepo: FORK.headRepo, headRef: 'main' };
    scene.github.addPullRequest(REPO, { ...pull, headSha: commit });
    for (const run of [
      { ...FORK, headSha: commit },
      { headBranch: 'pr/11', headSha: commit, headRepo: REPO },
    ])
      scene.run({ ...run, event: 'push' });
    const of = (branch: string) =>
      upload(ownRun({ event: 'workflow_run' }), { commit_sha: commit, git: { branch, head: { id: commit } } });
    expect(placeOf(await of('main'))).toEqual({ trust: 'run', pullRequest: 11, branch: 'main' });
    expect(placeOf(await of('pr/11'))).toEqual({ trust: 'secret', branch: 'pr/11' });
  });

  test('of a commit that no run has, and of a fork that is gone, is on no branch', async () => {
    const unknown = await upload(ownRun({ event: 'workflow_run' }), { commit_sha: shaOf('of nobody') });
    const gone = await upload(scene.run({ ...FORK, headRepo: 'gone/shop' }), { commit_sha: shaOf('of a ghost') });
    for (const build of [unknown, gone]) expect(placeOf(build)).toEqual({ trust: 'run', branch: 'main' });
    expect((await scene.service.build(main.id)).is_base?.may_be).toBe('yes');
    expect(await badge()).toContain('coverage: 100');
  });

  test('joins the build of its run, whatever that counts for', async () => {
    const run = afterEves();
    const builds = [];
    for (const flag_name of ['unit', 'e2e']) builds.push((await upload(run, { flag_name, parallel: true })).id);
    expect(builds[0]).toBe(builds[1]);
  });

  test('is asked about once, not with every job and every close', async () => {
    const run = ownRun();
    const asked = () => scene.github.requests().filter(({ path }) => path.includes('/actions/runs')).length;
    const before = asked();
    await push(shaOf('asked once'));
    for (const flag_name of ['unit', 'e2e', 'lint'])
      await upload(run, { commit_sha: MAIN, flag_name, source_files: ALL });
    expect(asked() - before).toBe(2);
  });
});

describe('while GitHub does not say whose a run is', () => {
  const away = () =>
    scene.github.faults.when(({ path }) =>
      path.includes('/actions/runs') ? { kind: 'status', status: 503 } : undefined,
    );
  const closed = async (run: string, fields: object): Promise<Build> => {
    const { build } = await scene.service.upload(sent({ service_number: run, ...fields }));
    const find = async () => {
      const found = await scene.service.store.builds.find(Number(build));
      return found?.result && found;
    };
    return waitFor(find, { what: 'the close', intervalMs: 5, meanwhile: scene.service.time.skipPause });
  };

  test('an upload is kept and counts for nothing; then it counts for what it is', async () => {
    const mend = away();
    const commit = shaOf('pushed while away');
    scene.github.addCommit(REPO, { sha: commit, parents: [MAIN] });
    const own = await closed(ownRun({ headSha: commit }), { commit_sha: commit });
    const forks = await closed(afterEves(), { commit_sha: EVIL });
    for (const build of [own, forks])
      expect(build).toMatchObject({
        trust: 'run',
        runCheck: { run: 'unknown' },
        result: { verdict: { provisional: true } },
      });
    expect(await badge()).toContain('coverage: 100');
    mend();
    const builds = await scene.builds();
    const later = ({ id }: Build) => builds.find((one) => one.id === id);
    expect(later(own)).toMatchObject({ trust: 'secret', branch: 'main', result: { verdict: { provisional: false } } });
    expect(later(own)?.runCheck).toBeUndefined();
    expect(later(forks)).toMatchObject({ trust: 'run', runCheck: { run: 'fork' }, pullRequest: 9 });
    expect(await badge()).toContain('coverage: 25.00%');
  });

  test('what was refused for good is believed, as where nobody can be asked', async () => {
    const refuse = scene.github.faults.when(({ path }) =>
      path.includes('/actions/runs') ? { kind: 'status', status: 403, message: 'Resource not accessible' } : undefined,
    );
    const commit = shaOf('unreadable');
    scene.github.addCommit(REPO, { sha: commit, parents: [MAIN] });
    expect((await upload(ownRun({ headSha: commit }), { commit_sha: commit })).trust).toBe('secret');
    refuse();
  });
});
