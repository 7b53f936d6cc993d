import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { CommitGraph } from '../../support/histories/commit-graph.ts';
import { everyOrder } from '../../support/histories/orders.ts';
import { asMerge, atHead, atMerge, onBranch, type Place, type Pull } from '../../support/histories/places.ts';
import { type Stage, startStage } from '../../support/histories/stage.ts';
import type { Story } from '../../support/histories/story.ts';
import { someOf } from '../../support/property-runs.ts';

let stage: Stage;
let git: CommitGraph;
/** main: root, base, next. The branch topic begins at base. */
let commits: { readonly root: string; readonly base: string; readonly next: string };
beforeAll(async () => {
  stage = await startStage();
  git = stage.newGit();
  const root = git.commit('root', { 'root.txt': 'root\n' });
  const base = git.commit('base', { 'base.txt': 'base\n' });
  git.switchTo('topic');
  git.commit('topic', { 'topic.txt': 'topic\n' });
  git.switchTo('main');
  commits = { root, base, next: git.commit('next', { 'next.txt': 'next\n' }) };
});
afterAll(() => stage.end());

const STEPS = {
  /** Its base, main's build of a commit, is 50.00% first and 75.00% with the late job. */
  'base opens': (story: Story, { base }: Places) =>
    story.upload({ number: 'b', at: base, flag: 'unit', lines: [1, 0] }),
  'base closes': (story: Story) => story.close('b'),
  'base gets a late job': (story: Story, { base }: Places) =>
    story.upload({ number: 'b', at: base, flag: 'e2e', lines: [1, 1] }),
  'base closes again': (story: Story) => story.close('b'),
  opens: (story: Story, { own }: Places) => story.upload({ number: 'own', at: own, flag: 'unit', lines: [1, 0] }),
  closes: (story: Story) => story.close('own'),
} as const;
type Step = keyof typeof STEPS;
interface Places {
  readonly base: Place;
  readonly own: Place;
}

const LATE: readonly Step[] = ['base gets a late job', 'base closes again'];
const OWN: readonly Step[] = ['opens', 'closes'];
const ORDERS = everyOrder<Step>(['base opens', 'base closes', ...LATE], OWN);
/** The late job comes when all the rest is over. */
const SHORT_ORDERS = everyOrder<Step>(['base opens', 'base closes'], OWN).map((order) => [...order, ...LATE]);
/** Rule 18: the base of a push is a build that was opened before it. */
const PUSH_ORDERS = ORDERS.filter((order) => order.indexOf('base opens') < order.indexOf('opens'));

/** Tells a story in one order, after main's first commit was built. */
async function tell(order: readonly Step[], at: (story: Story) => Places): Promise<Story> {
  const story = await stage.begin(git);
  const places = at(story);
  await story.built('0', onBranch(commits.root), { unit: [1, 1], e2e: [1, 0] });
  for (const step of order) await STEPS[step](story, places);
  await story.settled();
  return story;
}

