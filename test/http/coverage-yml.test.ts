import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BuildJson } from '@coverage/shared';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { shaOf } from '../support/coverage-api.ts';
import { importFolder } from '../support/history/import-scene.ts';
import { writeScene } from '../support/history/write-scene.ts';
import { COVERAGE_YML, hits, type RulesScene, startRulesScene } from '../support/rules-scene.ts';

/** A repo's own file, read at the base of each change. */

let scene: RulesScene;
beforeAll(async () => {
  scene = await startRulesScene();
});
afterAll(() => scene.end());

const EIGHTY = { [COVERAGE_YML]: 'total: { minimum: 80 }\n' };
const commitOf = (build: { readonly commit_sha: string | null }): string => build.commit_sha ?? '';

describe('a pull request that lowers the minimum to 0', () => {
  test.each([
    ['of the repo itself', false],
    ["from a fork, with the repo's token", true],
  ])('%s is judged by the file of its base, and says what comes after the merge', async (_, fork) => {
    const repo = await scene.repoWith(EIGHTY, { 'src/a.ts': hits(85, 100) });
    expect(repo.main.rules?.file).toMatchObject({ path: COVERAGE_YML, commit_sha: commitOf(repo.main) });
    const build = await repo.pull({
      files: { 'src/a.ts': hits(62, 100) },
      texts: { [COVERAGE_YML]: 'total: { minimum: 0 }\n' },
      fork,
    });
    expect(build.verdict).toMatchObject({ state: 'failure', rule: 'minimum' });
    expect(build.rules?.file?.commit_sha).toBe(commitOf(repo.main));
    expect(build.rules?.proposal).toMatchObject({
      path: COVERAGE_YML,
      commit_sha: commitOf(build),
      changes: [{ key: 'total.minimum', from: '80', to: '0' }],
      would: 'success',
    });
    await repo.delivered();
    expect(repo.statuses(commitOf(build)).coverage).toMatch(/^failure: 62\.00%.*below the minimum of 80%/);
    const comment = repo.comment(7);
    expect(comment).toContain('coverage&#46;yml');
    expect(comment).toContain('80 → 0');
    expect(comment).toContain('until then the file of the base applies. With the new file, the total ');
    const page = await scene.service.api.send(`/builds/${build.id}`, {
      headers: { authorization: `token ${scene.service.adminToken}`, accept: 'text/html' },
    });
    expect(page.text).toContain('takes effect after the merge');
  });

  test('in an unverified run of a fork, by the file of the default branch', async () => {
    const repo = await scene.repoWith(EIGHTY, { 'src/a.ts': hits(85, 100) });
    await scene.service.api.changeSettings(repo.name, { visibility: 'public', accept_forks: true });
    const run = scene.github.addRun(repo.name, {
      event: 'pull_request',
      headSha: shaOf(`${repo.name} 2`),
      headRepo: 'eve/fork',
      headBranch: 'change-7',
      actor: 'eve',
    });
    const build = await repo.pull({
      files: { 'src/a.ts': hits(62, 100) },
      texts: { [COVERAGE_YML]: 'total: { minimum: 0 }\n' },
      fork: true,
      fields: {
        repo_token: undefined,
        repo_name: repo.name,
        service_name: 'github',
        service_number: String(run.id),
        service_event_type: 'pull_request',
      },
    });
    expect(build).toMatchObject({ unverified: true, verdict: { state: 'failure', rule: 'minimum' } });
    expect(build.rules?.file?.commit_sha).toBe(commitOf(repo.main));
  });
});

describe('a change of more files than the host lists', () => {
  const many = Array.from({ length: 3_001 }, (_, at) => `data/${at}.json`);
  const files = { 'src/a.ts': hits(62, 100) };

  test('that edits the file anyway: both texts are compared', async () => {
    const repo = await scene.repoWith(EIGHTY, { 'src/a.ts': hits(85, 100) });
    const lower = { [COVERAGE_YML]: 'total: { minimum: 0 }\n' };
    const build = await repo.pull({ files, changed: many, texts: lower });
    expect(build.patch?.complete).toBe(false);
    expect(build.rules?.proposal?.changes).toEqual([{ key: 'total.minimum', from: '80', to: '0' }]);
    expect(build.verdict).toMatchObject({ state: 'failure', rule: 'minimum' });
  });

  test('that leaves it as it is: nothing is said, also where it has errors', async () => {
    const repo = await scene.repoWith(EIGHTY, { 'src/a.ts': hits(85, 100) });
    expect((await repo.pull({ files, changed: many })).rules?.proposal).toBeNull();
    await repo.push({ files: { 'src/a.ts': hits(85, 100) }, texts: { [COVERAGE_YML]: 'total: 80\n' } });
    const build = await repo.pull({ number: 8, files, changed: many });
    expect(build.rules).toMatchObject({ proposal: null, broken: { line: 1 } });
    expect(build.verdict?.rule).toBe('minimum');
  });
});

