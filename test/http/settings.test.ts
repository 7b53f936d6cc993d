import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { ADMIN_TOKEN, type HttpApp, startHttpApp } from '../support/http-app.ts';
import { type MadeRepo, reposClient } from '../support/repos-client.ts';

let isApp = false;
let app: HttpApp;
let client: ReturnType<typeof reposClient>;
let alice: string;
let bob: string;
beforeAll(async () => {
  app = await startHttpApp({ requireSignIn: false, isApp: () => isApp });
  client = reposClient(app);
  alice = await app.tokenOf('alice');
  bob = await app.tokenOf('bob');
});
afterAll(() => app.stop());

const DEFAULTS = {
  patch_status: false,
  patch_minimum: null,
  quiet_period: null,
  retention_builds: null,
  retention_days: null,
  expected_flags: null,
  flag_settings: [],
  status_names: null,
  coverage_status: null,
  former_status_names: [],
  default_branch: null,
  visibility: null,
  accept_forks: null,
  annotations: false,
  comment_mode: 'always',
  config_file: 'on',
  ratchet_reset: null,
  informational: false,
  ignore_removed_code: false,
  ignore_untouched_files: false,
  ignore_unstable_lines: false,
  effective: {
    default_branches: ['main', 'master'],
    default_branch_from: 'usual-names',
    visibility: 'private',
    visibility_from: 'server',
    accept_forks: false,
  },
};

const read = (repo: MadeRepo) => client.send('GET', `${repo.path}/settings`, alice);
const change = (repo: MadeRepo, body?: unknown) => client.send('PUT', `${repo.path}/settings`, alice, body);

