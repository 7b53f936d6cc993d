import type { BuildJson, JobDiff, JobPayload } from '@coverage/shared';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { job, shaOf, sourceFile } from '../support/coverage-api.ts';
import { atMerge, onBranch } from '../support/histories/places.ts';
import { type Stage, startStage } from '../support/histories/stage.ts';
import { type Service, startService, warningsOf } from '../support/service.ts';
import { waitFor } from '../support/wait-for.ts';

/** The changed lines of a build, where the upload is the only one to tell them, or not. */

const [BASE, HEAD, MERGE] = [shaOf('base'), shaOf('head'), shaOf('merge')];
/** One line put in behind line 2, and the last of six rewritten. */
const HUNKS: JobDiff['files'][number]['hunks'] = [
  [3, 0, 3, 1],
  [6, 1, 7, 1],
];
const diff = (stated: Partial<JobDiff> = {}): JobDiff => ({
  base_sha: BASE,
  head_sha: MERGE,
  files: [
    { name: 'src/a.ts', kind: 'modified', hunks: HUNKS },
    { name: 'src/gone.ts', kind: 'removed', hunks: null },
    { name: 'src/new.ts', kind: 'added', hunks: [[1, 0, 1, 2]] },
    { name: 'docs/x.md', kind: 'modified', hunks: null },
  ],
  complete: true,
  ...stated,
});
const BEFORE = [
  sourceFile('src/a.ts', [1, 1, 1, 1, 1, 1]),
  sourceFile('src/gone.ts', [1, 1]),
  sourceFile('src/b.ts', [1, 1]),
];
/** Line 3 is new and covered, line 7 rewritten and missed. */
const AFTER = [sourceFile('src/a.ts', [1, 1, 5, 1, 1, 1, 0]), sourceFile('src/b.ts', [1, 1])];
const PULL = {
  service_pull_request: '7',
  commit_sha: HEAD,
  service_tested_sha: MERGE,
  service_base_sha: BASE,
  service_base_branch: 'main',
  git: { branch: 'feat/x', head: { id: HEAD } },
};

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

/** A repo with a build of the base commit, and what it takes to send the pull request's. */
async function begin(fields: Record<string, unknown> = {}, settings: object = {}) {
  const repo = await service.newRepo(fields);
  const { status } = await service.api.send(`/api/v1/repos/${repo.service}/${repo.name}/settings`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json', authorization: `token ${service.adminToken}` },
    body: JSON.stringify(settings),
  });
  expect(status).toBe(200);
  const send = (number: string, more: Partial<JobPayload> | Record<string, unknown>): Promise<BuildJson> =>
    service.uploadAlone({ ...job({ repo_token: repo.token, service_number: number, source_files: AFTER }), ...more });
  await send('1', { ...onBranch(BASE), source_files: BEFORE });
  return { repo, send, pull: (sent: unknown) => send('2', { ...PULL, diff: sent }) };
}

describe.each([
  ['a manual repo', { service: 'manual' }],
  ['a repo of GitHub, without a token', { service: 'github', name: 'acme/tokenless' }],
])('a pull request of %s', (_, fields) => {
  test('has the coverage of its changed lines, by the upload’s word, and the cause of its change', async () => {
    const { pull } = await begin(fields, { patch_status: true, patch_minimum: 60 });
    const build = await pull(diff());
    expect(build).toMatchObject({
      provisional_since: null,
      base: { rule: 'merge-parent', commit_sha: BASE },
      patch: {
        source: 'upload',
        complete: true,
        covered_percent: 50,
        covered_lines: 1,
        relevant_lines: 2,
        files: [{ name: 'src/a.ts', covered_lines: 1, missed_lines: 1, uncovered: [[7, 7]] }],
        unmeasured: ['src/new.ts'],
        verdict: { state: 'failure', rule: 'patch-minimum' },
      },
      cause: { parts: expect.arrayContaining([{ part: 'changed', points: expect.stringMatching(/^-/) }]) },
    });
    const page = await (await fetch(build.url, { headers: { authorization: `token ${service.adminToken}` } })).text();
    expect(page).toContain('as the upload reported them');
    expect(page).toContain('50.00% of the change covered: lines 1 of 2');
  });
});