const pullOf = (story: Story): Pull => story.pull({ number: 7, branch: 'topic' });
/** What commit is told once everything is known, whatever the order. */
const FINAL = {
  coverage: expect.stringMatching(/^failure: 50\.00%, −25\.00 points from 75\.00%: .*\(base /),
  'coverage (unit)': expect.stringMatching(/^success: 50\.00%, unchanged \(base /),
  'coverage (e2e)': expect.stringMatching(/^success: not reported; last 100\.00% in [0-9a-f]{7}$/),
};

describe('a pull request’s verdict is the same whatever comes first (rule 20)', () => {
  type Way = readonly [how: string, orders: typeof ORDERS, rule: string, places: (story: Story) => Places];
  const ways: readonly Way[] = [
    [
      'tested at its head',
      ORDERS,
      'b merge-base 0',
      (story) => ({ base: onBranch(commits.base), own: atHead(pullOf(story)) }),
    ],
    [
      'tested at its merge commit',
      SHORT_ORDERS,
      'b merge-parent 0',
      (story) => ({ base: onBranch(commits.next), own: atMerge(pullOf(story)) }),
    ],
    [
      'whose merge commit is all that is sent, and whose base is an ancestor',
      SHORT_ORDERS,
      'b ancestor 1',
      (story) => ({ base: onBranch(commits.base), own: asMerge(pullOf(story)) }),
    ],
  ];
  for (const [how, orders, rule, places] of ways) {
    test.each(someOf(orders).map((order) => [order.join(', '), order] as const))(`${how}: %s`, async (_, order) => {
      const story = await tell(order, places);
      expect(await story.baseOf('own')).toBe(rule);
      expect((await story.build('own')).verdict).toMatchObject({
        state: 'failure',
        rule: 'no-decrease',
        provisional: false,
      });
      expect(story.told(git.sha('topic'))).toEqual(FINAL);
      const comments = stage.github.comments(story.repo, 7);
      expect(comments.map(({ body }) => body)).toEqual([expect.stringContaining('75.00%')]);
    });
  }
});

describe('a push’s verdict is the same whatever comes first (rule 20)', () => {
  test.each(someOf(PUSH_ORDERS).map((order) => [order.join(', '), order] as const))('%s', async (_, order) => {
    const story = await tell(order, () => ({ base: onBranch(commits.base), own: onBranch(commits.next) }));
    expect(await story.baseOf('own')).toBe('b ancestor 1');
    expect((await story.build('own')).verdict).toMatchObject({ state: 'failure', rule: 'no-decrease' });
    expect(story.told(commits.next)).toEqual(FINAL);
  });
});

describe('who is evaluated again (rule 20)', () => {
  test('of a pull request the newest build alone', async () => {
    const own = stage.newGit();
    const base = own.commit('base', { 'base.txt': 'base\n' });
    own.switchTo('topic');
    own.commit('first', { 'topic.txt': 'first\n' });
    own.switchTo('main');
    const story = await stage.begin(own);
    const before = pullOf(story);
    own.switchTo('topic');
    own.commit('second', { 'topic.txt': 'second\n' });
    own.switchTo('main');
    const after = pullOf(story);
    await story.built('1', atHead(before));
    await story.built('2', atHead(after));
    await story.built('b', onBranch(base), { unit: [1, 1] });
    await story.settled();
    expect([await story.baseOf('1'), await story.baseOf('2')]).toEqual(['none', 'b merge-base 0']);
    expect(story.told(before.head).coverage).toMatch(/^success: 50\.00%: no earlier build/);
    expect(story.told(after.head).coverage).toMatch(/^failure: 50\.00%, .* from 100\.00%: .*\(base /);
  });

  test('of a branch the newest build alone', async () => {
    const own = stage.newGit();
    const [base = '', one = '', two = ''] = ['base', 'one', 'two'].map((name) =>
      own.commit(name, { 'main.txt': name }),
    );
    const story = await stage.begin(own);
    await story.upload({ number: 'b', at: onBranch(base), flag: 'unit', lines: [1, 1] });
    await story.built('1', onBranch(one));
    await story.built('2', onBranch(two));
    await story.close('b');
    await story.settled();
    expect([await story.baseOf('1'), await story.baseOf('2')]).toEqual(['none', '1 ancestor 1']);
  });

  test('of several pull requests each', async () => {
    const story = await stage.begin(git);
    for (const number of [7, 8]) {
      await story.built(`own ${number}`, atHead(story.pull({ number, branch: 'topic' })));
    }
    await story.built('b', onBranch(commits.base), { unit: [1, 1] });
    await story.settled();
    expect([await story.baseOf('own 7'), await story.baseOf('own 8')]).toEqual(['b merge-base 0', 'b merge-base 0']);
  });

  test('who asked for a commit or a branch that had no build then', async () => {
    const story = await stage.begin(git);
    const pull = pullOf(story);
    await story.built('0', onBranch(commits.base));
    await story.built('own', { ...atHead(pull), compare_sha: commits.next, compare_ref: 'release' });
    const bases = [await story.baseOf('own')];
    for (const [number, commit, branch] of [
      ['1', commits.root, 'release'] as const,
      ['2', commits.next, 'main'] as const,
    ]) {
      await story.built(number, onBranch(commit, branch));
      await story.settled();
      bases.push(await story.baseOf('own'));
    }
    expect(bases).toEqual(['0 merge-base 0', '1 compare-ref', '2 compare-sha']);
  });

  test('though base and build are closed at the same moment', async () => {
    for (let round = 0; round < 5; round += 1) {
      const story = await stage.begin(git);
      await story.upload({ number: 'b', at: onBranch(commits.base), flag: 'unit', lines: [1, 1] });
      await story.upload({ number: 'own', at: atHead(pullOf(story)), flag: 'unit', lines: [1, 0] });
      await Promise.all([story.close('own'), story.close('b')]);
      await story.settled();
      expect(await story.baseOf('own')).toBe('b merge-base 0');
      expect(story.told(git.sha('topic')).coverage).toMatch(/^failure: 50\.00%, .* from 100\.00%: .*\(base /);
    }
  });

  test('whose base comes from nearer than the one taken', async () => {
    const story = await stage.begin(git);
    await story.built('0', onBranch(commits.root));
    const bases: string[] = [];
    await story.built('own', atMerge(pullOf(story)));
    bases.push(await story.baseOf('own'));
    for (const [number, commit] of [['1', commits.base] as const, ['2', commits.next] as const]) {
      await story.built(number, onBranch(commit));
      await story.settled();
      bases.push(await story.baseOf('own'));
    }
    expect(bases).toEqual(['0 ancestor 2', '1 ancestor 1', '2 merge-parent 0']);
  });
});
