import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type HttpApp, startHttpApp } from '../support/http-app.ts';
import { REPO_DEFAULTS, reposClient } from '../support/repos-client.ts';

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

describe('change', () => {
  test('takes bare fields, use_status, and any subset', async () => {
    const repo = await client.putRepo(alice);
    expect(
      (await client.send('PUT', repo.path, alice, { commit_status_fail_change_threshold: 0.5 })).json.repo,
    ).toMatchObject({
      commit_status_fail_change_threshold: 0.5,
      send_build_status: true,
    });
    expect((await client.send('PUT', repo.path, alice, { repo: { use_status: false } })).json.repo).toMatchObject({
      commit_status_fail_change_threshold: 0.5,
      send_build_status: false,
    });
    expect(
      (await client.send('PUT', repo.path, alice, { commit_status_fail_change_threshold: null })).json.repo,
    ).toMatchObject({
      commit_status_fail_change_threshold: null,
      send_build_status: false,
    });
  });

  test('prefers send_build_status to use_status, and takes null switches as not given', async () => {
    const repo = await client.putRepo(alice);
    expect(
      (await client.send('PUT', repo.path, alice, { send_build_status: false, use_status: true })).json.repo
        .send_build_status,
    ).toBe(false);
    expect((await client.send('PUT', repo.path, alice, { send_build_status: null })).json.repo.send_build_status).toBe(
      false,
    );
    expect(
      (await client.send('PUT', repo.path, alice, { send_build_status: null, use_status: true })).json.repo
        .send_build_status,
    ).toBe(true);
  });

  test('takes what was read, changed, and written back', async () => {
    const repo = await client.putRepo(alice);
    const { json: read } = await client.send('GET', repo.path, alice);
    for (const body of [
      { ...read, comment_on_pull_requests: false },
      { repo: { ...read, comment_on_pull_requests: false } },
    ]) {
      const { status, json } = await client.send('PUT', repo.path, alice, body);
      expect([status, json.repo.comment_on_pull_requests]).toEqual([200, false]);
    }
    expect((await client.send('GET', repo.path, alice)).json.token).toBe(repo.token);
  });

  test('changes nothing when nothing is given', async () => {
    const repo = await client.putRepo(alice);
    app.time.now += 5_000;
    const { status, json } = await client.send('PUT', repo.path, alice, {});
    app.time.now -= 5_000;
    expect([status, json.repo.updated_at]).toEqual([200, REPO_DEFAULTS.updated_at]);
    expect((await client.send('PUT', repo.path, alice)).status).toBe(200);
  });

  test.each([
    [{ threshold: 1 }, '"threshold" is unknown (known: '],
    [{ repo: { threshold: 1 } }, '"repo.threshold" is unknown (known: service, name, '],
    [{ repo: {}, use_status: true }, 'Unknown next to repo: "use_status"'],
    [
      { commit_status_fail_threshold: '80' },
      'commit_status_fail_threshold must be a number from 0 to 100, or null, not "80".',
    ],
    [{ use_status: 'no' }, 'use_status must be true or false, not "no".'],
    [[1], 'The body is not a JSON object: it must begin with {.'],
  ])('refuses %j and keeps everything', async (body, sentence) => {
    const repo = await client.putRepo(alice);
    const { status, json } = await client.send('PUT', repo.path, alice, body);
    expect(status).toBe(422);
    expect(json.message).toContain(sentence);
    expect((await client.send('GET', repo.path, alice)).json).toMatchObject(REPO_DEFAULTS);
  });

  test('is closed to strangers: 404 for a private repo, 403 for a public one', async () => {
    const repo = await client.putRepo(alice);
    const attempts = [
      ['PUT', repo.path, { use_status: false }],
      ['DELETE', repo.path, undefined],
      ['POST', `${repo.path}/token`, {}],
    ] as const;
    for (const [method, path, body] of attempts) expect((await client.send(method, path, bob, body)).status).toBe(404);
    await client.makePublic(repo.id);
    for (const [method, path, body] of attempts) {
      const { status, json } = await client.send(method, path, bob, body);
      expect(status).toBe(403);
      expect(json.message).toContain('only its owner and administrators can');
    }
    expect((await client.send('GET', repo.path, alice)).json).toMatchObject({
      send_build_status: true,
      token: repo.token,
    });
  });
});

describe('a new token', () => {
  const known = (token: string) => app.store.repos.findByToken(app.secrets.lookups(token), app.time.now);

  test('replaces the old one at once', async () => {
    const repo = await client.putRepo(alice);
    expect(await known(repo.token)).toMatchObject({ id: repo.id });
    const { status, json } = await client.send('POST', `${repo.path}/token`, alice);
    expect(status).toBe(201);
    expect(json).toEqual({ token: expect.stringMatching(/^cvr_\w{43}$/), old_token_valid_until: null });
    expect(json.token).not.toBe(repo.token);
    expect(await known(repo.token)).toBeUndefined();
    expect(await known(json.token)).toMatchObject({ id: repo.id });
    expect((await client.send('GET', repo.path, alice)).json.token).toBe(json.token);
  });

  test('leaves the old one its grace period', async () => {
    const repo = await client.putRepo(alice);
    const { json } = await client.send('POST', `${repo.path.replace('/v1', '')}/token`, alice, { grace_period: '24h' });
    expect(json.old_token_valid_until).toBe('2026-01-03T03:04:05Z');
    expect(await known(repo.token)).toMatchObject({ id: repo.id });
    app.time.now += 86_400_001;
    expect(await known(repo.token)).toBeUndefined();
    expect(await known(json.token)).toMatchObject({ id: repo.id });
    app.time.now -= 86_400_001;
  });

  test.each([
    { grace_period: 24 },
    { grace_period: '24' },
    { grace_period: '91d' },
    { grace_period: null },
    { grace: '1h' },
  ])('refuses %j and keeps the old one', async (body) => {
    const repo = await client.putRepo(alice);
    const { status, json } = await client.send('POST', `${repo.path}/token`, alice, body);
    expect(status).toBe(422);
    expect(json.message).toContain('grace');
    expect(await known(repo.token)).toMatchObject({ id: repo.id });
  });
});