test('after the merge the new file holds, and settings are what it leaves open', async () => {
  const repo = await scene.repoWith(EIGHTY, { 'src/a.ts': hits(85, 100) }, { ignore_removed_code: true });
  const build = await repo.push({
    files: { 'src/a.ts': hits(62, 100) },
    texts: { [COVERAGE_YML]: 'total: { minimum: 60 }\n' },
  });
  expect(build.verdict).toMatchObject({ state: 'success', rule: 'minimum' });
  expect(build.rules?.values).toEqual(
    expect.arrayContaining([
      { key: 'total.minimum', value: '60', from: 'file', line: 1 },
      { key: 'ignore_removed_code', value: 'yes', from: 'settings', line: null },
      { key: 'comment', value: 'always', from: 'default', line: null },
    ]),
  );
});

test('the file is asked for once a commit, also where there is none', async () => {
  const repo = await scene.repoWith({}, { 'src/a.ts': hits(8, 10) });
  const asked = () => scene.github.requests().filter(({ path }) => path.includes(`${repo.name}/contents/`)).length;
  const before = asked();
  expect(before).toBe(2);
  expect(repo.main.rules?.file).toBe(null);
  await repo.pull({ files: { 'src/a.ts': hits(9, 10) }, changed: ['src/a.ts'] });
  await repo.pull({ number: 8, files: { 'src/a.ts': hits(9, 10) }, changed: ['src/a.ts'] });
  expect(asked()).toBe(before);
});

describe('a file with errors', () => {
  const BROKEN = 'total:\n  minumum: 80\n';

  test('in a pull request fails it, whatever its numbers are, and says what to fix', async () => {
    const repo = await scene.repoWith(EIGHTY, { 'src/a.ts': hits(85, 100) });
    const build = await repo.pull({ files: { 'src/a.ts': hits(90, 100) }, texts: { [COVERAGE_YML]: BROKEN } });
    expect(build.verdict).toMatchObject({ state: 'failure', rule: 'invalid-file' });
    expect(build.overall?.failing).toEqual(['file']);
    expect(build.checks?.find(({ id }) => id === 'total')).toMatchObject({ state: 'success' });
    await repo.delivered();
    expect(repo.statuses(commitOf(build)).coverage).toContain(
      'failure: .github/coverage.yml line 2, column 3: "minumum" isn’t a known key of "total". Did you mean "minimum"?',
    );
    expect(repo.comment(7)).toMatch(/Fix line 2, column 3 of .*minumum/);
    expect(build.rules?.proposal?.broken).toMatchObject({ line: 2, column: 3 });
  });

  test('on main: the last valid file holds, and all say so', async () => {
    const repo = await scene.repoWith(EIGHTY, { 'src/a.ts': hits(85, 100) });
    const broken = await repo.push({ files: { 'src/a.ts': hits(85, 100) }, texts: { [COVERAGE_YML]: BROKEN } });
    expect(broken.rules).toMatchObject({
      file: { commit_sha: commitOf(repo.main) },
      broken: { commit_sha: commitOf(broken), line: 2, column: 3, problems: 1 },
    });
    const build = await repo.pull({ files: { 'src/a.ts': hits(62, 100) }, changed: ['src/a.ts'] });
    expect(build.verdict).toMatchObject({ state: 'failure', rule: 'minimum' });
    expect(build.rules).toMatchObject({ file: { commit_sha: commitOf(repo.main) }, broken: { line: 2 } });
    expect(build.warnings.join()).toContain('.github/coverage.yml has an error on line 2, column 3: ');
    await repo.delivered();
    expect(repo.comment(7)).toContain('The last valid version applies');
    expect(repo.statuses(commitOf(build)).coverage).toContain('coverage.yml has errors');
  });

  test('that was never valid: the settings hold', async () => {
    const repo = await scene.repoWith({ [COVERAGE_YML]: BROKEN }, { 'src/a.ts': hits(85, 100) }, {});
    await scene.service.change({ id: repo.id, name: repo.name, service: 'github' } as never, {
      commit_status_fail_threshold: 70,
    });
    const build = await repo.pull({ files: { 'src/a.ts': hits(62, 100) }, changed: ['src/a.ts'] });
    expect(build.verdict).toMatchObject({ state: 'failure', rule: 'minimum' });
    expect(build.rules).toMatchObject({ file: null, broken: { line: 2 } });
  });
});

