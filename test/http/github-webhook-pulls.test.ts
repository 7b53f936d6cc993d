import { afterEach, describe, expect, test } from 'vitest';
import type { BuildFacts } from '../../server/src/core/builds/build-facts.ts';
import { findTask } from '../../server/src/core/builds/due-tasks.ts';
import { Failure } from '../../server/src/core/failure.ts';
import { accept, putClosed } from '../contract/records.ts';
import { BASE, HEAD, type HookScene, LANDED, MERGE, NAME, startHookScene } from '../support/hook-scene.ts';

let scene: HookScene | undefined;
afterEach(() => scene?.end());

async function start(): Promise<HookScene> {
  scene = await startHookScene();
  return scene;
}

const PULL = { pullRequest: 7, commit: HEAD, branch: 'fix', baseBranch: 'main' };
const baseChange = { base: { ref: { from: 'main' }, sha: { from: BASE } } };

function factsOf(baseBranch: string): BuildFacts {
  const pull = {
    headCommit: HEAD,
    baseBranch,
    state: 'open',
    merged: false,
    landedCommit: undefined,
    fromFork: false,
  } as const;
  return {
    askedAt: 1,
    complete: true,
    pull,
    tree: undefined,
    mergeParent: undefined,
    mergeBase: BASE,
    ancestorsOf: BASE,
  };
}

describe('a pull request that goes to another branch', () => {
  test('is compared again: the builds of its newest commit forget what was said of it', async () => {
    const { host, store, repo, sendTwice, build, due } = await start();
    const old = await putClosed(store, repo.id, { ...PULL, serviceNumber: '1', commit: BASE });
    const newest = await putClosed(store, repo.id, { ...PULL, serviceNumber: '2' });
    const open = (await accept(store, repo.id, { ...PULL, serviceNumber: '3' })).build;
    for (const { id } of [newest, open]) {
      await store.builds.revise({ buildId: id, revision: { kind: 'facts', facts: factsOf('main'), target: HEAD } });
    }
    host.addPullRequest(NAME, { number: 7, headSha: HEAD, baseRef: 'next' });
    const effects = await sendTwice(host.deliveries.pullRequest(NAME, 7, { action: 'edited', changes: baseChange }));
    expect(effects.slice(-2)).toEqual(['build 3 is compared again', 'build 2 is compared again']);
    expect(await build(newest.id)).toMatchObject({
      baseForgotten: true,
      due: [{ kind: 'revisit', at: expect.any(Number) }],
    });
    for (const { id } of [newest, open]) expect((await build(id)).facts).toBeUndefined();
    expect((await build(open.id)).baseForgotten).toBe(true);
    expect(await build(old.id)).toEqual(old);
    expect(due()).toBe(1);
  });

  test.each(['opened', 'synchronize', 'reopened'])('is noticed at any event: %s', async (action) => {
    const { host, store, repo, sendTwice } = await start();
    await putClosed(store, repo.id, { ...PULL, baseBranch: 'next' });
    expect(await sendTwice(host.deliveries.pullRequest(NAME, 7, { action }))).toContain('build 71 is compared again');
  });

  test('one whose base is what it was is left alone', async () => {
    const { host, store, repo, sendTwice, build, due } = await start();
    const stored = await putClosed(store, repo.id, PULL);
    await sendTwice(host.deliveries.pullRequest(NAME, 7, { action: 'synchronize' }));
    expect([await build(stored.id), due()]).toEqual([stored, 0]);
  });

  test('one that is closed is left alone', async () => {
    const { host, store, repo, sendTwice, build } = await start();
    const stored = await putClosed(store, repo.id, PULL);
    host.addPullRequest(NAME, { number: 7, headSha: HEAD, baseRef: 'next', state: 'closed' });
    await sendTwice(host.deliveries.pullRequest(NAME, 7, { action: 'edited', changes: baseChange }));
    expect(await build(stored.id)).toEqual(stored);
  });

  test('a new title is no change of the base', async () => {
    const { host, store, repo, send, build } = await start();
    const stored = await putClosed(store, repo.id, { ...PULL, baseBranch: 'next' });
    const { status } = await send(
      host.deliveries.pullRequest(NAME, 7, { action: 'edited', changes: { title: { from: 'x' } } }),
    );
    expect([status, await build(stored.id)]).toEqual([202, stored]);
  });
});

