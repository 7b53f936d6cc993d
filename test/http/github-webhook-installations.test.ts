import { afterEach, describe, expect, test } from 'vitest';
import type { Repo } from '../../server/src/core/repo/repo.ts';
import { accept, close, MINUTE, putRepo, say, status, T0 } from '../contract/records.ts';
import { APP, publicKey } from '../support/github-app-scene.ts';
import type { InstallationRecord } from '../support/github-stand-in/apps.ts';
import { HEAD, type HookScene, NAME, startHookScene } from '../support/hook-scene.ts';

let scene: HookScene | undefined;
afterEach(() => scene?.end());

const installed: InstallationRecord = {
  id: 55,
  app: { id: APP, slug: 'coverage', publicKey },
  owner: 'acme',
  repos: undefined,
  access: 'write',
  suspendedAt: undefined,
  createdAt: Date.UTC(2026, 0, 1),
};
const selected = { ...installed, repos: [NAME] };
const foreign = { ...installed, app: { ...installed.app, id: 99 } };

/** Repos of two owners; `acme/other` is one that GitHub's lists may leave out. */
async function start(app: number | null = APP) {
  scene = await startHookScene(app === null ? {} : { app });
  const { host, store } = scene;
  for (const name of ['acme/other', 'globex/shop']) host.addRepo(name);
  const other = await putRepo(store, { name: 'Acme/Other' });
  const stranger = await putRepo(store, { name: 'globex/shop' });
  const lossOf = async ({ id }: Repo) => (await store.repos.find(id))?.accessLost?.how;
  return { ...scene, other, stranger, lossOf };
}

describe('our App loses', () => {
  test.each([
    ['deleted', 'uninstalled'],
    ['suspend', 'suspended'],
  ] as const)('every repo of an owner whose installation is %s, listed or not', async (action, how) => {
    const { host, sendTwice, lossOf, repo, other, stranger, forgotten, stored, app } = await start();
    const at = app.time.now;
    expect(await sendTwice(host.deliveries.installation(installed, action, [NAME]))).toEqual([
      `the App may not reach "acme/shop" any more (${how})`,
      `the App may not reach "Acme/Other" any more (${how})`,
    ]);
    expect((await stored()).accessLost).toEqual({ appId: APP, how, at });
    expect([await lossOf(repo), await lossOf(other), await lossOf(stranger)]).toEqual([how, how, undefined]);
    // At once, and for what is repeated too: another process may have looked it up in the meantime.
    expect(forgotten()).toEqual([55, 55]);
  });

  test('more repos than are looked at one by one: they are found by their owner', async () => {
    const { host, send, lossOf, repo, other } = await start();
    const delivery = host.deliveries.installation(installed, 'deleted', [NAME]);
    const listed = Array.from({ length: 5_001 }, (_, id) => ({
      id: id + 1_000,
      full_name: `acme/shop-${id}`,
      private: true,
    }));
    expect(await send({ ...delivery, payload: { ...delivery.payload, repositories: listed } })).toMatchObject({
      status: 200,
    });
    expect([await lossOf(repo), await lossOf(other)]).toEqual(['uninstalled', 'uninstalled']);
  });

  test('a repo that is taken out of its installation, by whatever name it is known here', async () => {
    const { host, send, sendTwice, lossOf, repo, other } = await start();
    await send(host.deliveries.push(NAME, 'refs/heads/main', HEAD));
    host.renameRepo(NAME, 'acme/store');
    expect(await sendTwice(host.deliveries.reposRemoved(['acme/store'], selected))).toEqual([
      'the App may not reach "acme/shop" any more (deselected)',
    ]);
    expect([await lossOf(repo), await lossOf(other)]).toEqual(['deselected', undefined]);
  });

  test('nothing when all becomes a selection: GitHub lists none then', async () => {
    const { host, send, lossOf, repo, forgotten } = await start();
    expect((await send(host.deliveries.reposRemoved([], selected))).json.effects).toEqual([]);
    expect([await lossOf(repo), forgotten()]).toEqual([undefined, [55]]);
  });

  test('no other repo that took the name', async () => {
    const { host, send, lossOf, repo } = await start();
    await send(host.deliveries.push(NAME, 'refs/heads/main', HEAD));
    host.renameRepo(NAME, 'acme/store');
    host.addRepo(NAME);
    await send(host.deliveries.reposRemoved([NAME], selected));
    expect(await lossOf(repo)).toBeUndefined();
  });
});