describe('settings', () => {
  test.each(['/api/v1/repos', '/api/repos'])('are those of every repo at first: %s', async (base) => {
    const repo = await client.putRepo(alice);
    const { status, json } = await client.send('GET', `${base}/manual/${repo.name}/settings`, alice);
    expect([status, json]).toEqual([200, DEFAULTS]);
  });

  test.each<[string, unknown, object]>([
    ['patch_status', true, { patchStatus: true }],
    ['patch_minimum', 66.67, { patchMinimum: 66.67 }],
    ['patch_minimum', 'base', { patchMinimum: 'base' }],
    ['quiet_period', '90m', { quietPeriod: 5_400_000 }],
    ['expected_flags', ['unit', 'e2e'], { expectedFlags: ['unit', 'e2e'] }],
    ['expected_flags', [], { expectedFlags: [] }],
    [
      'flag_settings',
      [{ flag: 'unit', minimum: 80, allowed_drop: null, informational: true }],
      { flagSettings: [{ flag: 'unit', minimum: 80, allowedDrop: null, informational: true }] },
    ],
    ['default_branch', 'release/1.x', { defaultBranch: 'release/1.x' }],
    ['visibility', 'public', { visibility: 'public' }],
    ['visibility', 'private', { visibility: 'private' }],
    ['accept_forks', true, { acceptForks: true }],
    ['accept_forks', false, { acceptForks: false }],
    ['comment_mode', 'on-change', { commentMode: 'on-change' }],
    ['comment_mode', 'on-missed', { commentMode: 'on-missed' }],
    ['coverage_status', 'overall', { coverageStatus: 'overall' }],
    ['config_file', 'stricter', { configFile: 'stricter' }],
    ['informational', true, { informational: true }],
    ['ignore_removed_code', true, { ignoreRemovedCode: true }],
    ['ignore_untouched_files', true, { ignoreUntouchedFiles: true }],
    ['ignore_unstable_lines', true, { ignoreUnstableLines: true }],
  ])('%s: %j is stored, and nothing else changes', async (name, value, stored) => {
    const repo = await client.putRepo(alice);
    const before = (await app.store.repos.find(repo.id))?.settings;
    const { status, json } = await change(repo, { [name]: value });
    expect([status, json[name]]).toEqual([200, value]);
    expect((await read(repo)).json).toEqual(json);
    expect((await app.store.repos.find(repo.id))?.settings).toEqual({ ...before, ...stored });
  });

  test('null leaves a setting to others again', async () => {
    const repo = await client.putRepo(alice);
    const given = {
      quiet_period: '1h',
      expected_flags: ['a'],
      default_branch: 'dev',
      visibility: 'public',
      patch_minimum: 1,
    };
    await change(repo, given);
    const { json } = await change(repo, Object.fromEntries(Object.keys(given).map((name) => [name, null])));
    expect(json).toEqual(DEFAULTS);
  });

  test('flags are named once, and what is left out of a flag is its default', async () => {
    const repo = await client.putRepo(alice);
    const { json } = await change(repo, { expected_flags: ['a', 'b', 'a'], flag_settings: [{ flag: 'a' }] });
    expect(json.expected_flags).toEqual(['a', 'b']);
    expect(json.flag_settings).toEqual([{ flag: 'a', minimum: null, allowed_drop: null, informational: false }]);
  });

  test('what was read, changed and written back is taken; nothing given changes nothing', async () => {
    const repo = await client.putRepo(alice);
    await change(repo, { status_names: 'codecov', flag_settings: [{ flag: 'a', minimum: 5 }], quiet_period: '45s' });
    const { json } = await read(repo);
    expect((await change(repo, json)).json).toEqual(json);
    expect((await change(repo, {})).json).toEqual(json);
    expect((await change(repo)).json).toEqual(json);
  });

  test('a default branch and visibility that were not set are the provider’s', async () => {
    const repo = await client.putRepo(ADMIN_TOKEN, { service: 'github' });
    const at = app.time.now;
    await app.store.repos.follow({ repoId: repo.id, seen: { defaultBranch: 'trunk', visibility: 'public', at }, at });
    const effective = async () => (await client.send('GET', `${repo.path}/settings`, ADMIN_TOKEN)).json.effective;
    expect(await effective()).toEqual({
      default_branches: ['trunk'],
      default_branch_from: 'provider',
      visibility: 'public',
      visibility_from: 'provider',
      accept_forks: true,
    });
    await client.send('PUT', `${repo.path}/settings`, ADMIN_TOKEN, { default_branch: 'dev', visibility: 'private' });
    expect(await effective()).toEqual({
      default_branches: ['dev'],
      default_branch_from: 'setting',
      visibility: 'private',
      visibility_from: 'setting',
      accept_forks: false,
    });
  });
});

describe('annotations', () => {
  afterEach(() => {
    isApp = false;
  });
  const put = (repo: MadeRepo, body: object) => client.send('PUT', `${repo.path}/settings`, ADMIN_TOKEN, body);

  test('are refused while the server is no GitHub App, with nothing stored, else taken', async () => {
    const repo = await client.putRepo(ADMIN_TOKEN, { service: 'github' });
    const refused = await put(repo, { annotations: true, informational: true });
    expect([refused.status, refused.json.message]).toEqual([
      422,
      'annotations cannot be true: annotations need check runs, which GitHub lets only Apps make, and this ' +
        'server does not sign in as a GitHub App; set GITHUB_APP_ID and GITHUB_APP_PRIVATE_KEY, or make a GitHub ' +
        'App at /setup.',
    ]);
    expect((await app.store.repos.find(repo.id))?.settings).toMatchObject({ annotations: false, informational: false });
    isApp = true;
    expect((await put(repo, { annotations: true })).json.annotations).toBe(true);
  });

  test(
    'that were switched on stay when the App is lost: the repo warns, what was read may be sent back, and off ' +
      'stays off',
    async () => {
      const repo = await client.putRepo(ADMIN_TOKEN, { service: 'github' });
      const warnings = async () => (await client.send('GET', repo.path, ADMIN_TOKEN)).json.warnings;
      isApp = true;
      const { json } = await put(repo, { annotations: true });
      expect(await warnings()).toEqual([]);
      isApp = false;
      expect(await warnings()).toEqual([expect.stringMatching(/^Missed lines are not marked: .*GITHUB_APP_ID/)]);
      expect((await put(repo, json)).json).toEqual(json);
      expect((await put(repo, { annotations: false })).status).toBe(200);
      expect((await put(repo, { annotations: true })).status).toBe(422);
      expect(await warnings()).toEqual([]);
    },
  );

  test('are refused only to anybody who may change them', async () => {
    const repo = await client.putRepo(ADMIN_TOKEN, { service: 'github' });
    expect((await client.send('PUT', `${repo.path}/settings`, bob, { annotations: true })).status).toBe(404);
  });
});

