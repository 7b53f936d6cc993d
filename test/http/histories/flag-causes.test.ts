import type { BuildJson } from '@coverage/shared';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { CommitGraph } from '../../support/histories/commit-graph.ts';
import { atHead, atMerge, onBranch, type Pull } from '../../support/histories/places.ts';
import { type Stage, startStage } from '../../support/histories/stage.ts';
import type { Flags, Story } from '../../support/histories/story.ts';
import { waitFor } from '../../support/wait-for.ts';

/** What made a flag fail, and what a repo's settings leave out of account, reach the flag's own status. */

let stage: Stage;
let git: CommitGraph;
/** main, oldest first; each branch below begins at the first except for `later`, which begins at the second. */
let main: readonly string[];
beforeAll(async () => {
  stage = await startStage();
  git = stage.newGit();
  const whole = { 'src/unit.ts': 'a\nb\nc\nd\n', 'src/api.ts': 'w\nx\ny\nz\n' };
  const cut = { 'src/unit.ts': 'c\nd\n' };
  const first = git.commit('first', whole);
  const branches: Readonly<Record<string, Readonly<Record<string, string>>>> = {
    cut,
    elsewhere: { 'docs.txt': 'new\n' },
    both: { ...cut, 'src/api.ts': 'w\nx\ny\nz\nmore\n' },
  };
  for (const [branch, files] of Object.entries(branches)) {
    git.switchTo(branch, first);
    git.commit(branch, files);
  }
  git.switchTo('main');
  main = [first, git.commit('second', { 'main.txt': 'second\n' })];
  git.switchTo('later', 'main');
  git.commit('later', cut);
  git.switchTo('main');
});
afterAll(() => stage.end());

const WHOLE: Flags = { unit: [1, 1, 1, 0], api: [1, 1, 0, 0] };
const ALL_IGNORED = { ignore_removed_code: true, ignore_untouched_files: true };

async function set({ repo }: Story, settings: object): Promise<void> {
  const { api, adminToken } = stage.service;
  const headers = { 'content-type': 'application/json', authorization: `token ${adminToken}` };
  const path = `/api/v1/repos/github/${repo}/settings`;
  const { status } = await api.send(path, { method: 'PUT', headers, body: JSON.stringify(settings) });
  expect(status).toBe(200);
}

/** A story whose main has build 1 with both flags, and a pull request of one of the branches. */
async function begin(branch: string, settings: object = {}): Promise<{ readonly story: Story; readonly pull: Pull }> {
  const story = await stage.begin(git);
  await set(story, settings);
  await story.built('1', onBranch(main[0] ?? ''), WHOLE);
  return { story, pull: story.pull({ number: 7, branch }) };
}

const flagOf = ({ flags }: BuildJson, name: string) => flags.find((flag) => flag.name === name);

const STORIES: readonly (readonly [
  what: string,
  branch: string,
  setting: string,
  now: readonly number[],
  red: string,
  but: string,
  part: string,
])[] = [
  [
    'removed code',
    'cut',
    'ignore_removed_code',
    [1, 0],
    '2 covered lines removed',
    'removed code alone does not fail',
    'removed',
  ],
  [
    'files outside the diff',
    'elsewhere',
    'ignore_untouched_files',
    [1, 1, 0, 0],
    '1 line lost outside the change',
    'loss in untouched files alone does not fail',
    'untouched',
  ],
];

const capital = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1);

const commentOf = (repo: string): string => stage.github.comments(repo, 7)[0]?.body ?? '';

describe.each(STORIES)('a flag that fails by %s alone', (_, branch, setting, now, red, but, part) => {
  const FELL = '50.00%, −25.00 points from 75.00%: no decrease allowed';
  const flags: Flags = { unit: now, api: [1, 1, 0, 0] };

  test('is red, says why and what would pass; green once the repo ignores that and it closes again', async () => {
    const { story, pull } = await begin(branch);
    const build = await story.built('2', atHead(pull), flags);
    await story.settled();
    expect(story.told(pull.head)['coverage (unit)']).toMatch(
      new RegExp(
        `^failure: ${FELL} \\(base [0-9a-f]{7}, merge base\\)\\. ${capital(red)}; cover 1 more( line)? to pass$`,
      ),
    );
    expect(flagOf(build, 'unit')).toMatchObject({
      verdict: { state: 'failure', rule: 'no-decrease', explanation: expect.stringMatching(/ would pass\.$/) },
      cause: { sentence: expect.stringMatching(/ would pass\.$/), parts: [{ part, points: '-25.00%' }] },
    });
    expect(flagOf(build, 'api')).toMatchObject({ verdict: { state: 'success' }, cause: null });
    const [, row] = /\|❌ \[`unit`\]\([^)]*\?check=flag:unit\)\|(.*)\|/.exec(commentOf(story.repo)) ?? [];
    expect(row).toBe(`50.00%|−25.00|no decrease allowed; ${red}; cover 1 more line to pass`);

    await set(story, { [setting]: true });
    await story.upload({ number: '2', at: atHead(pull), flag: 'docs', lines: [1] });
    const again = await story.close('2');
    await story.settled();
    expect(story.told(pull.head)['coverage (unit)']).toMatch(new RegExp(`^success: ${FELL}, but ${but} \\(base `));
    expect(flagOf(again, 'unit')).toMatchObject({
      verdict: {
        state: 'success',
        rule: 'no-decrease',
        explanation: expect.stringMatching(`In this repo, ${but} a flag\\.$`),
      },
      cause: { parts: [{ part }] },
    });
    expect(stage.github.comments(story.repo, 7)).toMatchObject([{ body: expect.not.stringContaining('decreased') }]);
  });

  test('is red under the other setting', async () => {
    const { story, pull } = await begin(branch, { ...ALL_IGNORED, [setting]: false });
    await story.built('2', atMerge(pull), flags);
    await story.settled();
    expect(story.told(pull.head)['coverage (unit)']).toMatch(
      new RegExp(`^failure: ${FELL} \\(base [0-9a-f]{7}, nearest ancestor, 1 commit away\\)\\. .*cover 1 more`, 'i'),
    );
  });
});

