import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Build } from '../../server/src/core/builds/build.ts';
import { shaOf } from '../support/coverage-api.ts';
import { type IdTokenScene, PULL, startIdTokenScene } from '../support/id-token-scene.ts';
import { HEAD, TOKENS, type Upload } from '../support/provider-token-scene.ts';
import { waitFor } from '../support/wait-for.ts';

let scene: IdTokenScene;
let repoToken: string;
beforeAll(async () => {
  scene = await startIdTokenScene();
  repoToken = (await scene.service.newRepo({ service: 'github', name: 'acme/shop' })).token;
});
afterEach(() => scene.github.faults.clear());
afterAll(() => scene.end());

const comments = (pull: number): readonly string[] =>
  scene.github.comments('acme/shop', pull).map(({ body }) => body ?? '');

/** Pull request 9, whose head nothing here has tested. */
const NINE = shaOf('head of 9');
/** The build of an upload once it is closed and all is announced. */
async function settled(url: string): Promise<Build> {
  const { store, time } = scene.service;
  const job = await store.jobs.find(Number(url.slice(url.lastIndexOf('/') + 1)));
  return waitFor(
    async () => {
      const build = await store.builds.find(job?.buildId ?? 0);
      const isDone = build?.result !== undefined && build.due.length === 0;
      return isDone && (await store.outbox.nextDueAt()) === undefined ? build : undefined;
    },
    { what: 'the build to be announced', intervalMs: 5, timeoutMs: 30_000, meanwhile: time.skipPause },
  );
}

async function uploaded(fields: Upload): Promise<Build> {
  const { status, text, json } = await scene.upload({ parallel: false, git: { head: {} }, ...fields });
  expect([status, text]).toEqual([200, expect.stringContaining('Job #')]);
  return settled(json.url);
}

const newRun = (run: Parameters<IdTokenScene['addRun']>[0] = {}): string => String(scene.addRun(run));
/** An upload of a push to main, which the ID token is of. */
const byIdToken = (fields: Upload = {}): Upload => {
  const run_id = newRun();
  return { repo_token: scene.token({ run_id }), service_number: run_id, service_event_type: 'push', ...fields };
};