describe('a pull request that is merged', () => {
  const merged = {
    number: 7,
    headSha: HEAD,
    baseRef: 'main',
    state: 'closed',
    merged: true,
    mergeCommitSha: LANDED,
  } as const;
  /** A squash: another commit of the tree that `tested` has. */
  function squash({ host }: HookScene, tested: string = HEAD): void {
    host.addCommit(NAME, { sha: tested, parents: [BASE], tree: 'change' });
    host.addCommit(NAME, { sha: LANDED, parents: [BASE], tree: 'change', branch: 'main' });
    host.addPullRequest(NAME, merged);
  }

  test('its base branch adopts the build that measured the same files', async () => {
    const started = await start();
    const { host, store, repo, sendTwice, build, app } = started;
    const stored = await putClosed(store, repo.id, PULL);
    squash(started);
    const at = app.time.now;
    const effects = await sendTwice(host.deliveries.pullRequest(NAME, 7, { action: 'closed' }));
    expect(effects.at(-1)).toBe('build 71 counts for "main" now (same-tree)');
    expect((await build(stored.id)).landed).toEqual({ branch: 'main', commit: LANDED, how: 'same-tree', at });
    const bases = await store.builds.bases({ repoId: repo.id, scope: { branch: 'main' }, before: undefined, limit: 5 });
    expect(bases.map(({ id }) => id)).toEqual([stored.id]);
  });

  test('by the merge commit that was tested, where one was', async () => {
    const started = await start();
    const { host, store, repo, sendTwice, build } = started;
    const stored = await putClosed(store, repo.id, { ...PULL, testedCommit: MERGE });
    squash(started, MERGE);
    await sendTwice(host.deliveries.pullRequest(NAME, 7, { action: 'closed' }));
    expect((await build(stored.id)).landed?.how).toBe('same-tree');
  });

  test('not one of other files, and not where the branch has its own', async () => {
    const started = await start();
    const { host, store, repo, sendTwice, build } = started;
    const stored = await putClosed(store, repo.id, { ...PULL, testedCommit: MERGE });
    squash(started);
    await sendTwice(host.deliveries.pullRequest(NAME, 7, { action: 'closed' }));
    expect((await build(stored.id)).landed).toBeUndefined();
    const alike = await putClosed(store, repo.id, { ...PULL, serviceNumber: '72' });
    await putClosed(store, repo.id, { commit: LANDED, branch: 'main', serviceNumber: '73' });
    await sendTwice(host.deliveries.pullRequest(NAME, 7, { action: 'closed' }));
    expect((await build(alike.id)).landed).toBeUndefined();
  });

  test('a fast-forward needs no question', async () => {
    const { host, store, repo, sendTwice, build } = await start();
    const stored = await putClosed(store, repo.id, PULL);
    host.addPullRequest(NAME, { ...merged, mergeCommitSha: HEAD });
    await sendTwice(host.deliveries.pullRequest(NAME, 7, { action: 'closed' }));
    expect((await build(stored.id)).landed).toMatchObject({ commit: HEAD, how: 'same-commit' });
    expect(host.requests()).toEqual([]);
  });

  test('one that is closed and not merged changes nothing', async () => {
    const { host, store, repo, sendTwice, build } = await start();
    const stored = await putClosed(store, repo.id, PULL);
    host.addPullRequest(NAME, { ...merged, merged: false });
    await sendTwice(host.deliveries.pullRequest(NAME, 7, { action: 'closed' }));
    expect([await build(stored.id), host.requests()]).toEqual([stored, []]);
  });

  test('cut off in the middle, the question stays and is answered by the next try', async () => {
    const started = await start();
    const { host, store, repo, send, sendTwice, build } = started;
    const stored = await putClosed(store, repo.id, PULL);
    squash(started);
    const delivery = host.deliveries.pullRequest(NAME, 7, { action: 'closed' });
    const end = host.faults.when(() => ({ kind: 'status', status: 503 }));
    await send(delivery);
    end();
    const { revise } = store.builds;
    store.builds.revise = async (change) => {
      if (change.revision.kind === 'landed') throw new Failure('unavailable', 'The store is away.');
      return revise(change);
    };
    expect((await send(delivery)).status).toBe(503);
    store.builds.revise = revise;
    expect(findTask((await build(stored.id)).due, 'landing')).toBeDefined();
    await sendTwice(delivery);
    const landed = await build(stored.id);
    expect([landed.landed?.how, findTask(landed.due, 'landing')]).toEqual(['same-tree', undefined]);
  });

  test('while GitHub does not answer the question is kept with the newest build, and asked again', async () => {
    const started = await start();
    const { host, store, repo, send, sendTwice, build } = started;
    const stored = await putClosed(store, repo.id, PULL);
    squash(started);
    const end = host.faults.when(() => ({ kind: 'status', status: 503 }));
    const delivery = host.deliveries.pullRequest(NAME, 7, { action: 'closed' });
    const { status, json } = await send(delivery);
    const since = started.app.time.now;
    const due = { kind: 'landing', branch: 'main', commit: LANDED, since, at: since + 5_000 };
    expect([status, json.effects?.at(-1)]).toEqual([
      200,
      'what landed on "main" is asked again: GitHub gave no answer',
    ]);
    const { landed, due: tasks } = await build(stored.id);
    expect([landed, findTask(tasks, 'landing')]).toEqual([undefined, due]);
    started.app.time.now += 60_000;
    expect((await send(delivery)).json.effects).toEqual([]);
    expect(findTask((await build(stored.id)).due, 'landing')).toEqual({ ...due, at: since + 120_000 });
    end();
    await sendTwice(delivery);
    const answered = await build(stored.id);
    expect([answered.landed?.how, findTask(answered.due, 'landing')]).toEqual(['same-tree', undefined]);
  });
});