test('config_file off: the file is not read, and nothing is asked', async () => {
  const repo = await scene.repoWith(EIGHTY, { 'src/a.ts': hits(62, 100) }, { config_file: 'off' });
  expect(repo.main.verdict?.state).toBe('success');
  expect(scene.github.requests().filter(({ path }) => path.includes(`${repo.name}/contents/`))).toEqual([]);
});

test('config_file stricter: the file may ask for more, and for no less', async () => {
  const lax = { [COVERAGE_YML]: 'total: { minimum: 10, drop: 50 }\ninformational: true\n' };
  const repo = await scene.repoWith(lax, { 'src/a.ts': hits(85, 100) }, { config_file: 'stricter' });
  const build = await repo.pull({ files: { 'src/a.ts': hits(84, 100) }, changed: ['src/a.ts'] });
  expect(build.verdict).toMatchObject({ state: 'failure' });
  expect(build.verdict?.informational).toBeUndefined();
});

describe('groups', () => {
  const GROUPS = {
    [COVERAGE_YML]: `groups:
  - { name: Backend, paths: [cli/**, '!cli/test/**'], total: { drop: 0 } }
  - { name: Pages, paths: [ui/**], total: { drop: 0 }, status: true }
  - { name: Tools, paths: [tools/**], total: { minimum: 90 }, informational: true }
  - { each: 'packages/*', name: 'Package {1}' }
  - { name: Gone, paths: [gone/**], total: { minimum: 80 } }
`,
  };
  const FILES = {
    'cli/a.ts': hits(8, 10),
    'ui/a.ts': hits(8, 10),
    'tools/a.ts': hits(5, 10),
    'packages/x/a.ts': hits(9, 10),
  };
  const stateOf = (build: Awaited<ReturnType<RulesScene['repoWith']>>['main'], id: string) => {
    const found = build.groups?.find((one) => one.id === id);
    return (
      found && [found.covered_percent, found.coverage_change, found.verdict?.state ?? null, found.verdict?.rule ?? null]
    );
  };

  test('one without a status of its own fails the build, whose total passes', async () => {
    const repo = await scene.repoWith(GROUPS, FILES);
    expect(stateOf(repo.main, 'backend')).toEqual([80, null, 'success', 'first-build']);
    expect(stateOf(repo.main, 'package-x')).toEqual([90, null, null, null]);
    const build = await repo.pull({
      files: { ...FILES, 'cli/a.ts': hits(7, 10), 'ui/a.ts': hits(10, 10) },
      changed: ['cli/a.ts'],
    });
    expect(stateOf(build, 'backend')).toEqual(
      [70, -10, 'failure', 'no-decrease'].map((one) => (one === 'no-decrease' ? 'allowed-drop' : one)),
    );
    expect(build.verdict).toMatchObject({ state: 'failure', rule: 'group' });
    expect(build.overall?.failing).toEqual(['group:backend']);
    expect(build.overall?.would_fail).toEqual([]);
    expect(build.checks?.find(({ id }) => id === 'total')).toMatchObject({ state: 'success' });
    await repo.delivered();
    const statuses = repo.statuses(commitOf(build));
    expect(statuses.coverage).toMatch(/^failure: Backend 70\.00%, −10\.00 points from 80\.00%: no decrease allowed/);
    expect(statuses['coverage (Pages)']).toMatch(/^success: 100\.00%, \+20\.00 points.*not touched/);
  });

  test('an untouched one passes, whatever its number', async () => {
    const repo = await scene.repoWith(GROUPS, FILES);
    const build = await repo.pull({
      files: { ...FILES, 'cli/a.ts': hits(7, 10), 'ui/a.ts': hits(10, 10) },
      changed: ['ui/a.ts'],
    });
    expect(stateOf(build, 'backend')).toEqual([70, -10, 'success', 'untouched']);
    expect(build.verdict?.state).toBe('success');
  });

  test('a change of what it takes out touches it', async () => {
    const repo = await scene.repoWith(GROUPS, FILES);
    const build = await repo.pull({
      files: { ...FILES, 'cli/a.ts': hits(7, 10), 'ui/a.ts': hits(10, 10) },
      changed: ['cli/test/a.test.ts'],
    });
    expect(stateOf(build, 'backend')?.[2]).toBe('failure');
  });

  test('with a status of its own it fails that one alone', async () => {
    const repo = await scene.repoWith(GROUPS, FILES);
    const build = await repo.pull({
      files: { ...FILES, 'ui/a.ts': hits(7, 10), 'cli/a.ts': hits(10, 10) },
      changed: ['ui/a.ts'],
    });
    expect(build.verdict?.state).toBe('success');
    expect(build.overall?.state).toBe('failure');
    await repo.delivered();
    const statuses = repo.statuses(commitOf(build));
    expect(statuses.coverage).toMatch(/^success/);
    expect(statuses['coverage (Pages)']).toMatch(/^failure: 70\.00%/);
  });

  test('informational: it would fail, and fails nothing', async () => {
    const repo = await scene.repoWith(GROUPS, FILES);
    const build = await repo.pull({ files: { ...FILES, 'tools/a.ts': hits(6, 10) }, changed: ['tools/a.ts'] });
    expect(build.overall).toMatchObject({ state: 'success', would_fail: ['group:tools'] });
    expect(build.verdict?.state).toBe('success');
  });

  test('another definition moves no number, and has a base at once', async () => {
    const repo = await scene.repoWith(GROUPS, FILES);
    const build = await repo.push({
      files: FILES,
      texts: { [COVERAGE_YML]: 'groups: [{ name: All, paths: [cli/**, ui/**], total: { drop: 0 } }]\n' },
    });
    expect(build.covered_percent).toBe(repo.main.covered_percent);
    expect(stateOf(build, 'all')).toEqual([80, 0, 'success', 'untouched']);
  });

  test('owners are those of CODEOWNERS at the base', async () => {
    const repo = await scene.repoWith(
      {
        [COVERAGE_YML]: "owners: true\ngroups: [{ owner: '@acme/cli', total: { minimum: 90 } }]\n",
        CODEOWNERS: '/cli/ @acme/cli\n/ui/ @acme/ui\n',
      },
      FILES,
    );
    expect(repo.main.owners?.map(({ owner, covered_percent, files }) => [owner, covered_percent, files])).toEqual([
      ['@acme/cli', 80, 1],
      ['@acme/ui', 80, 1],
      [null, 70, 2],
    ]);
    expect(stateOf(repo.main, 'acme-cli')).toEqual([80, null, 'failure', 'minimum']);
    expect(repo.main.rules?.owners_available).toBe(true);
  });
});