describe('status names', () => {
  test.each([
    ['coveralls', { build: 'coverage/coveralls', flag: 'Coveralls - <flag>' }],
    ['codecov', { build: 'codecov/project', patch: 'codecov/patch' }],
    [
      { build: 'cov', flag: 'cov: <flag>', patch: 'cov/new' },
      { build: 'cov', flag: 'cov: <flag>', patch: 'cov/new' },
    ],
  ])('are %j', async (names, expected) => {
    const repo = await client.putRepo(alice);
    expect((await change(repo, { status_names: names })).json.status_names).toMatchObject(expected);
  });

  test('that a change replaces are remembered, once', async () => {
    const repo = await client.putRepo(alice);
    const at = new Date(app.time.now).toISOString();
    const first = (await change(repo, { status_names: 'codecov' })).json;
    expect(first.former_status_names).toEqual([{ names: null, at }]);
    app.time.now += 60_000;
    expect((await change(repo, { status_names: 'codecov' })).json.former_status_names).toEqual([{ names: null, at }]);
    const second = (await change(repo, { status_names: null })).json;
    expect(second.former_status_names).toEqual([
      { names: first.status_names, at: new Date(app.time.now).toISOString() },
      { names: null, at },
    ]);
  });
});

describe('refused, with nothing stored', () => {
  const many = Array.from({ length: 501 }, (_, index) => `flag-${index}`);
  test.each<[object, string]>([
    [{ minimum: 1 }, '"minimum" is unknown (known: patch_status, patch_minimum, quiet_period, '],
    [{ commit_status_fail_threshold: 1 }, '"commit_status_fail_threshold" is unknown'],
    [{ patch_status: 'yes' }, 'patch_status must be true or false, not "yes"'],
    [{ patch_status: null }, 'patch_status must be true or false, not null'],
    [
      { patch_minimum: 101 },
      'patch_minimum must be a number from 0 to 100, "base" for the total of the base build, or null, not 101',
    ],
    [{ patch_minimum: 'Base' }, 'or null, not "Base"'],
    [{ quiet_period: 60 }, 'quiet_period must be a number with a unit'],
    [{ quiet_period: '0s' }, 'at most 30d; or null, not "0s"'],
    [{ quiet_period: '31d' }, 'not "31d"'],
    [{ expected_flags: 'unit' }, 'expected_flags must be a list of flags, or null, not "unit"'],
    [
      { expected_flags: ['unit', ' '] },
      'expected_flags[1] must be a flag\'s name, 1 to 500 characters without blanks around it, not " "',
    ],
    [{ expected_flags: ['x'.repeat(501)] }, 'expected_flags[0] must be a flag'],
    [{ expected_flags: many }, 'expected_flags has 501 entries; at most 500 are taken'],
    [{ flag_settings: null }, 'flag_settings must be a list of what single flags are judged by, not null'],
    [
      { flag_settings: ['unit'] },
      'flag_settings[0] must be {"flag", "minimum", "allowed_drop", "informational"}, not "unit"',
    ],
    [{ flag_settings: [{}] }, 'flag_settings[0].flag is missing; it must be'],
    [
      { flag_settings: [{ flag: 'a', minimum: -1 }] },
      'flag_settings[0].minimum must be a number from 0 to 100, or null, not -1',
    ],
    [{ flag_settings: [{ flag: 'a', drop: 1 }] }, '"flag_settings[0].drop" is unknown'],
    [{ flag_settings: [{ flag: 'a' }, { flag: 'a' }] }, 'flag_settings names "a" more than once'],
    [{ flag_settings: many.map((flag) => ({ flag })) }, 'flag_settings has 501 entries'],
    [
      { status_names: 'sonar' },
      'status_names must be null, "coveralls", "codecov", or {"build", "flag", "patch"}, not "sonar"',
    ],
    [{ status_names: { build: 'a', flag: 'b', patch: 'c' } }, 'status_names flag must hold <flag>'],
    [{ status_names: ['a'] }, 'status_names'],
    [{ default_branch: '' }, 'default_branch must be a branch\'s name, or null, not ""'],
    [{ default_branch: 'refs/heads/main' }, 'default_branch must be'],
    [{ default_branch: 'a..b' }, 'default_branch must be'],
    [{ default_branch: 'a\nb' }, 'default_branch must be'],
    [{ visibility: 'internal' }, 'visibility must be one of private, public, null, not "internal"'],
    [
      { annotations: true },
      'annotations cannot be true: annotations are check runs of GitHub, and the service of this repo is manual.',
    ],
    [{ annotations: 'no' }, 'annotations must be true or false, not "no"'],
    [{ comment_mode: 'never' }, 'comment_mode must be one of always, on-change, on-drop, on-missed, not "never"'],
    [{ informational: 1 }, 'informational must be true or false, not 1'],
    [[1], 'The body is not a JSON object: it must begin with {.'],
  ])('%j', async (body, sentence) => {
    const repo = await client.putRepo(alice);
    const { status, json } = await change(repo, body);
    expect([status, json.message]).toEqual([422, expect.stringContaining(sentence)]);
    expect((await read(repo)).json).toEqual(DEFAULTS);
  });

  test('all at once, each by its name', async () => {
    const repo = await client.putRepo(alice);
    const { json } = await change(repo, { informational: 1, visibility: 2, comment_mode: 3 });
    expect(json.message).toMatch(/visibility .*; comment_mode .*; informational .*\./);
    expect((await change(repo, JSON.parse('{"toString": 1, "constructor": 2}'))).json.message).toContain(
      '"toString", "constructor" are unknown',
    );
  });
});

