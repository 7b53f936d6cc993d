import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Build } from '../../server/src/core/builds/build.ts';
import { findTask } from '../../server/src/core/builds/due-tasks.ts';
import { accept, close, putClosed, result } from '../contract/records.ts';
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

const exclude = (build: Build, excluded: unknown = true, token: string | undefined = alice) =>
  client.send('PUT', `/api/v1/builds/${build.id}/base`, token, { excluded });
const stored = async ({ id }: Build): Promise<Build> => (await app.store.builds.find(id)) as Build;
const basesOf = (repo: MadeRepo) =>
  app.store.builds.bases({ repoId: repo.id, scope: { branch: 'main' }, before: undefined, limit: 5 });

let numbers = 0;
function putBuild(
  repo: MadeRepo,
  found: Parameters<typeof putClosed>[3] = {},
  stated: Parameters<typeof putClosed>[2] = {},
) {
  numbers += 1;
  return putClosed(
    app.store,
    repo.id,
    { branch: 'main', serviceNumber: String(numbers), commit: sha('b'), ...stated },
    found,
  );
}

describe('an administrator', () => {
  test('takes a build out of the bases, and back', async () => {
    const repo = await client.putRepo(alice);
    const build = await putBuild(repo);
    const { status, json } = await exclude(build);
    const at = new Date(app.time.now).toISOString();
    expect([status, json]).toEqual([
      200,
      { id: String(build.id), excluded: true, excluded_by: 'alice', excluded_at: at },
    ]);
    expect(await basesOf(repo)).toEqual([]);
    expect((await exclude(build, false)).json).toMatchObject({ excluded: false, excluded_by: null, excluded_at: null });
    expect((await basesOf(repo)).map(({ id }) => id)).toEqual([build.id]);
  });

  test('is told of the first time when it is asked twice', async () => {
    const repo = await client.putRepo(alice);
    const build = await putBuild(repo);
    const first = (await exclude(build)).json;
    const after = await stored(build);
    app.time.now += 60_000;
    expect((await exclude(build, true, ADMIN_TOKEN)).json).toEqual(first);
    expect((await stored(build)).excludedAsBase).toEqual(after.excludedAsBase);
  });

  test('has the builds compared again that had it as their base, or would have', async () => {
    const repo = await client.putRepo(alice);
    const base = await putBuild(repo);
    const pick = {
      buildId: base.id,
      number: base.number,
      commit: base.commit,
      branch: 'main',
      rule: 'base-branch',
    } as const;
    const taken = { base: { ...pick, commitsAway: undefined, closeCount: 1 } };
    const dependent = await putBuild(repo, taken, { pullRequest: 7, commit: sha('c') });
    const { build: waiting } = await accept(app.store, repo.id, {
      pullRequest: 8,
      commit: sha('d'),
      serviceNumber: 'w',
    });
    await close(app.store, waiting, { result: result(), after: { missingBases: [`commit:${base.commit}`] } });
    const due = app.state.due;
    await exclude(base);
    expect(findTask((await stored(dependent)).due, 'revisit')?.at).toBe(app.time.now);
    expect(app.state.due).toBeGreaterThan(due);
    await exclude(base, false);
    expect(findTask((await stored(waiting)).due, 'revisit')?.at).toBe(app.time.now);
  });
});

describe('refused', () => {
  test.each([
    [{}, 'excluded is missing; it must be true or false.'],
    [{ excluded: 'yes' }, 'excluded must be true or false, not "yes".'],
    [{ excluded: null }, 'excluded must be true or false, not null.'],
    [{ excluded: true, reason: 'x' }, '"reason" is unknown (known: excluded).'],
    [[true], 'The body is not a JSON object: it must begin with {.'],
  ])('%j', async (body, sentence) => {
    const repo = await client.putRepo(alice);
    const build = await putBuild(repo);
    const { status, json } = await client.send('PUT', `/api/v1/builds/${build.id}/base`, alice, body);
    expect([status, json.message]).toEqual([422, sentence]);
    expect((await stored(build)).excludedAsBase).toBeUndefined();
  });

  test('anybody who may not administer the repo', async () => {
    const repo = await client.putRepo(alice);
    const build = await putBuild(repo);
    expect((await client.send('PUT', `/api/v1/builds/${build.id}/base`, undefined, { excluded: true })).status).toBe(
      401,
    );
    expect((await exclude(build, true, repo.token)).status).toBe(401);
    expect((await exclude(build, true, bob)).status).toBe(404);
    await client.makePublic(repo.id);
    expect((await exclude(build, true, bob)).status).toBe(403);
    expect((await stored(build)).excludedAsBase).toBeUndefined();
    expect((await exclude(build, true, ADMIN_TOKEN)).status).toBe(200);
  });

  test.each(['0', '99999999', 'latest', sha('b'), '1e3'])('there is no build %s', async (id) => {
    expect((await client.send('PUT', `/api/v1/builds/${id}/base`, alice, { excluded: true })).status).toBe(404);
  });
});
