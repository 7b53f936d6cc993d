import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { CommitGraph } from '../../support/histories/commit-graph.ts';
import { atHead, onBranch, type Place } from '../../support/histories/places.ts';
import { type Stage, startStage } from '../../support/histories/stage.ts';
import type { Flags, Story } from '../../support/histories/story.ts';

/** Builds that nobody closes end soon: what they lack is named (rule 13). */
let stage: Stage;
let git: CommitGraph;
/** main, oldest first; the branch topic begins at the first. */
let main: readonly string[];
beforeAll(async () => {
  stage = await startStage({ BUILD_QUIET_PERIOD: '400ms' });
  git = stage.newGit();
  const first = git.commit('first', { 'main.txt': 'first\n' });
  git.switchTo('topic');
  git.commit('topic', { 'topic.txt': 'topic\n' });
  git.switchTo('main');
  main = [first, ...[1, 2, 3, 4, 5].map((step) => git.commit(`main ${step}`, { 'main.txt': `${step}\n` }))];
});
afterAll(() => stage.end());

const BOTH: Flags = { unit: [1, 0], nightly: [1, 1, 1, 0, 0] };
const place = (step: number): Place => onBranch(main[step] ?? '');

/** Uploads the flag unit and lets the deadline come. */
async function endsByDeadline(story: Story, number: string, at: Place): Promise<void> {
  await story.upload({ number, at, flag: 'unit', lines: [1, 0] });
  await stage.service.closed((await story.build(number)).id);
  await story.settled();
}

describe('a flag of the base that does not report', () => {
  test('after a close is a success that says where it was last, without a share in the total (rule 17)', async () => {
    const story = await stage.begin(git);
    await story.built('70', place(0), BOTH);
    const build = await story.built('71', place(1));
    await story.settled();
    expect(build).toMatchObject({ closed_by: 'webhook', covered_percent: 50, verdict: { state: 'failure' } });
    expect(story.told(main[1] ?? '')).toMatchObject({
      'coverage (nightly)': `success: not reported; last 60.00% in ${main[0]?.slice(0, 7)}`,
      'coverage (unit)': expect.stringMatching(/^success: 50\.00%/),
    });
  });

  test('is the cause that is named where the total fell without it', async () => {
    const story = await stage.begin(git);
    await story.built('70', place(0), BOTH);
    const build = await story.built('71', place(1));
    await story.settled();
    expect(build.cause?.sentence).toBe(
      'Flag nightly did not report: 5 lines of 1 file are not in this build; carry it forward or run it; covering ' +
        '1 more line anywhere would pass.',
    );
    // There is no room for both, and what would pass is worth more.
    expect(story.told(main[1] ?? '').coverage).toMatch(/1 commit away\)\. Cover 1 more line to pass$/);
    await story.upload({ number: '72', at: place(2), flag: 'unit', lines: [1, 0] });
    expect((await story.close('72', 'nightly')).cause).toBeNull();
  });

  test('after a deadline is an error, of the flag and of the build, until it reports (rule 13)', async () => {
    const story = await stage.begin(git);
    await story.built('70', place(0), BOTH);
    await endsByDeadline(story, '71', place(1));
    expect((await story.build('71')).verdict).toMatchObject({ state: 'incomplete', rule: 'incomplete' });
    const { coverage, ...flags } = story.told(main[1] ?? '');
    expect(coverage).toMatch(/^error: incomplete: nightly did not report/);
    expect(flags).toEqual({
      'coverage (nightly)': expect.stringMatching(/^error: /),
      'coverage (unit)': expect.stringMatching(/^success: /),
    });
    await story.upload({ number: '71', at: place(1), flag: 'nightly', lines: [1, 1, 1, 0, 0] });
    await story.close('71');
    await story.settled();
    const states = Object.values(story.told(main[1] ?? '')).map((text) => text.split(':', 1)[0]);
    expect(states).toEqual(['success', 'success', 'success']);
  });

  test('after a deadline: the build is no base while a complete one is there, however near it is', async () => {
    const story = await stage.begin(git);
    await story.built('70', place(0), BOTH);
    await endsByDeadline(story, '71', place(1));
    await story.built('72', place(2), BOTH);
    expect(await story.baseOf('72')).toBe('70 ancestor 2');
  });

  test('after a deadline: once it reported, the build is the base of what looked past it (rule 20)', async () => {
    const story = await stage.begin(git);
    await story.built('70', place(0), BOTH);
    await endsByDeadline(story, '71', place(1));
    await story.built('72', place(2), BOTH);
    await story.upload({ number: '71', at: place(1), flag: 'nightly', lines: [1, 1, 1, 1, 1] });
    await story.close('71');
    await story.settled();
    expect(await story.baseOf('72')).toBe('71 ancestor 1');
    expect(story.told(main[2] ?? '')['coverage (nightly)']).toMatch(/^failure: .* from 100\.00%: .*\(base /);
  });

  test.each([
    [4, 'incomplete'],
    [5, 'success'],
  ])('lacks only while one of the last 5 builds of the base branch uploaded it: %i since, %s', async (since, state) => {
    const story = await stage.begin(git);
    await story.built('70', place(0), BOTH);
    for (let step = 1; step <= since; step += 1) await story.built(String(70 + step), place(step));
    const pull = story.pull({ number: 7, branch: 'topic' });
    await endsByDeadline(story, 'own', atHead(pull));
    expect(await story.baseOf('own')).toBe('70 merge-base 0');
    const { flags } = await story.build('own');
    expect(flags.find(({ name }) => name === 'nightly')?.verdict.state).toBe(state);
    expect(story.told(pull.head)['coverage (nightly)']).toMatch(
      state === 'success' ? /^success: not reported/ : /^error: /,
    );
  });
});

describe('a nightly build of its own, with another flag, on main’s last commit', () => {
  test('is nobody’s base where the usual build of that commit is there', async () => {
    const story = await stage.begin(git);
    await story.built('70', place(0));
    await story.built('night-1', place(0), { nightly: [1, 1, 1, 1] });
    const pull = story.pull({ number: 7, branch: 'topic' });
    await story.built('71', atHead(pull));
    await story.built('72', place(1));
    await story.settled();
    expect([await story.baseOf('71'), await story.baseOf('72')]).toEqual(['70 merge-base 0', '70 ancestor 1']);
    expect(story.told(pull.head)).toMatchObject({
      coverage: expect.stringMatching(/^success: 50\.00%, unchanged/),
      'coverage (unit)': expect.stringMatching(/^success: 50\.00%/),
    });
  });
});
