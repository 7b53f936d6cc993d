import { afterEach, describe, expect, test } from 'vitest';
import { accept, putRepo } from '../contract/records.ts';
import { HEAD, type HookScene, NAME, startHookScene } from '../support/hook-scene.ts';

let scene: HookScene | undefined;
afterEach(() => scene?.end());

/** The host has sent an event of its repo: the id is bound. */
async function start(): Promise<HookScene & { readonly id: string; readonly made: number }> {
  scene = await startHookScene();
  await scene.send(scene.host.deliveries.push(NAME, 'refs/heads/main', HEAD));
  const { providerId = '', seen } = await scene.stored();
  return { ...scene, id: providerId, made: seen?.at ?? 0 };
}

const renamed = { repository: { name: { from: 'shop' } } };

describe('a repo follows the events of GitHub', () => {
  test('its id, default branch and visibility, at the first event', async () => {
    scene = await startHookScene();
    const effects = await scene.sendTwice(scene.host.deliveries.push(NAME, 'refs/heads/main', HEAD));
    const { providerId, seen } = await scene.stored();
    expect(providerId).toMatch(/^3\d{9}$/);
    const at = Date.UTC(2026, 0, 1);
    expect(seen).toEqual({ defaultBranch: 'main', visibility: 'public', at, changedAt: at });
    expect(effects).toEqual([
      `the repo is bound to the id ${providerId}`,
      'its default branch is "main"',
      'at GitHub it is public',
    ]);
  });

  test('its name, wherever it goes', async () => {
    const { host, sendTwice, stored, made } = await start();
    host.renameRepo(NAME, 'acme/store');
    const rename = host.deliveries.repository('acme/store', {
      action: 'renamed',
      changes: renamed,
      changedAt: made + 1_000,
    });
    expect(await sendTwice(rename)).toEqual(['the repo is called "acme/store" now']);
    host.renameRepo('acme/store', 'globex/store');
    const changes = { owner: { from: {} } };
    const transfer = host.deliveries.repository('globex/store', {
      action: 'transferred',
      changes,
      changedAt: made + 2_000,
    });
    expect(await sendTwice(transfer)).toEqual(['the repo is called "globex/store" now']);
    expect((await stored()).name).toBe('globex/store');
  });

  test('its name, though its id was not known', async () => {
    scene = await startHookScene();
    const { host, sendTwice, stored } = scene;
    host.renameRepo(NAME, 'acme/store');
    const rename = host.deliveries.repository('acme/store', { action: 'renamed', changes: renamed });
    expect(await sendTwice(rename)).toContain('the repo is called "acme/store" now');
    expect((await stored()).providerId).toMatch(/^3\d{9}$/);
  });

  test('its owner, though its id was not known', async () => {
    scene = await startHookScene();
    const { host, sendTwice, stored } = scene;
    host.renameRepo(NAME, 'globex/shop');
    const { event, payload } = host.deliveries.repository('globex/shop', {
      action: 'transferred',
      changes: { owner: { from: {} } },
    });
    const changes = { owner: { from: { organization: { login: 'acme' } } } };
    expect(await sendTwice({ event, payload: { ...payload, changes } })).toContain(
      'the repo is called "globex/shop" now',
    );
    expect((await stored()).name).toBe('globex/shop');
  });

  test('its default branch and visibility, the newest word alone', async () => {
    const { host, sendTwice, send, stored, made } = await start();
    const changed = (word: { action: string; changedAt: number; private: boolean; branch: string }) => {
      const { event, payload } = host.deliveries.repository(NAME, {
        action: word.action,
        changes: {},
        changedAt: word.changedAt,
      });
      const repository = { ...(payload.repository as object), private: word.private, default_branch: word.branch };
      return { event, payload: { ...payload, repository } };
    };
    const edited = changed({ action: 'edited', changedAt: made + 1_000, private: false, branch: 'trunk' });
    const hidden = changed({ action: 'privatized', changedAt: made + 2_000, private: true, branch: 'trunk' });
    const shown = changed({ action: 'publicized', changedAt: made + 3_000, private: false, branch: 'trunk' });
    expect(await sendTwice(edited)).toEqual(['its default branch is "trunk"']);
    expect(await sendTwice(hidden)).toEqual(['at GitHub it is private']);
    expect((await send(edited)).json.effects).toEqual([]);
    expect((await stored()).seen).toMatchObject({
      defaultBranch: 'trunk',
      visibility: 'private',
      changedAt: made + 2_000,
    });
    expect(await sendTwice(shown)).toEqual(['at GitHub it is public']);
    expect((await send(edited)).json.effects).toEqual([]);
    // Hiding too long does no harm; the host is asked again within the hour.
    expect(await sendTwice(hidden)).toEqual(['at GitHub it is private']);
    expect((await stored()).seen).toMatchObject({ defaultBranch: 'trunk', changedAt: made + 3_000 });
  });

  test('though its clock is behind ours: what was asked of it at our time is no news', async () => {
    const { host, store, repo, sendTwice, stored, made, app } = await start();
    const seen = { defaultBranch: 'main', visibility: 'public', at: app.time.now, changedAt: made } as const;
    await store.repos.follow({ repoId: repo.id, seen, at: app.time.now });
    expect(made + 2_000).toBeLessThan(app.time.now);
    host.renameRepo(NAME, 'acme/store');
    const rename = host.deliveries.repository('acme/store', {
      action: 'renamed',
      changes: renamed,
      changedAt: made + 1_000,
    });
    expect(await sendTwice(rename)).toEqual(['the repo is called "acme/store" now']);
    const { event, payload } = host.deliveries.repository('acme/store', {
      action: 'privatized',
      changedAt: made + 1_000,
    });
    const hidden = { event, payload: { ...payload, repository: { ...(payload.repository as object), private: true } } };
    expect(await sendTwice(hidden)).toEqual(['at GitHub it is private']);
    expect((await stored()).seen?.visibility).toBe('private');
  });

  test('its name, though something else changed in the same second', async () => {
    const { host, sendTwice, made } = await start();
    host.renameRepo(NAME, 'acme/store');
    const rename = host.deliveries.repository('acme/store', { action: 'renamed', changes: renamed, changedAt: made });
    expect(await sendTwice(rename)).toEqual(['the repo is called "acme/store" now']);
  });

  test('what an App was given', async () => {
    scene = await startHookScene();
    const { host, sendTwice, stored } = scene;
    host.addRepo('acme/other');
    const effects = await sendTwice(host.deliveries.reposAdded(['acme/other', NAME]));
    expect(effects).toEqual([`the repo is bound to the id ${(await stored()).providerId}`]);
  });

  test('the name of another repo of ours is not taken; that one is suspended if its name means another', async () => {
    const { host, store, sendTwice, stored, made, id } = await start();
    const other = await putRepo(store, { name: 'acme/store', providerId: '77' });
    host.renameRepo(NAME, 'acme/store');
    const rename = host.deliveries.repository('acme/store', {
      action: 'renamed',
      changes: renamed,
      changedAt: made + 1_000,
    });
    expect(await sendTwice(rename)).toEqual(['the repo "acme/store" is suspended']);
    expect((await stored()).name).toBe(NAME);
    expect((await store.repos.find(other.id))?.suspended).toBe(
      `The name acme/store now belongs to another repo at GitHub (id ${id}, not 77).`,
    );
  });
});