test('ignore and paths: which files count, and where they are', async () => {
  const text = "ignore: ['**/*.gen.ts']\npaths: { /app: src }\n";
  const repo = await scene.repoWith(
    { [COVERAGE_YML]: text },
    {
      'src/a.ts': [1, 0],
      'src/b.gen.ts': [0, 0],
      '/app/a.ts': [0, 1],
      '/app/c.ts': [1],
    },
  );
  expect(repo.main).toMatchObject({ covered_percent: 100, relevant_lines: 3 });
});

describe('a flag whose base, like the build, was made without ignored files', () => {
  const YML = { [COVERAGE_YML]: "ignore: ['gen/**']\nignore_untouched_files: true\n" };
  const UNIT = { fields: { flag_name: 'unit' } };
  const flagOf = (build: BuildJson) => build.flags.find(({ name }) => name === 'unit');

  test('is forgiven what the repo leaves out of account', async () => {
    const repo = await scene.repoWith(YML, { 'a.ts': [1] });
    await repo.push({ files: { 'a.ts': [1, 1, 1, 0], 'gen/b.ts': [1, 1] }, ...UNIT });
    const build = await repo.pull({
      files: { 'a.ts': [1, 1, 0, 0], 'gen/b.ts': [1, 1] },
      changed: ['docs.txt'],
      ...UNIT,
    });
    expect(flagOf(build)).toMatchObject({
      covered_percent: 50,
      coverage_change: -25,
      verdict: { state: 'success', explanation: expect.stringContaining('loss in untouched files alone') },
    });
  });
});