describe('a pull request that a run of another event names', () => {
  beforeAll(() => {
    const change = { headSha: NINE, headRef: 'nine', baseRef: 'main' };
    scene.github.addPullRequest('acme/shop', { ...change, number: 9 });
  });

  test.each<[string, () => Upload]>([
    ["a push's id-token", () => byIdToken()],
    ["a push's id-token, and the event is not told", () => byIdToken({ service_event_type: '' })],
    ["a workflow's token of a push", () => ({ repo_token: TOKENS.workflow, service_number: newRun() })],
    ["the repo's token, in a run of a push", () => ({ repo_token: repoToken, service_number: newRun() })],
    [
      "the repo's token, in a run of a schedule",
      () => ({ repo_token: repoToken, service_number: newRun({ event: 'schedule' }) }),
    ],
    ["a person's token, in a run of a push", () => ({ repo_token: TOKENS.classic, service_number: newRun() })],
    [
      "the repo's token, in a run of another pull request",
      () => ({
        repo_token: repoToken,
        service_number: newRun({ headSha: PULL.head, headBranch: 'topic', event: 'pull_request' }),
        commit_sha: PULL.head,
      }),
    ],
  ])('counts for nothing where its head is another commit: %s', async (_, upload) => {
    const build = await uploaded({
      repo_name: 'acme/shop',
      service_branch: 'main',
      ...upload(),
      service_pull_request: '9',
    });
    expect(build.pullRequest).toBeUndefined();
    expect(build.warnings).toEqual([
      expect.stringMatching(
        new RegExp(
          `names pull request 9, but GitHub says that its head is ${NINE.slice(0, 7)}.*counts without the pull`,
        ),
      ),
    ]);
    expect(comments(9)).toEqual([]);
    expect(scene.github.lastStatuses('acme/shop', NINE).size).toBe(0);
    const ofPull = await scene.service.store.builds.ofPullRequest(build.repoId, 9, 10);
    expect(ofPull).toEqual([]);
    // What the run itself says counts: a push to main is of main.
    expect(build.branch).toBe(build.commit === HEAD ? 'main' : undefined);
  });

  test('counts where its head, or the merge of it, was tested', async () => {
    const run_id = newRun({ headSha: PULL.head, headBranch: 'topic' });
    const ofTopic = { run_id, sha: PULL.head, ref: 'refs/heads/topic' };
    const claim = { service_number: run_id, service_pull_request: '7', service_branch: 'topic' };
    const pushed = await uploaded({ repo_token: scene.token(ofTopic), commit_sha: PULL.head, ...claim });
    expect([pushed.pullRequest, pushed.warnings]).toEqual([7, []]);
    expect(comments(7)).toHaveLength(1);
    const ran = newRun({ headSha: PULL.merge, event: 'workflow_dispatch' });
    const dispatched = { run_id: ran, sha: PULL.merge, ref: 'refs/heads/main', event_name: 'workflow_dispatch' };
    const merge = {
      repo_token: scene.token(dispatched),
      service_number: ran,
      commit_sha: PULL.merge,
      service_pull_request: '7',
    };
    const ofMerge = await uploaded({ ...merge, service_branch: 'main' });
    expect([ofMerge.pullRequest, ofMerge.target, ofMerge.warnings]).toEqual([7, PULL.head, []]);
  });

  test('counts in a run of its own, though its head has moved on', async () => {
    const old = shaOf('head of 7 before');
    scene.github.addCommit('acme/shop', { sha: old, parents: [shaOf('base')] });
    const run = newRun({ headSha: old, headBranch: 'topic', event: 'pull_request' });
    const fields = { service_number: run, commit_sha: old, service_pull_request: '7' };
    for (const repo_token of [repoToken, TOKENS.workflow]) {
      const build = await uploaded({
        repo_token,
        repo_name: 'acme/shop',
        ...fields,
        flag_name: repo_token.slice(0, 3),
      });
      expect([build.pullRequest, build.warnings]).toEqual([7, []]);
    }
  });

  test('is believed of anybody who has the repo’s token and names no run that can be read', async () => {
    const fields = { repo_token: repoToken, service_name: 'jenkins', service_number: '4711' };
    const build = await uploaded({ ...fields, service_pull_request: '9', commit_sha: shaOf('built by jenkins') });
    expect([build.pullRequest, build.warnings]).toEqual([9, []]);
  });

  test('is not made its own by a later job of the build', async () => {
    const before = comments(9).length;
    const run_id = newRun();
    const job = (flag_name: string, claim: Upload) =>
      uploaded({ repo_token: scene.token({ run_id }), service_number: run_id, flag_name, ...claim });
    expect((await job('first', {})).pullRequest).toBeUndefined();
    const build = await job('second', { service_pull_request: '9' });
    expect([build.jobs, build.pullRequest, build.warnings]).toEqual([
      2,
      undefined,
      [expect.stringContaining('request 9')],
    ]);
    expect((await job('third', { service_pull_request: '9' })).warnings).toHaveLength(1);
    expect(comments(9)).toHaveLength(before);
  });

  const MOVES_TIME = { skip: process.env.TEST_MONGODB_URL !== undefined };

  test('is told nothing while GitHub gives no answer about it', MOVES_TIME, async () => {
    const { github, service } = scene;
    const head = shaOf('head of 10');
    github.addPullRequest('acme/shop', { number: 10, headSha: head, headRef: 'ten', baseRef: 'main' });
    github.faults.when(({ path }) => (/\/pulls\/10$/.test(path) ? { kind: 'status', status: 503 } : undefined));
    const run_id = newRun({ headSha: head, headBranch: 'ten' });
    const claims = { run_id, sha: head, ref: 'refs/heads/ten' };
    const { status: answered, json } = await scene.upload({
      repo_token: scene.token(claims),
      service_number: run_id,
      commit_sha: head,
      service_branch: 'ten',
      service_pull_request: '10',
      parallel: false,
      git: { head: {} },
    });
    expect(answered).toBe(200);
    const status = () => github.lastStatuses('acme/shop', head).get('coverage');
    const arrived = (what: string, look: () => unknown) =>
      waitFor(async () => (await look()) || undefined, { what, intervalMs: 5, meanwhile: service.time.skipPause });
    // The commit is the run's own: its status comes once the answer has been waited for.
    await arrived('the status', status);
    await arrived('the end of deliveries', async () => (await service.store.outbox.nextDueAt()) === undefined);
    expect(comments(10)).toEqual([]);
    github.faults.clear();
    // Each question without an answer is followed by a longer wait. What is asked needs its time in between.
    const meanwhile = () => void service.time.pass(60_000);
    await waitFor(async () => comments(10).length > 0 || undefined, {
      what: 'the comment',
      intervalMs: 150,
      meanwhile,
    });
    expect((await settled(json.url)).pullRequest).toBe(10);
  });
});