test('changed lines must reach the total of the base, whose number is named', async () => {
  const { pull } = await begin({}, { patch_status: true, patch_minimum: 'base' });
  const { patch, base } = await pull(diff());
  expect(patch).toMatchObject({ covered_percent: 50, verdict: { state: 'failure', rule: 'patch-minimum' } });
  expect(patch?.verdict?.explanation).toMatch(
    /: below the base's total of \d+\.\d\d% in .{7}\. Covering 1 more changed line/,
  );
  expect(base?.commit_sha).toBe(BASE);
});

test('without a diff there is nothing of all that', async () => {
  const { send } = await begin();
  expect(await send('2', PULL)).toMatchObject({ patch: null, cause: { parts: [] } });
});

test('settings that need to know what changed take effect', async () => {
  const { send } = await begin({}, { ignore_untouched_files: true });
  const lost = [sourceFile('src/a.ts', [1, 1, 5, 1, 1, 1, 1]), sourceFile('src/b.ts', [1, 0])];
  expect(await send('2', { ...PULL, source_files: lost })).toMatchObject({ verdict: { state: 'failure' } });
  expect(await send('3', { ...PULL, source_files: lost, diff: diff() })).toMatchObject({
    verdict: { state: 'success' },
  });
});

test('a push is explained against the build of the very commit that its diff begins at, and no other', async () => {
  const { send } = await begin();
  const push = (number: string, name: string, base: string) =>
    send(number, { ...onBranch(shaOf(name)), diff: diff({ base_sha: base, head_sha: shaOf(name) }) });
  expect(await push('2', 'one', BASE)).toMatchObject({
    base: { rule: 'previous-on-branch', commit_sha: BASE },
    patch: { source: 'upload', covered_percent: 50 },
    cause: { parts: expect.any(Array) },
  });
  expect(await push('3', 'two', BASE)).toMatchObject({
    base: { commit_sha: shaOf('one') },
    patch: null,
    cause: null,
  });
});

test('a diff of a pull request that begins elsewhere than its base is what the pull request changed', async () => {
  const { send } = await begin();
  const elsewhere = { ...PULL, service_base_sha: shaOf('unknown'), diff: diff({ base_sha: shaOf('unknown') }) };
  expect(await send('2', elsewhere)).toMatchObject({
    base: { rule: 'base-branch', commit_sha: BASE },
    patch: { source: 'upload', covered_percent: 50 },
    cause: { parts: [] },
  });
});

test.each<[string, unknown, RegExp]>([
  [
    'no diff at all',
    { files: 7 },
    /^Job 2\.1: The upload's diff was not used: diff\.files must be an array, but is 7\.$/,
  ],
  [
    'hunks in disorder',
    diff({
      files: [
        {
          name: 'a',
          kind: 'modified',
          hunks: [
            [9, 1, 9, 1],
            [1, 1, 1, 1],
          ],
        },
      ],
    }),
    /^Job 2\.1: .*must be behind the one before/,
  ],
  ['too much of it', 'x'.repeat(5 * 2 ** 20), /^Job 2\.1: .* at most 4194304 are allowed; list fewer files/],
  ['one that leads elsewhere', diff({ head_sha: HEAD }), /^Job 1 brought a diff that leads to .*; it is not used\.$/],
])('%s never refuses an upload', async (_, sent, warning) => {
  const { pull } = await begin();
  const build = await pull(sent);
  expect(build).toMatchObject({ state: 'closed', patch: null, covered_lines: 8, relevant_lines: 9 });
  expect(warningsOf(build)).toContainEqual(expect.stringMatching(warning));
});