describe('who may see them', () => {
  test('no one else reads or changes them', async () => {
    const repo = await client.putRepo(alice);
    const attempts = async (token: string | undefined) => {
      const got = await client.send('GET', `${repo.path}/settings`, token);
      const put = await client.send('PUT', `${repo.path}/settings`, token, { informational: true });
      return [got.status, put.status];
    };
    expect(await attempts(undefined)).toEqual([401, 401]);
    expect(await attempts(repo.token)).toEqual([401, 401]);
    expect(await attempts(bob)).toEqual([404, 404]);
    await client.makePublic(repo.id);
    expect(await attempts(bob)).toEqual([403, 403]);
    expect(await attempts(ADMIN_TOKEN)).toEqual([200, 200]);
  });

  test('a repo may be called settings', async () => {
    const repo = await client.putRepo(alice, { name: 'acme/settings' });
    expect((await client.send('GET', repo.path, alice)).json).toMatchObject({ name: 'acme/settings', id: repo.id });
    expect((await client.send('PUT', repo.path, alice, { send_build_status: false })).json.repo.send_build_status).toBe(
      false,
    );
    expect((await read(repo)).json).toEqual(DEFAULTS);
  });

  test('of no repo there are none', async () => {
    expect((await client.send('GET', '/api/v1/repos/manual/acme/none-such/settings', alice)).status).toBe(404);
    expect((await client.send('GET', '/api/v1/repos/sourceforge/acme/shop/settings', alice)).status).toBe(404);
  });
});