test('of two flags one is forgiven, and the other fails by its changed line', async () => {
  const { story, pull } = await begin('both', ALL_IGNORED);
  const build = await story.built('2', atHead(pull), { unit: [1, 0], api: [1, 1, 0, 0, 0] });
  await story.settled();
  expect(story.told(pull.head)).toMatchObject({
    'coverage (api)': expect.stringMatching(
      /^failure: 40\.00%, .*\. 1 of 1 changed line missed; cover 1 more to pass$/,
    ),
    'coverage (unit)': expect.stringMatching(/^success: 50\.00%, .*, but removed code alone does not fail \(/),
    coverage: expect.stringMatching(/^failure: /),
  });
  expect(flagOf(build, 'api')?.cause?.parts).toEqual([{ part: 'changed', points: '-10.00%' }]);
});

test('of a flag that the base itself carried no cause is claimed', async () => {
  const { story } = await begin('later', ALL_IGNORED);
  await story.upload({ number: '2', at: onBranch(main[1] ?? ''), flag: 'api', lines: [1, 1, 0, 0] });
  await story.close('2', 'unit');
  const pull = story.pull({ number: 8, branch: 'later' });
  const build = await story.built('3', atHead(pull), { unit: [1, 0], api: [1, 1, 0, 0] });
  await story.settled();
  expect(await story.baseOf('3')).toBe('2 merge-base 0');
  const SAID = '50.00%, −25.00 points from 75.00%';
  expect(story.told(pull.head)['coverage (unit)']).toMatch(
    new RegExp(
      `^failure: ${SAID}: no decrease allowed \\(base [0-9a-f]{7}, merge base\\)\\. Cover 1 more line to pass$`,
    ),
  );
  expect(flagOf(build, 'unit')).toMatchObject({
    cause: { sentence: 'Covering 1 more line anywhere would pass.', parts: [] },
    verdict: { explanation: expect.stringContaining(`Coverage is ${SAID} in `) },
  });
  // For the build the base's merged report is there.
  expect(build.verdict?.state).toBe('success');
});

test('while the provider does not tell what changed, the statuses of the flags wait with the build’s', async () => {
  const { story, pull } = await begin('cut', ALL_IGNORED);
  const meanwhile = stage.service.time.skipPause;
  const repair = stage.github.faults.when(({ path }) =>
    path.startsWith(`/repos/${story.repo}/compare/`) ? { kind: 'status', status: 502 } : undefined,
  );
  const flags: Flags = { unit: [1, 0], api: [1, 1, 0, 0] };
  for (const [flag, lines] of Object.entries(flags))
    await story.upload({ number: '2', at: atMerge(pull), flag, lines });
  await waitFor(() => story.told(pull.head)['coverage (unit)'], { what: 'the pending status', meanwhile });
  const first = await story.close('2');
  expect(first).toMatchObject({ verdict: { provisional: true }, provisional_since: expect.any(String) });
  await waitFor(async () => (await stage.service.store.outbox.nextDueAt()) === undefined, {
    what: 'all deliveries',
    meanwhile,
  });
  expect(Object.values(story.told(pull.head)).map((text) => text.split(':', 1)[0])).toEqual([
    'pending',
    'pending',
    'pending',
  ]);
  repair();
  await waitFor(async () => (await story.build('2')).provisional_since === null, {
    what: 'the second evaluation',
    meanwhile,
  });
  await story.settled();
  expect(story.told(pull.head)['coverage (unit)']).toMatch(
    /^success: 50\.00%, .*, but removed code alone does not fail \(/,
  );
});