describe('a change of ignore or paths', () => {
  const FILES = { 'a.ts': [1, 1, 1, 0], 'gen/b.ts': [1, 1, 1, 1] };
  const UNIT = { fields: { flag_name: 'unit' } };

  test('is no drop: the base is counted again, with its flags, and the build says so', async () => {
    const repo = await scene.repoWith({ [COVERAGE_YML]: 'total: { drop: 0 }\n' }, { 'a.ts': [1] });
    const before = await repo.push({ files: FILES, ...UNIT });
    expect(before).toMatchObject({ covered_percent: 87.5, warnings: [] });
    const build = await repo.push({
      files: FILES,
      texts: { [COVERAGE_YML]: "total: { drop: 0 }\nignore: ['gen/**']\n" },
      ...UNIT,
    });
    expect(build).toMatchObject({
      covered_percent: 75,
      coverage_change: 0,
      overall: { state: 'success', failing: [] },
      flags: [{ name: 'unit', covered_percent: 75, coverage_change: 0, verdict: { state: 'success' } }],
    });
    expect(build.warnings).toEqual([
      '`ignore` or `paths` of the repo’s file changed since the base, so the base is counted again with the new ' +
        'patterns: ' +
        '75.00% instead of 87.50%.',
    ]);
    const next = await repo.push({ files: FILES, ...UNIT });
    expect(next).toMatchObject({ coverage_change: 0, warnings: [] });
  });

  test('in a pull request is named, and nothing is claimed of the total after the merge', async () => {
    const repo = await scene.repoWith({ [COVERAGE_YML]: 'total: { minimum: 70 }\n' }, FILES);
    const build = await repo.pull({
      files: FILES,
      texts: { [COVERAGE_YML]: "total: { minimum: 80 }\nignore: ['gen/**']\n" },
    });
    expect(build.rules?.proposal).toMatchObject({
      changes: [
        { key: 'total.minimum', from: '70', to: '80' },
        { key: 'ignore', from: null, to: 'gen/**' },
      ],
      would: null,
    });
  });

  test('hides no drop either', async () => {
    const repo = await scene.repoWith({}, { 'a.ts': [1, 1, 1, 0], 'gen/b.ts': hits(0, 20) });
    const build = await repo.push({
      files: { 'a.ts': [1, 1, 0, 0], 'gen/b.ts': hits(0, 20) },
      texts: { [COVERAGE_YML]: "ignore: ['gen/**']\n" },
    });
    expect(build).toMatchObject({ covered_percent: 50, coverage_change: -25, verdict: { state: 'failure' } });
  });
});

test('elsewhere: fail is a check of lines that the change left as they are', async () => {
  const repo = await scene.repoWith(
    { [COVERAGE_YML]: 'elsewhere: fail\ntotal: { drop: 50 }\n' },
    { 'a.ts': [1, 1], 'b.ts': [1] },
  );
  const build = await repo.pull({ files: { 'a.ts': [1, 0], 'b.ts': [1] }, changed: ['b.ts'] });
  expect(build.verdict).toMatchObject({ state: 'failure', rule: 'elsewhere' });
  expect(build.overall?.failing).toEqual(['elsewhere']);
});

test('ratchet: the best total that stood for three builds is the floor, less the tolerance', async () => {
  const texts = { [COVERAGE_YML]: 'total: { drop: 20, ratchet: { tolerance: 1 } }\n' };
  const repo = await scene.repoWith(texts, { 'a.ts': hits(80, 100) });
  await importPerfectPast(repo.name);
  for (const covered of [90, 91, 90, 85]) await repo.push({ files: { 'a.ts': hits(covered, 100) } });
  const low = await repo.pull({ files: { 'a.ts': hits(88, 100) }, changed: ['a.ts'] });
  expect(low.verdict).toMatchObject({ state: 'failure', rule: 'ratchet' });
  expect(low.verdict?.explanation).toContain('below the best total of 90.00% less 1');
  const high = await repo.pull({ number: 8, files: { 'a.ts': hits(89, 100) }, changed: ['a.ts'] });
  expect(high.verdict?.state).toBe('success');
});

