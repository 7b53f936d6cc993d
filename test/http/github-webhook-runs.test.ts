import { afterEach, describe, expect, test } from 'vitest';
import { accept, putClosed } from '../contract/records.ts';
import { BASE, HEAD, type HookScene, MERGE, NAME, startHookScene } from '../support/hook-scene.ts';
import { aFlag, totals } from '../support/records.ts';

let scene: HookScene | undefined;
afterEach(() => scene?.end());

async function start(): Promise<HookScene> {
  scene = await startHookScene();
  return scene;
}

const PULL = { pullRequest: 7, commit: HEAD, branch: 'fix', baseBranch: 'main' };
const FIX = { headSha: HEAD, headBranch: 'change-7', event: 'pull_request' } as const;

/** A run that ended. */
function addRun({ host }: HookScene, stated: Partial<Parameters<HookScene['host']['addRun']>[1]> = {}) {
  return host.addRun(NAME, { ...FIX, status: 'completed', ...stated });
}

const CLOSE_DUE = expect.arrayContaining([{ kind: 'close', by: 'provider', at: expect.any(Number) }]);
const REVISIT_DUE = [{ kind: 'revisit', at: expect.any(Number) }];

describe('a run that ended', () => {
  test.each([
    ['success', 'success'],
    ['neutral', 'success'],
    ['failure', 'failure'],
    ['timed_out', 'failure'],
    ['startup_failure', 'failure'],
    ['cancelled', 'cancelled'],
    ['stale', 'cancelled'],
    ['skipped', 'skipped'],
  ] as const)('closes its builds: %s', async (conclusion, expected) => {
    const started = await start();
    const { host, store, repo, sendTwice, build, due } = started;
    const run = addRun(started, { conclusion });
    const open = (await accept(store, repo.id, { ...PULL, serviceNumber: String(run.id) })).build;
    const effects = await sendTwice(host.deliveries.runCompleted(NAME, run));
    expect(effects.at(-1)).toBe(`build ${run.id} is closed: its run ended (${expected})`);
    expect(await build(open.id)).toMatchObject({ runConclusion: expected, due: CLOSE_DUE });
    expect(due()).toBeGreaterThan(0);
  });

  test('leaves alone what it did not build', async () => {
    const started = await start();
    const { host, store, repo, sendTwice, build } = started;
    const run = addRun(started);
    const others = [
      (await accept(store, repo.id, { ...PULL, serviceNumber: '7' })).build,
      (await accept(store, repo.id, { ...PULL, serviceNumber: String(run.id), serviceName: 'jenkins' })).build,
    ];
    await sendTwice(host.deliveries.runCompleted(NAME, run));
    expect(await Promise.all(others.map(({ id }) => build(id)))).toEqual(others);
  });

  test('judges a build again that has missing flags, and one whose run was repeated', async () => {
    const started = await start();
    const { host, store, repo, sendTwice, build } = started;
    const run = addRun(started, { conclusion: 'failure' });
    const flags = [aFlag('e2e', { kind: 'missing' })];
    const stored = await putClosed(
      store,
      repo.id,
      { ...PULL, serviceNumber: String(run.id) },
      { flags, closedBy: 'webhook' },
    );
    await sendTwice(host.deliveries.runCompleted(NAME, run));
    expect(await build(stored.id)).toMatchObject({ runConclusion: 'failure', due: REVISIT_DUE });
    const again = addRun(started, { id: run.id, attempt: 2, conclusion: 'success' });
    await sendTwice(host.deliveries.runCompleted(NAME, again));
    expect((await build(stored.id)).runConclusion).toBe('success');
  });

  test.each([
    ['its id and attempt', (id: number) => ({ serviceNumber: `${id}-1` })],
    ['the id of its job', (id: number) => ({ serviceNumber: '42', serviceJobId: String(id) })],
    ['the id of its job alone', (id: number) => ({ serviceNumber: undefined, serviceJobId: String(id) })],
  ])('closes a build that names it by %s', async (_, stated) => {
    const started = await start();
    const { host, store, repo, sendTwice, build } = started;
    const run = addRun(started);
    const open = (await accept(store, repo.id, { ...PULL, ...stated(run.id) })).build;
    await sendTwice(host.deliveries.runCompleted(NAME, run));
    expect(await build(open.id)).toMatchObject({ runConclusion: 'success', due: CLOSE_DUE });
  });

  test('does not go back to an earlier attempt, however late or often its event comes', async () => {
    const started = await start();
    const { host, store, repo, send, sendTwice, build } = started;
    const run = addRun(started, { conclusion: 'failure' });
    const first = host.deliveries.runCompleted(NAME, run);
    const flags = [aFlag('e2e', { kind: 'missing' })];
    const stored = await putClosed(
      store,
      repo.id,
      { ...PULL, serviceNumber: String(run.id) },
      { flags, closedBy: 'webhook' },
    );
    await sendTwice(first);
    const again = addRun(started, { id: run.id, attempt: 2, conclusion: 'success' });
    await sendTwice(host.deliveries.runCompleted(NAME, again));
    expect((await send(first)).json.effects).toEqual([]);
    expect(await build(stored.id)).toMatchObject({ runConclusion: 'success', runAttempt: 2 });
  });

  test('leaves alone a build that its CI has closed, with all that there is', async () => {
    const started = await start();
    const { host, store, repo, sendTwice, build } = started;
    const run = addRun(started);
    const stored = await putClosed(store, repo.id, { ...PULL, serviceNumber: String(run.id) }, { closedBy: 'webhook' });
    await sendTwice(host.deliveries.runCompleted(NAME, run));
    expect(await build(stored.id)).toEqual(stored);
  });
});

