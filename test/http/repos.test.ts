import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { RepoService } from '../../server/src/domain/repo/repo.ts';
import { putClosed } from '../contract/records.ts';
import { ADMIN_TOKEN, type HttpApp, jsonRequest, startHttpApp } from '../support/http-app.ts';

let app: HttpApp;
let alice: string;
let bob: string;
beforeAll(async () => {
  app = await startHttpApp();
  alice = await app.tokenOf('alice');
  bob = await app.tokenOf('bob');
});
afterAll(() => app.stop());

let made = 0;
const newName = (): string => `acme/app-${++made}`;

async function send(method: string, path: string, token: string | undefined, body?: unknown) {
  const response = await app.fetch(path, jsonRequest(method, token, body));
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, json: text === '' ? undefined : JSON.parse(text) };
}

/** A repo of alice's, made through the API. */
async function putRepo(repo: object = {}, token = alice) {
  const name = newName();
  const { status, json } = await send('POST', '/api/v1/repos', token, { repo: { service: 'manual', name, ...repo } });
  expect(status, JSON.stringify(json)).toBe(201);
  return { ...json.repo, path: `/api/v1/repos/${json.repo.service}/${json.repo.name}` } as Record<string, unknown> & {
    id: number;
    name: string;
    token: string;
    path: string;
  };
}

async function makePublic(repoId: number): Promise<void> {
  await app.store.repos.update({ repoId, settings: { visibility: 'public' }, at: app.time.now });
}

const DEFAULTS = {
  comment_on_pull_requests: true,
  send_build_status: true,
  commit_status_fail_threshold: null,
  commit_status_fail_change_threshold: null,
  created_at: '2026-01-02T03:04:05Z',
  updated_at: '2026-01-02T03:04:05Z',
};

