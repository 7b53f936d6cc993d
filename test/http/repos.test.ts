import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { RepoService } from '../../server/src/core/repo/repo.ts';
import { putClosed } from '../contract/records.ts';
import { ADMIN_TOKEN, type HttpApp, jsonRequest, startHttpApp } from '../support/http-app.ts';
import { newRepoName, REPO_DEFAULTS, reposClient } from '../support/repos-client.ts';

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

describe.each(['/api/v1/repos', '/api/repos'])('%s', (base) => {
  test('creates, reads, changes and deletes a repo', async () => {
    const name = newRepoName();
    const created = await client.send('POST', base, alice, { repo: { service: 'manual', name } });
    expect(created.status).toBe(201);
    expect(created.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(created.json).toEqual({
      repo: {
        service: 'manual',
        name,
        ...REPO_DEFAULTS,
        id: expect.any(Number),
        token: expect.stringMatching(/^cvr_\w{43}$/),
      },
    });
    const { id, token } = created.json.repo;

    const read = await client.send('GET', `${base}/manual/${name}`, alice);
    expect(read.status).toBe(200);
    expect(read.json).toEqual({
      service: 'manual',
      name,
      ...REPO_DEFAULTS,
      id,
      has_badge: false,
      token,
      token_last_used_at: null,
      token_last_client: null,
      badge_token: expect.stringMatching(/^cvb_/),
      warnings: [],
    });

    app.time.now += 60_000;
    const changed = await client.send('PUT', `${base}/manual/${name}`, alice, {
      repo: { commit_status_fail_threshold: 66.67 },
    });
    expect(changed.status).toBe(200);
    expect(changed.json).toEqual({
      repo: {
        service: 'manual',
        name,
        ...REPO_DEFAULTS,
        commit_status_fail_threshold: 66.67,
        updated_at: '2026-01-02T03:05:05Z',
      },
    });
    app.time.now -= 60_000;

    const deleted = await client.send('DELETE', `${base}/manual/${name}`, alice);
    expect([deleted.status, deleted.text]).toEqual([204, '']);
    expect((await client.send('GET', `${base}/manual/${name}`, alice)).status).toBe(404);
    expect((await client.send('DELETE', `${base}/manual/${name}`, alice)).status).toBe(404);
  });
});

describe('create', () => {
  test('takes every setting', async () => {
    const repo = await client.putRepo(alice, {
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
    const readOnly = {
      id: 9_999,
      token: 'mine',
      token_last_used_at: '2026-11-22T14:30:00Z',
      token_last_client: 'reporter/1',
      badge_token: 'mine',
      has_badge: true,
      warnings: ['x'],
      created_at: '1999',
      updated_at: null,
    };
    const repo = await client.putRepo(alice, { send_build_status: null, comment_on_pull_requests: null, ...readOnly });
    expect(repo).toMatchObject({
      send_build_status: true,
      comment_on_pull_requests: true,
      created_at: REPO_DEFAULTS.created_at,
    });
    expect(repo.id).not.toBe(9_999);
    expect(repo.token).toMatch(/^cvr_/);
  });

  test.each<[RepoService, string]>([
    ['github', 'acme/web.site'],
    ['gitlab', 'group/sub/deep/app'],
    ['stash', '~alice/app'],
    ['bitbucket', 'acme/app_1'],
  ])('takes the %s name %s, which its own path finds again', async (service, name) => {
    const { status, json } = await client.send('POST', '/api/v1/repos', ADMIN_TOKEN, { repo: { service, name } });
    expect([status, json.repo?.name]).toEqual([201, name]);
    expect((await client.send('GET', `/api/v1/repos/${service}/${name}`, ADMIN_TOKEN)).json.name).toBe(name);
    expect((await client.send('GET', `/api/repos/${service}/${name}/`, ADMIN_TOKEN)).json.name).toBe(name);
    expect((await client.send('GET', `/api/repos/${service}/${encodeURIComponent(name)}`, ADMIN_TOKEN)).json.name).toBe(
      name,
    );
  });

  test('lets only administrators make a repo of a real provider, and says why (rule 28)', async () => {
    const repo = { service: 'github', name: newRepoName() };
    const refused = await client.send('POST', '/api/v1/repos', alice, { repo });
    expect(refused.status).toBe(403);
    expect(refused.json).toEqual({
      message: expect.stringContaining('Only an administrator can create a github repo'),
      error: true,
    });
    expect(await app.store.repos.findByName('github', repo.name)).toBeUndefined();
    const chief = await app.tokenOf('carol', 'administrator');
    expect((await client.send('POST', '/api/v1/repos', chief, { repo })).status).toBe(201);
  });

  test('refuses a name that is taken, whatever its case', async () => {
    const { name, token } = await client.putRepo(alice);
    const { status, json } = await client.send('POST', '/api/v1/repos', alice, {
      repo: { service: 'manual', name: name.toUpperCase() },
    });
    expect(status).toBe(409);
    expect(json.message).toContain(`The manual repo ${name.toUpperCase()} exists already`);
    expect((await client.send('GET', `/api/v1/repos/manual/${name}`, alice)).json.token).toBe(token);
  });

  test("says the same for another user's private repo as for one that may not be made", async () => {
    const { id, name } = await client.putRepo(alice);
    const make = async (service: string) => client.send('POST', '/api/v1/repos', bob, { repo: { service, name } });
    const [taken, forbidden] = [await make('manual'), await make('github')];
    expect([taken.status, taken.text]).toEqual([403, forbidden.text.replace('a github repo', 'a manual repo')]);
    await client.makePublic(id);
    expect((await make('manual')).status).toBe(409);
  });

  test.each([
    [{}, 'The body must be {"repo": {…}}; the key repo is missing.'],
    [{ service: 'manual', name: 'a/b' }, 'the key repo is missing'],
    [[], 'The body is not a JSON object: it must begin with {.'],
    [{ repo: 'acme/app' }, 'repo must be an object, not "acme/app".'],
    [{ repo: null }, 'repo must be an object, not null.'],
    [
      { repo: { service: 'manual', name: 'a/b' }, send_build_status: true },
      'Unknown next to repo: "send_build_status"',
    ],
    [{ repo: { service: 'manual' } }, 'repo.name is missing; it must be a text, <owner>/<name>.'],
    [
      { repo: { name: 'a/b' } },
      'repo.service is missing; it must be one of github, bitbucket, gitlab, gitea, forgejo, stash, manual.',
    ],
    [
      { repo: { service: 'sourcehut', name: 'a/b' } },
      'repo.service must be one of github, bitbucket, gitlab, gitea, forgejo, stash, manual, not "sourcehut".',
    ],
    [{ repo: { service: 'manual', name: 7 } }, 'repo.name must be a text, <owner>/<name>, not 7.'],
    [{ repo: { service: 'manual', name: 'app' } }, 'repo.name must be <owner>/<name>, not "app".'],
    [{ repo: { service: 'manual', name: 'a/../b' } }, 'repo.name must be <owner>/<name>, not "a/../b".'],
    [{ repo: { service: 'manual', name: 'a/..' } }, 'the part ".." is not'],
    [{ repo: { service: 'manual', name: 'a/<script>' } }, 'the part "<script>" is not'],
    [{ repo: { service: 'manual', name: ' a/b' } }, 'the part " a" is not'],
    [
      { repo: { service: 'manual', name: 'a/b', color: 1, Name: 2 } },
      '"repo.color", "repo.Name" are unknown (known: service, name, ',
    ],
    [
      { repo: { service: 'manual', name: 'a/b', send_build_status: 'yes' } },
      'repo.send_build_status must be true or false, not "yes".',
    ],
    [
      { repo: { service: 'manual', name: 'a/b', comment_on_pull_requests: 1 } },
      'repo.comment_on_pull_requests must be true or false, not 1.',
    ],
  ])('refuses %j', async (body, sentence) => {
    const { status, json } = await client.send('POST', '/api/v1/repos', alice, body);
    expect(status).toBe(422);
    expect(json).toEqual({ message: expect.stringContaining(sentence), error: true });
  });

  test.each(['-0.01', '100.01', '"80"', '1e999', 'true', '[]', '{}'])('refuses the threshold %s', async (value) => {
    for (const field of ['commit_status_fail_threshold', 'commit_status_fail_change_threshold']) {
      const body = `{"repo": {"service": "manual", "name": "${newRepoName()}", "${field}": ${value}}}`;
      const { status, json } = await client.send('POST', '/api/v1/repos', alice, body);
      expect(status).toBe(422);
      expect(json.message).toContain(`repo.${field} must be a number from 0 to 100, or null, not `);
    }
  });

  test('names every problem at once', async () => {
    const repo = { service: 'x', name: 1, commit_status_fail_threshold: 101, more: 1 };
    const { json } = await client.send('POST', '/api/v1/repos', alice, { repo });
    for (const name of ['repo.service', 'repo.name', 'repo.commit_status_fail_threshold', 'repo.more'])
      expect(json.message).toContain(name);
  });

  test('does not repeat a hostile value at length', async () => {
    const { json } = await client.send('POST', '/api/v1/repos', alice, {
      repo: { service: 'x'.repeat(100_000), name: '\u202e\u0000' },
    });
    expect(json.message.length).toBeLessThan(1_000);
    for (const hostile of ['\u202e', '\u0000']) expect(json.message).not.toContain(hostile);
  });
});

describe('read', () => {
  test('says has_badge once a closed build exists', async () => {
    const repo = await client.putRepo(alice);
    await putClosed(app.store, repo.id);
    expect((await client.send('GET', repo.path, alice)).json.has_badge).toBe(true);
  });

  test('shows the token to the owner and to administrators alone', async () => {
    const repo = await client.putRepo(alice);
    await client.makePublic(repo.id);
    expect((await client.send('GET', repo.path, alice)).json.token).toBe(repo.token);
    expect((await client.send('GET', repo.path, ADMIN_TOKEN)).json.token).toBe(repo.token);
    const stranger = await client.send('GET', repo.path, bob);
    expect(stranger.status).toBe(200);
    expect(stranger.json).not.toHaveProperty('token');
    expect(stranger.text).not.toContain(repo.token);
  });

  test("answers 404 for somebody else's private repo, as for none", async () => {
    const repo = await client.putRepo(alice);
    const hidden = await client.send('GET', repo.path, bob);
    expect(hidden.status).toBe(404);
    const absent = await client.send('GET', `${repo.path}x`, bob);
    expect(absent.json.message).toBe(hidden.json.message.replace(repo.name, `${repo.name}x`));
  });

  test.each([
    '/api/v1/repos/sourcehut/acme/app',
    '/api/v1/repos/manual/acme',
    '/api/v1/repos/manual/acme/app/more',
    '/api/v1/repos/manual/acme%2F..',
    '/api/v1/repos/manual/acme/%00',
    '/api/v1/repos/manual/acme/%zz',
    '/api/v1/repos/manual/acme/%252e',
    '/api/v1/repos/constructor/__proto__/x',
  ])('answers 404 for %s', async (path) => {
    const { status, json } = await client.send('GET', path, ADMIN_TOKEN);
    expect(status).toBe(404);
    expect(json).toEqual({ message: expect.stringContaining('There is no repo "'), error: true });
  });

  test.each([
    [
      'github',
      'Nothing is announced: this server has no credential for github; set GITHUB_TOKEN, or GITHUB_APP_ID and ' +
        'GITHUB_APP_PRIVATE_KEY, or make a GitHub App at /setup.',
    ],
    ['gitlab', 'Nothing is announced: this version of the server does not support gitlab.'],
    ['stash', 'Nothing is announced: this version of the server does not support stash.'],
  ])('warns that nothing is announced for %s', async (service, warning) => {
    const mute = await startHttpApp({ hasCredential: false });
    const name = newRepoName();
    await mute.fetch('/api/repos', jsonRequest('POST', ADMIN_TOKEN, { repo: { service, name } }));
    const read = await mute.fetch(`/api/repos/${service}/${name}`, jsonRequest('GET', ADMIN_TOKEN));
    expect(((await read.json()) as { warnings: string[] }).warnings).toEqual([warning]);
    await mute.stop();
  });
});