async function emptyBuilds({ store, repo }: HookScene) {
  const { builds } = await store.builds.list({ repoId: repo.id, branch: undefined, offset: 0, limit: 100 });
  return builds.filter((build) => build.jobs === 0);
}

describe('a run that brought no coverage', () => {
  /** A workflow that brought coverage once, and a base. */
  async function startReporting(): Promise<HookScene> {
    const started = await start();
    const { host, store, repo, send } = started;
    const first = addRun(started, { headSha: BASE, headBranch: 'main', event: 'push' });
    await putClosed(store, repo.id, { commit: BASE, branch: 'main', serviceNumber: String(first.id) });
    await send(host.deliveries.runCompleted(NAME, first));
    return started;
  }

  test('is answered for, where its workflow usually brings some', async () => {
    const started = await startReporting();
    const { host, sendTwice, store, repo, app } = started;
    const run = addRun(started, { conclusion: 'failure' });
    const at = app.time.now;
    const effects = await sendTwice(host.deliveries.runCompleted(NAME, run));
    expect(effects).toEqual([`build ${run.id} answers for the run, which brought no coverage`]);
    const [build, ...others] = await store.builds.ofServiceNumber(repo.id, String(run.id), 5);
    expect(others).toEqual([]);
    expect(build).toMatchObject({
      serviceName: 'github',
      eventType: 'pull_request',
      commit: HEAD,
      branch: 'change-7',
      pullRequest: 7,
      baseBranch: 'main',
      trust: 'provider',
      buildUrl: `https://github.com/acme/shop/actions/runs/${run.id}`,
      jobs: 0,
      state: 'open',
      due: [{ kind: 'close', by: 'provider', at }],
      emptyBecause: 'none-came',
    });
    // A job that comes after all joins it.
    const { build: joined } = await accept(store, repo.id, { ...PULL, serviceNumber: String(run.id) });
    expect([joined.id, joined.jobs]).toEqual([build?.id, 1]);
  });

  test.each<[string, (started: HookScene) => Promise<object> | object]>([
    ['its workflow never brought any', () => ({ workflow: 5 })],
    ['it is a fork’s', () => ({ run: { headRepo: 'mallory/shop' } })],
    ['it has no pull request', () => ({ run: { headSha: BASE, headBranch: 'other' } })],
    [
      'its pull request has another head by now',
      ({ host }) => {
        host.addPullRequest(NAME, { number: 7, headSha: 'e'.repeat(40), baseRef: 'main', mergeCommitSha: MERGE });
        return {};
      },
    ],
    ['it was started by a clock', () => ({ run: { event: 'schedule', headBranch: 'main' } })],
    [
      'its commit has a build',
      async ({ store, repo }) => {
        await accept(store, repo.id, { ...PULL, serviceNumber: '5' });
        return {};
      },
    ],
    [
      'its base brings none any more',
      async ({ store, repo }) => {
        for (const serviceNumber of ['1', '2', '3', '4', '5']) {
          await putClosed(
            store,
            repo.id,
            { branch: 'main', commit: `${serviceNumber}`.repeat(40), serviceNumber },
            { totals: totals(0, 0) },
          );
        }
        return {};
      },
    ],
  ])('needs no answer: %s', async (_, prepare) => {
    const started = await startReporting();
    const { run = {}, ...options } = (await prepare(started)) as { run?: object; workflow?: number };
    const { status, json } = await started.send(
      started.host.deliveries.runCompleted(NAME, addRun(started, run), options),
    );
    expect([status, json.effects]).toEqual([200, []]);
    expect(await emptyBuilds(started)).toEqual([]);
  });

  test('needs none where nothing was ever measured', async () => {
    const started = await start();
    await started.send(started.host.deliveries.runCompleted(NAME, addRun(started)));
    expect(await emptyBuilds(started)).toEqual([]);
  });
});