describe('a ratchet that is lowered', () => {
  const headers = () => ({
    authorization: `token ${scene.service.adminToken}`,
    'content-type': 'application/json',
  });
  const settingsOf = async (name: string) =>
    (
      await scene.service.api.send<{ ratchet_reset: unknown }>(`/api/v1/repos/github/${name}/settings`, {
        headers: headers(),
      })
    ).json;
  const lower = (name: string, body: object) =>
    scene.service.api.send<{ message?: string; ratchet_reset: unknown }>(`/api/v1/repos/github/${name}/ratchet`, {
      method: 'POST',
      headers: headers(),
      body: JSON.stringify(body),
    });

  test('forgets the totals until then, and the audit log keeps the reason', async () => {
    const texts = { [COVERAGE_YML]: 'total: { drop: 50, ratchet: { tolerance: 0 } }\n' };
    const repo = await scene.repoWith(texts, { 'a.ts': hits(90, 100) });
    for (const _ of [1, 2]) await repo.push({ files: { 'a.ts': hits(90, 100) } });
    const pull = { files: { 'a.ts': hits(70, 100) }, changed: ['a.ts'] };
    expect((await repo.pull(pull)).verdict).toMatchObject({ state: 'failure', rule: 'ratchet' });
    const answer = await lower(repo.name, { reason: ' the old suite is gone ' });
    expect(answer.json.ratchet_reset).toMatchObject({ by: '(ADMIN_TOKEN)', reason: 'the old suite is gone' });
    expect((await settingsOf(repo.name)).ratchet_reset).toEqual(answer.json.ratchet_reset);
    expect((await repo.pull({ ...pull, number: 8 })).verdict?.state).toBe('success');
    for (const covered of [70, 70, 70]) await repo.push({ files: { 'a.ts': hits(covered, 100) } });
    const below = await repo.pull({ number: 9, files: { 'a.ts': hits(69, 100) }, changed: ['a.ts'] });
    expect(below.verdict?.explanation).toContain('below the best total of 70.00%');
    const log = await scene.service.api.send<{ entries: readonly { after?: unknown }[] }>(
      '/api/v1/audit?action=ratchet.lowered',
      { headers: headers() },
    );
    expect(log.json.entries[0]?.after).toEqual({ reason: 'the old suite is gone' });
  });

  test('not without a reason, nor by the repo’s token', async () => {
    const repo = await scene.repoWith({}, { 'a.ts': [1] });
    const without = await lower(repo.name, { reason: ' ' });
    expect([without.status, without.json.message]).toEqual([
      422,
      'reason must be a text of 1 to 500 characters, not " ".',
    ]);
    const byToken = await scene.service.api.send(`/api/v1/repos/github/${repo.name}/ratchet`, {
      method: 'POST',
      headers: { ...headers(), authorization: `token ${repo.token}` },
      body: JSON.stringify({ reason: 'x' }),
    });
    expect(byToken.status).toBeGreaterThanOrEqual(401);
    expect((await settingsOf(repo.name)).ratchet_reset).toBeNull();
  });

  test('on the settings page, where a ratchet holds', async () => {
    const texts = { [COVERAGE_YML]: 'total: { ratchet: { tolerance: 1 } }\n' };
    const repo = await scene.repoWith(texts, { 'a.ts': [1] });
    const page = async (body?: URLSearchParams) =>
      scene.service.api.send(`/github/${repo.name}/settings${body ? '' : '/ratchet'}`, {
        headers: { authorization: headers().authorization, accept: 'text/html' },
        ...(body && { method: 'POST', body, redirect: 'manual' as const }),
      });
    expect((await page()).text).toContain('Lower the ratchet');
    const refused = await page(new URLSearchParams({ do: 'ratchet', reason: '' }));
    expect([refused.status, refused.text.includes('reason must be a text of 1 to 500 characters')]).toEqual([
      422,
      true,
    ]);
    expect((await page(new URLSearchParams({ do: 'ratchet', reason: '<b>old</b>' }))).status).toBe(303);
    expect((await page()).text).toContain('by (ADMIN_TOKEN): &lt;b>old&lt;/b>');
  });
});