test('jobs of one build: the first diff counts, another is a warning, the same upload twice stays one', async () => {
  const { repo } = await begin();
  const send = (flag: string, sent: JobDiff | undefined) => {
    const more = {
      service_number: '2',
      parallel: true,
      flag_name: flag,
      source_files: AFTER,
      ...(sent === undefined ? {} : { diff: sent }),
    };
    return service.upload({ ...job({ repo_token: repo.token }), ...more, ...PULL });
  };
  await send('plain', undefined);
  await send('unit', diff());
  await send('e2e', diff());
  await send('e2e', undefined);
  await send('other', diff({ files: [{ name: 'src/b.ts', kind: 'added', hunks: [[1, 0, 1, 2]] }] }));
  const build = await service.close(repo.token, '2');
  expect(build.jobs).toHaveLength(4);
  expect(build.patch).toMatchObject({ source: 'upload', files: [{ name: 'src/a.ts' }] });
  expect(warningsOf(build).filter((warning) => warning.includes('diff'))).toEqual([
    expect.stringMatching(/^Job 4 brought another diff .*; the first counts/),
  ]);
});

test('a flag that is carried forward moves with the lines that the upload says changed', async () => {
  const { repo, send } = await begin();
  const lines = (hits: (number | null)[], digest: string) => [
    { name: 'src/a.ts', source_digest: digest, coverage: hits },
  ];
  await send('10', { ...onBranch(shaOf('c1')), flag_name: 'e2e', source_files: lines([0, 0, 1, 1, 1, 1], 'old') });
  const more = {
    service_number: '11',
    parallel: true,
    flag_name: 'unit',
    source_files: lines([null, null, 0, null, null, null, 0], 'new'),
  };
  const sent = diff({ base_sha: shaOf('c1'), head_sha: shaOf('c2') });
  await service.upload({ ...job({ repo_token: repo.token }), ...more, ...onBranch(shaOf('c2')), diff: sent });
  const build = await service.close(repo.token, '11', 'e2e');
  // Lines 1 and 2 stay missed, 3 to 5 are covered as 4 to 6, the last was rewritten.
  expect(build).toMatchObject({ covered_lines: 3, relevant_lines: 7, flags: [{ name: 'e2e' }, { name: 'unit' }] });
  expect(warningsOf(build).join()).not.toContain('carried flags changed since');
});

/**
 * A push whose job carries the flag `e2e` of the commit before, and brings a diff with this hunk of the carried file.
 */
async function closeMoved(hunk: [number, number, number, number]) {
  const { repo, send } = await begin();
  const [before, after] = [shaOf('c1'), shaOf('c2')];
  const lines = (digest: string) => [{ name: 'src/a.ts', source_digest: digest, coverage: [1, 0] }];
  await send('10', { ...onBranch(before), flag_name: 'e2e', source_files: lines('old') });
  const files = [{ name: 'src/a.ts', kind: 'modified', hunks: [hunk] }];
  await service.upload({
    ...job({
      repo_token: repo.token,
      service_number: '11',
      parallel: true,
      flag_name: 'unit',
      source_files: lines('new'),
    }),
    ...onBranch(after),
    diff: { base_sha: before, head_sha: after, complete: true, files },
  });
  const memory = process.memoryUsage.rss();
  const build = await service.close(repo.token, '11', 'e2e');
  return { build, memory: process.memoryUsage.rss() - memory };
}

describe('a small diff that claims a very large text', () => {
  test.each<[[number, number, number, number]]>([
    [[1, 0, 1, 2_147_483_640]],
    [[3, 0, 3, 20_000_000]],
    [[1, 0, 1, 2 ** 22 + 1]],
  ])('%j is not used, and holds nothing up', async (hunk) => {
    const { build, memory } = await closeMoved(hunk);
    expect(build).toMatchObject({ state: 'closed', covered_lines: 1, relevant_lines: 2 });
    expect(warningsOf(build)).toContainEqual(expect.stringContaining("The upload's diff was not used: "));
    expect(memory).toBeLessThan(200 * 2 ** 20);
  });

  test('the largest that is used takes little', async () => {
    const { build, memory } = await closeMoved([1, 0, 1, 2 ** 22]);
    expect(build).toMatchObject({ state: 'closed', covered_lines: 2, relevant_lines: 4 });
    expect(warningsOf(build).join()).not.toContain('diff');
    expect(memory).toBeLessThan(400 * 2 ** 20);
  });
});