describe('a merge queue', () => {
  const QUEUE = `gh-readonly-queue/main/pr-7-${BASE}`;
  const QUEUED = { ...PULL, commit: LANDED, branch: QUEUE, mergeQueue: true };

  test('has landed once its branch points to its commit', async () => {
    const { host, store, repo, sendTwice, build } = await start();
    const stored = await putClosed(store, repo.id, QUEUED);
    await sendTwice(host.deliveries.push(NAME, 'refs/heads/main', LANDED));
    expect((await build(stored.id)).landed).toMatchObject({ branch: 'main', commit: LANDED, how: 'merge-queue' });
  });

  test('has landed once its pull request was merged by its commit', async () => {
    const { host, store, repo, sendTwice, build } = await start();
    const stored = await putClosed(store, repo.id, QUEUED);
    const merge = {
      number: 7,
      headSha: HEAD,
      baseRef: 'main',
      state: 'closed',
      merged: true,
      mergeCommitSha: LANDED,
    } as const;
    host.addPullRequest(NAME, merge);
    await sendTwice(host.deliveries.pullRequest(NAME, 7, { action: 'closed' }));
    expect((await build(stored.id)).landed).toMatchObject({ branch: 'main', how: 'merge-queue' });
  });

  test.each([`refs/heads/${QUEUE}`, 'refs/heads/other', 'refs/tags/main'])('has not by a push to %s', async (ref) => {
    const { host, store, repo, send, build } = await start();
    const stored = await putClosed(store, repo.id, QUEUED);
    await send(host.deliveries.push(NAME, ref, LANDED));
    expect(await build(stored.id)).toEqual(stored);
  });

  test("no other build of the pull request's lands by a push", async () => {
    const { host, store, repo, sendTwice, build } = await start();
    const stored = await putClosed(store, repo.id, PULL);
    await sendTwice(host.deliveries.push(NAME, 'refs/heads/main', HEAD));
    expect(await build(stored.id)).toEqual(stored);
  });
});