/** Another service counted these, so that they are no measure of what stood here. */
async function importPerfectPast(name: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'past-'));
  const totals = { coveredLines: 100, relevantLines: 100, coveredBranches: 0, branches: 0 };
  const commits = [1, 2, 3].map((days) => ({ name: `past ${days}`, days, totals }));
  writeScene(folder, `github/${name}`, commits, scene.service.time.clock.now());
  await importFolder(scene.service, folder);
  await rm(folder, { recursive: true });
}

test('a pull request onto the branch of another is compared with that one', async () => {
  const repo = await scene.repoWith({}, { 'a.ts': hits(50, 100) });
  const first = await repo.pull({ files: { 'a.ts': hits(80, 100) }, changed: ['a.ts'] });
  const second = await repo.pull({
    number: 8,
    baseRef: 'change-7',
    base: commitOf(first),
    files: { 'a.ts': hits(79, 100) },
    changed: ['a.ts'],
  });
  expect(second.base).toMatchObject({ build: first.id, rule: 'merge-base', commits_away: 0 });
  expect(second.verdict?.state).toBe('failure');
});

describe('pages', () => {
  const asAdmin = (path: string) =>
    scene.service.api.send(path, {
      headers: { authorization: `token ${scene.service.adminToken}`, accept: 'text/html' },
    });
  const TEXT = `total: { minimum: 80 }
owners: true
groups:
  - { name: '<b>Back</b>end', paths: [cli/**], total: { drop: 0 } }
  - { name: Pages, paths: [ui/**] }
`;

  test('rules: each value with where it comes from, and the file with its lines', async () => {
    const repo = await scene.repoWith(
      { [COVERAGE_YML]: TEXT },
      { 'cli/a.ts': hits(8, 10) },
      { comment_mode: 'on-change' },
    );
    const { status, text } = await asAdmin(`/github/${repo.name}/rules`);
    expect(status).toBe(200);
    expect(text).toContain('<a href="#l1">coverage.yml, line 1</a>');
    expect(text).toContain('id="l4"');
    expect(text).toContain('Settings</td>');
    expect(text).not.toContain('<b>Back');
    const byToken = await scene.service.api.send(`/github/${repo.name}/rules`, {
      headers: { authorization: `token ${repo.token}`, accept: 'text/html' },
    });
    expect(byToken.text).not.toContain('id="l4"');
  });

  test('rules of a build whose change breaks the file: each error under its line', async () => {
    const repo = await scene.repoWith(EIGHTY, { 'src/a.ts': hits(85, 100) });
    const broken = 'total:\n  minumum: 80\nuploads: 0\n';
    const build = await repo.pull({ files: { 'src/a.ts': hits(85, 100) }, texts: { [COVERAGE_YML]: broken } });
    const { text } = await asAdmin(`/github/${repo.name}/rules?build=${build.id}`);
    expect(text).toContain('has 2 errors in this change, on line 2');
    expect(text).toMatch(/id="l3".*Error.*uploads.*must be a whole number from 1 to 1000/s);
    expect((await asAdmin(`/github/${repo.name}/rules?build=999999`)).status).toBe(404);
  });

  test('groups, owners, one group, and its badge', async () => {
    const files = { 'cli/a.ts': hits(8, 10), 'ui/a.ts': hits(5, 10) };
    const repo = await scene.repoWith({ [COVERAGE_YML]: TEXT, CODEOWNERS: '/cli/ @acme/cli\n' }, files);
    await repo.push({
      files: { ...files, 'cli/a.ts': hits(9, 10) },
      texts: { [COVERAGE_YML]: TEXT.replace('cli/**', 'cli') },
    });
    const groups = await asAdmin(`/github/${repo.name}/groups`);
    expect(groups.text).toContain('&lt;b>Back&lt;/b>end');
    expect(groups.text).toContain('90.00%');
    const owners = await asAdmin(`/github/${repo.name}/groups?by=owner`);
    expect(owners.text).toContain('<code>@acme/cli</code>');
    expect(owners.text).toContain('No owner');
    const one = await asAdmin(`/github/${repo.name}/groups/b-back-b-end`);
    expect(one.text).toContain('other paths from this build on');
    expect(one.text).toContain('badge.svg?group=b-back-b-end');
    const missing = await asAdmin(`/github/${repo.name}/groups/nothing`);
    expect([missing.status, missing.text.includes('has no group')]).toEqual([404, true]);
    const badge = await scene.service.api.send(`/github/${repo.name}/badge.svg?group=pages&repo_token=${repo.token}`);
    expect(badge.text).toContain('50.00%');
    expect(badge.text).toContain('Pages');
  });

  test('thresholds are tried below the file, as the next close judges: by its minimum and its ratchet', async () => {
    const tried = async (text: string) => {
      const repo = await scene.repoWith({ [COVERAGE_YML]: text }, { 'a.ts': hits(90, 100) });
      for (const _ of [1, 2, 3]) await repo.push({ files: { 'a.ts': hits(90, 100) } });
      await repo.pull({ files: { 'a.ts': hits(62, 100) }, changed: ['a.ts'] });
      const form = new URLSearchParams({ do: 'preview', minimum: '10', allowed_drop: '50' });
      const { text: page } = await scene.service.api.send(`/github/${repo.name}/settings`, {
        method: 'POST',
        headers: { authorization: `token ${scene.service.adminToken}`, accept: 'text/html' },
        body: form,
      });
      const table = page.split('aria-label="The newest builds with these thresholds"')[1] ?? '';
      const row = (table.split('<tbody')[1]?.split('</tr>')[0] ?? '').replace(/<[^>]*>/g, ' ');
      return row.match(/Passed|Failed|Would fail/g);
    };
    expect(await tried('informational: false\n')).toEqual(['Failed', 'Passed']);
    expect(await tried('total: { minimum: 80 }\n')).toEqual(['Failed', 'Failed']);
    expect(await tried('total: { ratchet: { tolerance: 1 } }\n')).toEqual(['Failed', 'Failed']);
    expect(await tried('total: { minimum: 80, until: 2999-01-01 }\n')).toEqual(['Would fail', 'Would fail']);
  });

  test('a repo without a file says how to have one', async () => {
    const repo = await scene.repoWith({}, { 'a.ts': [1] });
    expect((await asAdmin(`/github/${repo.name}/groups`)).text).toContain('No groups yet.');
    expect((await asAdmin(`/github/${repo.name}/groups?by=owner`)).text).toContain('No owners are counted.');
    const fresh = await scene.service.newRepo({ service: 'github', name: 'acme/without-builds' });
    expect((await asAdmin(`/github/${fresh.name}/rules`)).text).toContain('No rules yet.');
  });
});