describe.each(['/api/v1/repos', '/api/repos'])('%s', (base) => {
  test('creates, reads, changes and deletes a repo', async () => {
    const name = newName();
    const created = await send('POST', base, alice, { repo: { service: 'manual', name } });
    expect(created.status).toBe(201);
    expect(created.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(created.json).toEqual({
      repo: { service: 'manual', name, ...DEFAULTS, id: expect.any(Number), token: expect.stringMatching(/^cvr_\w{43}$/) },
    });
    const { id, token } = created.json.repo;

    const read = await send('GET', `${base}/manual/${name}`, alice);
    expect(read.status).toBe(200);
    expect(read.json).toEqual({ service: 'manual', name, ...DEFAULTS, id, has_badge: false, token, warnings: [] });

    app.time.now += 60_000;
    const changed = await send('PUT', `${base}/manual/${name}`, alice, { repo: { commit_status_fail_threshold: 66.67 } });
    expect(changed.status).toBe(200);
    expect(changed.json).toEqual({
      repo: { service: 'manual', name, ...DEFAULTS, commit_status_fail_threshold: 66.67, updated_at: '2026-01-02T03:05:05Z' },
    });
    app.time.now -= 60_000;

    const deleted = await send('DELETE', `${base}/manual/${name}`, alice);
    expect([deleted.status, deleted.text]).toEqual([204, '']);
    expect((await send('GET', `${base}/manual/${name}`, alice)).status).toBe(404);
    expect((await send('DELETE', `${base}/manual/${name}`, alice)).status).toBe(404);
  });
});

describe('create', () => {
  test('takes every setting', async () => {
    const repo = await putRepo({
      comment_on_pull_requests: false,
      send_build_status: false,
      commit_status_fail_threshold: 0,
      commit_status_fail_change_threshold: 100,
    });
    expect(repo).toMatchObject({
      comment_on_pull_requests: false,
      send_build_status: false,
      commit_status_fail_threshold: 0,
      commit_status_fail_change_threshold: 100,
    });
  });

  test('takes null switches as not given, and ignores what only answers hold', async () => {
    const readOnly = { id: 9_999, token: 'mine', has_badge: true, warnings: ['x'], created_at: '1999', updated_at: null };
    const repo = await putRepo({ send_build_status: null, comment_on_pull_requests: null, ...readOnly });
    expect(repo).toMatchObject({ send_build_status: true, comment_on_pull_requests: true, created_at: DEFAULTS.created_at });
    expect(repo.id).not.toBe(9_999);
    expect(repo.token).toMatch(/^cvr_/);
  });

  test.each<[RepoService, string]>([
    ['github', 'acme/web.site'],
    ['gitlab', 'group/sub/deep/app'],
    ['stash', '~alice/app'],
    ['bitbucket', 'acme/app_1'],
  ])('takes the %s name %s, which its own path finds again', async (service, name) => {
    const { status, json } = await send('POST', '/api/v1/repos', ADMIN_TOKEN, { repo: { service, name } });
    expect([status, json.repo?.name]).toEqual([201, name]);
    expect((await send('GET', `/api/v1/repos/${service}/${name}`, ADMIN_TOKEN)).json.name).toBe(name);
    expect((await send('GET', `/api/repos/${service}/${name}/`, ADMIN_TOKEN)).json.name).toBe(name);
    expect((await send('GET', `/api/repos/${service}/${encodeURIComponent(name)}`, ADMIN_TOKEN)).json.name).toBe(name);
  });

  test('lets only administrators make a repo of a real provider, and says why (rule 28)', async () => {
    const repo = { service: 'github', name: newName() };
    const refused = await send('POST', '/api/v1/repos', alice, { repo });
    expect(refused.status).toBe(403);
    expect(refused.json).toEqual({
      message: expect.stringContaining('Only an administrator can make a github repo'),
      error: true,
    });
    expect(await app.store.repos.findByName('github', repo.name)).toBeUndefined();
    const chief = await app.tokenOf('carol', 'administrator');
    expect((await send('POST', '/api/v1/repos', chief, { repo })).status).toBe(201);
  });

  test('refuses a name that is taken, whatever its case', async () => {
    const { name, token } = await putRepo();
    const { status, json } = await send('POST', '/api/v1/repos', bob, { repo: { service: 'manual', name: name.toUpperCase() } });
    expect(status).toBe(409);
    expect(json.message).toContain(`The manual repo ${name.toUpperCase()} exists already`);
    expect((await send('GET', `/api/v1/repos/manual/${name}`, alice)).json.token).toBe(token);
  });

  test.each([
    [{}, 'The body must be {"repo": {…}}; the key repo is missing.'],
    [{ service: 'manual', name: 'a/b' }, 'the key repo is missing'],
    [[], 'The body must be {"repo": {…}}, not [].'],
    [{ repo: 'acme/app' }, 'repo must be an object, not "acme/app".'],
    [{ repo: null }, 'repo must be an object, not null.'],
    [{ repo: { service: 'manual', name: 'a/b' }, send_build_status: true }, 'Unknown beside repo: "send_build_status"'],
    [{ repo: { service: 'manual' } }, 'repo.name is missing; it must be a text, <owner>/<name>.'],
    [{ repo: { name: 'a/b' } }, 'repo.service is missing; it must be one of github, bitbucket, gitlab, stash, manual.'],
    [
      { repo: { service: 'gitea', name: 'a/b' } },
      'repo.service must be one of github, bitbucket, gitlab, stash, manual, not "gitea".',
    ],
    [{ repo: { service: 'manual', name: 7 } }, 'repo.name must be a text, <owner>/<name>, not 7.'],
    [{ repo: { service: 'manual', name: 'app' } }, 'repo.name must be <owner>/<name>, not "app".'],
    [{ repo: { service: 'manual', name: 'a/../b' } }, 'repo.name must be <owner>/<name>, not "a/../b".'],
    [{ repo: { service: 'manual', name: 'a/..' } }, 'the part ".." is not'],
    [{ repo: { service: 'manual', name: 'a/<script>' } }, 'the part "<script>" is not'],
    [{ repo: { service: 'manual', name: ' a/b' } }, 'the part " a" is not'],
    [{ repo: { service: 'manual', name: 'a/b', colour: 1, Name: 2 } }, 'unknown: "repo.colour", "repo.Name" (known: '],
    [
      { repo: { service: 'manual', name: 'a/b', send_build_status: 'yes' } },
      'repo.send_build_status must be true or false, not "yes".',
    ],
    [
      { repo: { service: 'manual', name: 'a/b', comment_on_pull_requests: 1 } },
      'repo.comment_on_pull_requests must be true or false, not 1.',
    ],
  ])('refuses %j', async (body, sentence) => {
    const { status, json } = await send('POST', '/api/v1/repos', alice, body);
    expect(status).toBe(422);
    expect(json).toEqual({ message: expect.stringContaining(sentence), error: true });
  });

  test.each(['-0.01', '100.01', '"80"', '1e999', 'true', '[]', '{}'])('refuses the threshold %s', async (value) => {
    for (const field of ['commit_status_fail_threshold', 'commit_status_fail_change_threshold']) {
      const body = `{"repo": {"service": "manual", "name": "${newName()}", "${field}": ${value}}}`;
      const { status, json } = await send('POST', '/api/v1/repos', alice, body);
      expect(status).toBe(422);
      expect(json.message).toContain(`repo.${field} must be a number from 0 to 100, or null, not `);
    }
  });

  test('names every problem at once', async () => {
    const repo = { service: 'x', name: 1, commit_status_fail_threshold: 101, more: 1 };
    const { json } = await send('POST', '/api/v1/repos', alice, { repo });
    for (const name of ['repo.service', 'repo.name', 'repo.commit_status_fail_threshold', 'repo.more'])
      expect(json.message).toContain(name);
  });

  test('does not repeat a hostile value at length', async () => {
    const { json } = await send('POST', '/api/v1/repos', alice, { repo: { service: 'x'.repeat(100_000), name: '\u202e\u0000' } });
    expect(json.message.length).toBeLessThan(1_000);
    for (const hostile of ['\u202e', '\u0000']) expect(json.message).not.toContain(hostile);
  });
});

describe('read', () => {
  test('says has_badge once a closed build exists', async () => {
    const repo = await putRepo();
    await putClosed(app.store, repo.id);
    expect((await send('GET', repo.path, alice)).json.has_badge).toBe(true);
  });

  test('shows the token to the owner and to administrators alone', async () => {
    const repo = await putRepo();
    await makePublic(repo.id);
    expect((await send('GET', repo.path, alice)).json.token).toBe(repo.token);
    expect((await send('GET', repo.path, ADMIN_TOKEN)).json.token).toBe(repo.token);
    const stranger = await send('GET', repo.path, bob);
    expect(stranger.status).toBe(200);
    expect(stranger.json).not.toHaveProperty('token');
    expect(stranger.text).not.toContain(repo.token);
  });

  test("answers 404 for somebody else's private repo, as for none", async () => {
    const repo = await putRepo();
    const hidden = await send('GET', repo.path, bob);
    expect(hidden.status).toBe(404);
    const absent = await send('GET', `${repo.path}x`, bob);
    expect(absent.json.message).toBe(hidden.json.message.replace(repo.name, `${repo.name}x`));
  });

  test.each([
    '/api/v1/repos/gitea/acme/app',
    '/api/v1/repos/manual/acme',
    '/api/v1/repos/manual/acme/app/more',
    '/api/v1/repos/manual/acme%2F..',
    '/api/v1/repos/manual/acme/%00',
    '/api/v1/repos/manual/acme/%zz',
    '/api/v1/repos/manual/acme/%252e',
    '/api/v1/repos/constructor/__proto__/x',
  ])('answers 404 for %s', async (path) => {
    const { status, json } = await send('GET', path, ADMIN_TOKEN);
    expect(status).toBe(404);
    expect(json).toEqual({ message: expect.stringContaining('There is no repo "'), error: true });
  });

  test.each([
    ['github', 'Nothing is announced: this server has no credential for github; set GITHUB_TOKEN.'],
    ['gitlab', 'Nothing is announced: this version of the server cannot speak to gitlab.'],
    ['stash', 'Nothing is announced: this version of the server cannot speak to stash.'],
  ])('warns that nothing is announced for %s', async (service, warning) => {
    const mute = await startHttpApp({ providers: new Set() });
    const name = newName();
    await mute.fetch('/api/repos', jsonRequest('POST', ADMIN_TOKEN, { repo: { service, name } }));
    const read = await mute.fetch(`/api/repos/${service}/${name}`, jsonRequest('GET', ADMIN_TOKEN));
    expect(((await read.json()) as { warnings: string[] }).warnings).toEqual([warning]);
    await mute.stop();
  });
});

describe('change', () => {
  test('takes bare fields, use_status, and any subset', async () => {
    const repo = await putRepo();
    expect((await send('PUT', repo.path, alice, { commit_status_fail_change_threshold: 0.5 })).json.repo).toMatchObject({
      commit_status_fail_change_threshold: 0.5,
      send_build_status: true,
    });
    expect((await send('PUT', repo.path, alice, { repo: { use_status: false } })).json.repo).toMatchObject({
      commit_status_fail_change_threshold: 0.5,
      send_build_status: false,
    });
    expect((await send('PUT', repo.path, alice, { commit_status_fail_change_threshold: null })).json.repo).toMatchObject({
      commit_status_fail_change_threshold: null,
      send_build_status: false,
    });
  });

  test('prefers send_build_status to use_status, and takes null switches as not given', async () => {
    const repo = await putRepo();
    expect(
      (await send('PUT', repo.path, alice, { send_build_status: false, use_status: true })).json.repo.send_build_status,
    ).toBe(false);
    expect((await send('PUT', repo.path, alice, { send_build_status: null })).json.repo.send_build_status).toBe(false);
    expect((await send('PUT', repo.path, alice, { send_build_status: null, use_status: true })).json.repo.send_build_status).toBe(
      true,
    );
  });

  test('takes what was read, changed, and written back', async () => {
    const repo = await putRepo();
    const { json: read } = await send('GET', repo.path, alice);
    for (const body of [{ ...read, comment_on_pull_requests: false }, { repo: { ...read, comment_on_pull_requests: false } }]) {
      const { status, json } = await send('PUT', repo.path, alice, body);
      expect([status, json.repo.comment_on_pull_requests]).toEqual([200, false]);
    }
    expect((await send('GET', repo.path, alice)).json.token).toBe(repo.token);
  });

  test('changes nothing when nothing is given', async () => {
    const repo = await putRepo();
    app.time.now += 5_000;
    const { status, json } = await send('PUT', repo.path, alice, {});
    app.time.now -= 5_000;
    expect([status, json.repo.updated_at]).toEqual([200, DEFAULTS.updated_at]);
    expect((await send('PUT', repo.path, alice)).status).toBe(200);
  });

  test.each([
    [{ threshold: 1 }, 'unknown: "threshold"'],
    [{ repo: { threshold: 1 } }, 'unknown: "repo.threshold"'],
    [{ repo: {}, use_status: true }, 'Unknown beside repo: "use_status"'],
    [{ commit_status_fail_threshold: '80' }, 'commit_status_fail_threshold must be a number from 0 to 100, or null, not "80".'],
    [{ use_status: 'no' }, 'use_status must be true or false, not "no".'],
    [[1], 'The body must be an object, not [1].'],
  ])('refuses %j and keeps everything', async (body, sentence) => {
    const repo = await putRepo();
    const { status, json } = await send('PUT', repo.path, alice, body);
    expect(status).toBe(422);
    expect(json.message).toContain(sentence);
    expect((await send('GET', repo.path, alice)).json).toMatchObject(DEFAULTS);
  });

  test('is closed to strangers: 404 for a private repo, 403 for a public one', async () => {
    const repo = await putRepo();
    const attempts = [
      ['PUT', repo.path, { use_status: false }],
      ['DELETE', repo.path, undefined],
      ['POST', `${repo.path}/token`, {}],
    ] as const;
    for (const [method, path, body] of attempts) expect((await send(method, path, bob, body)).status).toBe(404);
    await makePublic(repo.id);
    for (const [method, path, body] of attempts) {
      const { status, json } = await send(method, path, bob, body);
      expect(status).toBe(403);
      expect(json.message).toContain('only its owner and administrators may');
    }
    expect((await send('GET', repo.path, alice)).json).toMatchObject({ send_build_status: true, token: repo.token });
  });
});

describe('a new token', () => {
  const known = (token: string) => app.store.repos.findByToken(app.secrets.lookups(token), app.time.now);

  test('replaces the old one at once', async () => {
    const repo = await putRepo();
    expect(await known(repo.token)).toMatchObject({ id: repo.id });
    const { status, json } = await send('POST', `${repo.path}/token`, alice);
    expect(status).toBe(201);
    expect(json).toEqual({ token: expect.stringMatching(/^cvr_\w{43}$/), old_token_valid_until: null });
    expect(json.token).not.toBe(repo.token);
    expect(await known(repo.token)).toBeUndefined();
    expect(await known(json.token)).toMatchObject({ id: repo.id });
    expect((await send('GET', repo.path, alice)).json.token).toBe(json.token);
  });

  test('leaves the old one its grace period', async () => {
    const repo = await putRepo();
    const { json } = await send('POST', `${repo.path.replace('/v1', '')}/token`, alice, { grace_period: '24h' });
    expect(json.old_token_valid_until).toBe('2026-01-03T03:04:05Z');
    expect(await known(repo.token)).toMatchObject({ id: repo.id });
    app.time.now += 86_400_001;
    expect(await known(repo.token)).toBeUndefined();
    expect(await known(json.token)).toMatchObject({ id: repo.id });
    app.time.now -= 86_400_001;
  });

  test.each([{ grace_period: 24 }, { grace_period: '24' }, { grace_period: '91d' }, { grace_period: null }, { grace: '1h' }])(
    'refuses %j and keeps the old one',
    async (body) => {
      const repo = await putRepo();
      const { status, json } = await send('POST', `${repo.path}/token`, alice, body);
      expect(status).toBe(422);
      expect(json.message).toContain('grace');
      expect(await known(repo.token)).toMatchObject({ id: repo.id });
    },
  );
});

describe('credentials', () => {
  const ask = (authorization: string | undefined) =>
    app.fetch('/api/v1/repos/manual/a/b', { headers: authorization === undefined ? {} : { Authorization: authorization } });

  test('are needed', async () => {
    const answer = await ask(undefined);
    expect(answer.status).toBe(401);
    expect(answer.headers.get('www-authenticate')).toBe('token realm="coverage"');
    expect(await answer.json()).toEqual({
      message: expect.stringContaining('Authorization: token <personal token>'),
      error: true,
    });
  });

  test('may come with either scheme, in any case', async () => {
    for (const scheme of ['token', 'Token', 'Bearer', 'bearer', 'token  '])
      expect((await ask(`${scheme} ${alice}`)).status).toBe(404);
    expect((await ask(`Bearer ${ADMIN_TOKEN}`)).status).toBe(404);
  });

  test.each([
    ['token', 'has the scheme token and no token'],
    ['Basic YWxpY2U6cGFzc3dvcmQ=', 'has the scheme "Basic"'],
    ['token cvr_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa', 'a repo token of this service, which is unknown here'],
    ['token ghp_abcdefgh', 'a GitHub personal token, which is unknown here'],
    ['Bearer the-admin-token-of-these-testx', 'a token of another kind, which is unknown here or was revoked'],
  ])('that are wrong get 401 and are not repeated: %s', async (header, sentence) => {
    const answer = await ask(header);
    const text = await answer.text();
    expect(answer.status).toBe(401);
    expect(text).toContain(JSON.stringify(sentence).slice(1, -1));
    const secret = header.split(' ')[1];
    if (secret !== undefined) expect(text + JSON.stringify(app.lines)).not.toContain(secret);
  });

  test('that stand alone are not repeated either', async () => {
    const answer = await ask(alice);
    expect(answer.status).toBe(401);
    expect(await answer.text()).not.toContain(alice.slice(4));
  });

  test('end when they are revoked', async () => {
    const token = await app.tokenOf('dora');
    expect((await ask(`token ${token}`)).status).toBe(404);
    const { id = 0 } = (await app.store.tokens.list()).find(({ user }) => user === 'dora') ?? {};
    await app.store.tokens.revoke(id, app.time.now);
    expect((await ask(`token ${token}`)).status).toBe(401);
  });

  test('are checked before the body is read', async () => {
    const answer = await app.fetch('/api/repos', { method: 'POST', body: '{broken' });
    expect(answer.status).toBe(401);
  });
});