describe('rule 28: a repo is suspended', () => {
  test('once its name means another repo, and no longer once an event names it otherwise', async () => {
    const { host, send, sendTwice, stored, made, id, store, repo } = await start();
    host.renameRepo(NAME, 'acme/old');
    host.addRepo(NAME);
    const created = await send(host.deliveries.repository(NAME, { action: 'created', changedAt: made + 1_000 }));
    expect(created.json).toEqual({
      event: 'repository',
      outcome: 'heard',
      effects: ['the repo "acme/shop" is suspended'],
    });
    expect((await stored()).suspended).toMatch(
      new RegExp(`^The name acme/shop now belongs to another repo at GitHub \\(id \\d+, not ${id}\\)\\.$`),
    );
    // Its builds are not touched by what happens to the other one.
    const { build } = await accept(store, repo.id, { commit: HEAD, mergeQueue: true, pullRequest: 7, branch: 'q' });
    expect((await send(host.deliveries.push(NAME, 'refs/heads/main', HEAD))).json.effects).toEqual([]);
    expect(await store.builds.find(build.id)).toEqual(build);
    const rename = host.deliveries.repository('acme/old', {
      action: 'renamed',
      changes: renamed,
      changedAt: made + 2_000,
    });
    expect(await sendTwice(rename)).toEqual(['the repo is called "acme/old" now', 'it is suspended no more']);
    expect((await stored()).suspended).toBeUndefined();
  });

  test('once it was deleted, and old news does not bring it back', async () => {
    const { host, send, sendTwice, stored, made, app } = await start();
    expect(await sendTwice(host.deliveries.repository(NAME, { action: 'deleted' }))).toEqual([
      'the repo is suspended, since it was deleted',
    ]);
    expect((await stored()).suspended).toBe('It was deleted at GitHub.');
    const late = host.deliveries.repository(NAME, { action: 'publicized', changedAt: made + 1_000 });
    expect((await send(late)).json.effects).toEqual([]);
    const restored = host.deliveries.repository(NAME, { action: 'unarchived', changedAt: app.time.now + 1_000 });
    expect(await sendTwice(restored)).toEqual(['it is suspended no more']);
  });

  test('not by the end of another repo of its name', async () => {
    const { host, send, stored } = await start();
    host.removeRepo(NAME);
    host.addRepo(NAME);
    const { json } = await send(host.deliveries.repository(NAME, { action: 'deleted' }));
    expect([json.outcome, (await stored()).suspended]).toEqual(['unknown-repo', undefined]);
  });
});