describe('the lines to cover of a group', () => {
  const FILE = {
    [COVERAGE_YML]: `total: off
groups:
  - { name: Back end, paths: [cli/**, '!cli/gen/**'], changes: { minimum: 90 } }
  - { each: 'apps/*', name: 'App {1}', changes: { minimum: 90 } }
  - { owner: '@acme/ui', changes: { minimum: 90 } }
`,
    CODEOWNERS: '/ui/ @acme/ui\n',
  };
  const files = {
    ...{ 'cli/a.ts': [0, 1], 'cli/gen/b.ts': [0, 1], 'ui/c.ts': [0, 1] },
    ...{ 'apps/one/d.ts': [0, 1], 'apps/two/e.ts': [0, 1] },
  };
  let build: Awaited<ReturnType<RulesScene['repoWith']>>['main'];
  beforeAll(async () => {
    const repo = await scene.repoWith(FILE, files);
    build = await repo.pull({ files, changed: Object.keys(files) });
  });
  const shown = async (check: string) => {
    const { text } = await scene.service.api.send(`/builds/${build.id}?check=${check}`, {
      headers: { authorization: `token ${scene.service.adminToken}`, accept: 'text/html' },
    });
    const heads = [...text.matchAll(/<article class="file".*?<h3>(.*?)<\/h3>/gs)];
    return heads.map(([, head = '']) => head.replace(/<[^>]*>/g, '').trim());
  };

  test.each([
    ['group:back-end', ['cli/a.ts']],
    ['group:app-two', ['apps/two/e.ts']],
    ['group:acme-ui', ['ui/c.ts']],
    ['group:nobody', Object.keys(files).toSorted()],
    ['all', Object.keys(files).toSorted()],
  ])('%s', async (check, expected) => {
    expect(build.overall?.failing).toContain('group:app-two');
    expect((await shown(check)).toSorted()).toEqual(expected);
  });
});
