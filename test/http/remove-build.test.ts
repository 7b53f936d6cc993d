import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Build } from '../../server/src/core/builds/build.ts';
import { findTask } from '../../server/src/core/builds/due-tasks.ts';
import { accept, putClosed } from '../contract/records.ts';
import { ADMIN_TOKEN, type HttpApp, startHttpApp } from '../support/http-app.ts';
import { sha } from '../support/records.ts';
import { type MadeRepo, reposClient } from '../support/repos-client.ts';

let app: HttpApp;
let client: ReturnType<typeof reposClient>;
let alice: string;
let bob: string;
beforeAll(async () => {
  app = await startHttpApp();
  client = reposClient(app);
  alice = await app.tokenOf('alice');
  bob = await app.tokenOf('bob');
});
afterAll(() => app.stop());

const remove = ({ id }: Pick<Build, 'id'>, token: string | undefined = alice) =>
  client.send('DELETE', `/api/v1/builds/${id}`, token);
const listed = (token: string | undefined) => client.send('GET', '/api/v1/builds/set-aside', token);

const putBase = (repo: MadeRepo) => putClosed(app.store, repo.id, { branch: 'main', commit: sha('b') });

/** A build that was set aside: as many closes began as it may have, and none was written. */
async function putSetAside(repo: MadeRepo): Promise<Build> {
  const { build } = await accept(app.store, repo.id, { parallel: false });
  const revise = (kind: 'attempt' | 'attempt-failed') =>
    app.store.builds.revise({ buildId: build.id, revision: { kind, at: app.time.now, reason: 'The disk is full.' } });
  for (let attempt = 1; attempt <= 10; attempt += 1) await revise('attempt');
  return (await revise('attempt-failed')) as Build;
}

describe('an administrator removes a build', () => {
  test('with its jobs, and those that had it as their base are evaluated again', async () => {
    const repo = await client.putRepo(alice);
    const base = await putBase(repo);
    const pick = { buildId: base.id, number: base.number, commit: base.commit, branch: 'main', rule: 'base-branch' };
    const taken = { base: { ...pick, rule: 'base-branch' as const, commitsAway: undefined, closeCount: 1 } };
    const dependent = await putClosed(app.store, repo.id, { pullRequest: 7, commit: sha('c') }, taken);
    const due = app.state.due;
    expect((await remove(base)).status).toBe(204);
    expect(await app.store.builds.find(base.id)).toBeUndefined();
    expect(await app.store.jobs.ofBuild(base.id)).toEqual([]);
    expect(findTask((await app.store.builds.find(dependent.id))?.due ?? [], 'revisit')?.at).toBe(app.time.now);
    expect(app.state.due).toBeGreaterThan(due);
    expect((await remove(base)).status).toBe(404);
  });

  test('nobody else does', async () => {
    const repo = await client.putRepo(alice);
    const build = await putBase(repo);
    expect((await client.send('DELETE', `/api/v1/builds/${build.id}`, undefined)).status).toBe(401);
    expect((await remove(build, repo.token)).status).toBe(401);
    expect((await remove(build, bob)).status).toBe(404);
    await client.makePublic(repo.id);
    expect((await remove(build, bob)).status).toBe(403);
    expect((await app.store.builds.find(build.id))?.excludedAsBase).toBeUndefined();
    expect((await remove(build, ADMIN_TOKEN)).status).toBe(204);
  });
});

test('builds that were set aside are listed for administrators alone, with the reason', async () => {
  const repo = await client.putRepo(alice);
  const build = await putSetAside(repo);
  const { status, json } = await listed(ADMIN_TOKEN);
  const at = new Date(app.time.now).toISOString();
  expect([status, json]).toEqual([
    200,
    {
      builds: [
        {
          id: String(build.id),
          url: expect.stringContaining(`/builds/${build.id}`),
          number: build.number,
          service: repo.service,
          repo_name: repo.name,
          set_aside: { at, attempts: 10, reason: 'The disk is full.' },
        },
      ],
    },
  ]);
  const asideNow = async () => (await app.store.measure(app.time.now)).builds['set-aside'];
  expect(await asideNow()).toBe(1);
  expect((await listed(alice)).status).toBe(403);
  expect((await listed(undefined)).status).toBe(401);
  await remove(build);
  expect((await listed(ADMIN_TOKEN)).json).toEqual({ builds: [] });
  expect(await asideNow()).toBe(0);
});