describe('beside a git host', () => {
  let stage: Stage;
  let git: ReturnType<Stage['newGit']>;
  beforeAll(async () => {
    stage = await startStage();
    git = stage.newGit();
    git.commit('base', { 'src/a.ts': 'a\nb\nc\nd\ne\nf\n' });
    git.switchTo('topic');
    git.commit('head', { 'src/a.ts': 'a\nb\nnew\nc\nd\ne\nF\n' });
    git.switchTo('main');
  });
  afterAll(() => stage.end());

  /** The build of a pull request with a diff that says more than the host would: line 1 changed too. */
  async function buildPull(settings: object = {}) {
    const story = await stage.begin(git);
    const repo = `/api/v1/repos/github/${story.repo}`;
    const headers = { 'content-type': 'application/json', authorization: `token ${stage.service.adminToken}` };
    await stage.service.api.send(`${repo}/settings`, { method: 'PUT', headers, body: JSON.stringify(settings) });
    const { token } = (await stage.service.api.send<{ token: string }>(repo, { headers })).json;
    const pull = story.pull({ number: 7, branch: 'topic' });
    const send = (number: string, more: object) =>
      stage.service.uploadAlone({ ...job({ repo_token: token, service_number: number }), ...more });
    await send('1', { ...onBranch(pull.base), source_files: [sourceFile('src/a.ts', [1, 1, 1, 1, 1, 1])] });
    const hunks: JobDiff['files'][number]['hunks'] = [[1, 1, 1, 1], ...(HUNKS ?? [])];
    const sent = diff({
      base_sha: pull.base,
      head_sha: pull.merge,
      files: [{ name: 'src/a.ts', kind: 'modified', hunks }],
    });
    return {
      ...story,
      pull,
      build: () =>
        send('2', { ...atMerge(pull), diff: sent, source_files: [sourceFile('src/a.ts', [1, 1, 5, 1, 1, 1, 0])] }),
    };
  }
  const comment = (repo: string) => waitFor(() => stage.github.comments(repo, 7)[0]?.body, { what: 'the comment' });

  test('the host’s word counts where it tells everything', async () => {
    const { repo, build } = await buildPull();
    expect(await build()).toMatchObject({ patch: { source: 'provider', covered_lines: 1, relevant_lines: 2 } });
    expect(await comment(repo)).toMatch(
      / · changed lines 50\.00%\n\n\*\*No decrease allowed\. Cover the missed line in this change to pass\./,
    );
  });

  test.each([
    ['refuses to compare', 403],
    ['does not answer', 502],
  ])('the upload’s counts where the host %s, and nothing is provisional', async (_, status) => {
    const { repo, build, pull, told } = await buildPull({ patch_status: true, patch_minimum: 60 });
    const repair = stage.github.faults.when(({ path }) =>
      path.startsWith(`/repos/${repo}/compare/`) ? { kind: 'status', status } : undefined,
    );
    expect(await build()).toMatchObject({
      provisional_since: null,
      patch: { source: 'upload', covered_lines: 2, relevant_lines: 3, verdict: { state: 'success' } },
    });
    expect(await comment(repo)).toMatch(
      / · changed lines 66\.66%\n[\s\S]*Changed lines are as the upload reported them\./,
    );
    await waitFor(() => told(pull.head)['coverage/patch']?.startsWith('success') || undefined, {
      what: 'the status of the changed lines',
    });
    repair();
  });
});