describe('our App gets back', () => {
  test.each([
    ['all of an owner, by being installed for all', installed, ['acme/shop', 'Acme/Other']],
    ['what is selected, by being installed for that', selected, ['acme/shop']],
  ] as const)('%s', async (_, by, names) => {
    const { host, send, sendTwice, lossOf, repo, other, forgotten } = await start();
    await send(host.deliveries.installation(installed, 'deleted', []));
    const effects = await sendTwice(host.deliveries.installation(by, 'created', [NAME]));
    expect(effects.filter((effect) => effect.includes('again'))).toEqual(
      names.map((name) => `the App may reach "${name}" again`),
    );
    expect([await lossOf(repo), await lossOf(other)]).toEqual([
      undefined,
      names.length === 2 ? undefined : 'uninstalled',
    ]);
    expect(forgotten()).toEqual([55, 55, 55]);
  });

  test('what was suspended, but not what is not selected', async () => {
    const { host, send, sendTwice, lossOf, repo, other } = await start();
    await send(host.deliveries.reposRemoved(['acme/other'], selected));
    await send(host.deliveries.installation(selected, 'suspend'));
    expect([await lossOf(repo), await lossOf(other)]).toEqual(['suspended', 'deselected']);
    expect(await sendTwice(host.deliveries.installation(selected, 'unsuspend'))).toEqual([
      'the App may reach "acme/shop" again',
    ]);
    expect([await lossOf(repo), await lossOf(other)]).toEqual([undefined, 'deselected']);
    expect(await sendTwice(host.deliveries.reposAdded(['acme/other'], selected))).toContain(
      'the App may reach "acme/other" again',
    );
    expect(await lossOf(other)).toBeUndefined();
  });

  test.each(['created', 'unsuspend', 'new_permissions_accepted'] as const)(
    'what it had given up: %s',
    async (action) => {
      const { host, send, store, repo, stranger, resumed } = await start();
      for (const { id } of [repo, stranger]) {
        const { build } = await accept(store, id, { commit: HEAD });
        await close(store, build, { messages: [say(status('success'))], target: HEAD });
      }
      const due = { at: T0 + MINUTE, lease: MINUTE, limit: 10 };
      for (const { id } of await store.outbox.claim(due))
        await store.outbox.giveUp({ id, version: 1, reason: 'No access.' });
      expect(await store.outbox.nextDueAt()).toBeUndefined();
      await send(host.deliveries.installation(installed, action));
      expect((await store.outbox.claim(due)).map(({ repoId }) => repoId)).toEqual([repo.id]);
      expect(resumed()).toBe(1);
    },
  );
});

describe('nothing changes', () => {
  test.each([
    ['by a foreign App', APP, foreign],
    ['where the server signs in by a token', null, installed],
  ] as const)('%s', async (_, app, by) => {
    const { host, store, send, stored, forgotten, resumed } = await start(app);
    const before = await stored();
    for (const delivery of [
      host.deliveries.installation(by, 'deleted', [NAME]),
      host.deliveries.installation(by, 'suspend', [NAME]),
      host.deliveries.reposRemoved([NAME], by),
      host.deliveries.ownerRenamed(by, 'acme', 'acme-group'),
    ])
      expect((await send(delivery)).json.effects).toEqual([]);
    expect(await stored()).toEqual(before);
    const accessLost = { appId: APP, how: 'uninstalled', at: 1 } as const;
    await store.repos.follow({ repoId: before.id, accessLost, at: 1 });
    await send(host.deliveries.installation(by, 'created', [NAME]));
    expect((await stored()).accessLost).toEqual(accessLost);
    expect([forgotten(), resumed()]).toEqual([[], 0]);
  });
});

describe('an owner’s new name', () => {
  test('is followed by all of its repos', async () => {
    const { host, store, sendTwice, stored, other, stranger } = await start();
    expect(await sendTwice(host.deliveries.ownerRenamed(installed, 'Acme', 'acme-group'))).toEqual([
      'the repo is called "acme-group/Other" now',
      'the repo is called "acme-group/shop" now',
    ]);
    expect((await stored()).name).toBe('acme-group/shop');
    expect((await store.repos.find(other.id))?.name).toBe('acme-group/Other');
    expect((await store.repos.find(stranger.id))?.name).toBe('globex/shop');
  });

  test('is not taken where another of ours has it', async () => {
    const { host, store, send, stored } = await start();
    await putRepo(store, { name: 'acme-group/shop' });
    expect((await send(host.deliveries.ownerRenamed(installed, 'acme', 'acme-group'))).json.effects).toEqual([
      'the repo is called "acme-group/Other" now',
    ]);
    expect((await stored()).name).toBe(NAME);
  });

  test.each(['..', 'a/b', 'a b', ''])('is not followed to %j', async (to) => {
    const { host, send, stored } = await start();
    const { payload, ...delivery } = host.deliveries.ownerRenamed(installed, 'acme', 'acme-group');
    const { json } = await send({ ...delivery, payload: { ...payload, account: { login: to } } });
    expect(json.effects ?? []).toEqual([]);
    expect((await stored()).name).toBe(NAME);
  });
});

test('what does not fit is refused, with what was seen', async () => {
  const { host, send } = await start();
  const { payload, ...delivery } = host.deliveries.installation(installed, 'deleted', []);
  const wrong = await send({ ...delivery, payload: { ...payload, installation: { id: 'x', app_id: APP } } });
  expect(wrong).toMatchObject({
    status: 422,
    json: { message: expect.stringContaining('installation.id must be a whole number') },
  });
});
