import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { CommitGraph } from '../../support/histories/commit-graph.ts';
import { everyOrder } from '../../support/histories/orders.ts';
import { asMerge, atHead, atMerge, onBranch, type Place, type Pull } from '../../support/histories/places.ts';
import { type Stage, startStage } from '../../support/histories/stage.ts';
import type { Flags, Story } from '../../support/histories/story.ts';
import { someOf } from '../../support/property-runs.ts';

/** Each workflow is a build with a flag of its own; those of one commit share its contexts. */
let stage: Stage;
let git: CommitGraph;
/** main: base, next. The branch topic begins at base. */
let base: string;
let next: string;
beforeAll(async () => {
  stage = await startStage();
  git = stage.newGit();
  base = git.commit('base', { 'base.txt': 'base\n' });
  git.switchTo('topic');
  git.commit('topic', { 'topic.txt': 'topic\n' });
  git.switchTo('main');
  next = git.commit('next', { 'next.txt': 'next\n' });
});
afterAll(() => stage.end());

const UNIT: Flags = { unit: [1, 1] };
const E2E: Flags = { e2e: [1, 1] };
const pullOf = (story: Story): Pull => story.pull({ number: 7, branch: 'topic' });

const STEPS = {
  '100 opens': (story: Story, at: Place) => story.upload({ number: '100', at, flag: 'unit', lines: [0, 0] }),
  '100 closes': (story: Story) => story.close('100'),
  '101 opens': (story: Story, at: Place) => story.upload({ number: '101', at, flag: 'e2e', lines: [1, 1] }),
  '101 closes': (story: Story) => story.close('101'),
} as const;
type Step = keyof typeof STEPS;
const ORDERS = everyOrder<Step>(['100 opens', '100 closes'], ['101 opens', '101 closes']);

interface Told {
  readonly name: string;
  readonly story: Story;
  readonly pull: Pull;
}

/** Tells one story for each order, all at once, and waits until everything is said. */
async function tellAll<T>(
  orders: readonly (readonly T[])[],
  tell: (story: Story, order: readonly T[], pull: Pull) => Promise<void>,
): Promise<readonly Told[]> {
  const told = await Promise.all(
    someOf(orders).map(async (order) => {
      const story = await stage.begin(git);
      const pull = pullOf(story);
      await tell(story, order, pull);
      return { name: order.join(', '), story, pull };
    }),
  );
  await told[0]?.story.settled();
  return told;
}

/** Each flag’s context says what the build that reports it came to, whichever build came last. */
async function expectEachFlagsOwn(
  { name, story, pull }: Told,
  bases: Readonly<Record<'unit' | 'e2e', string>>,
): Promise<void> {
  expect({ name, ...story.told(pull.head) }).toEqual({
    name,
    coverage: expect.any(String),
    'coverage (unit)': expect.stringMatching(/^failure: 0\.00%, .* from 100\.00%: .*\(base /),
    'coverage (e2e)': expect.stringMatching(/^success: 100\.00%, unchanged \(base /),
  });
  expect([name, await story.baseOf('100'), await story.baseOf('101')]).toEqual([
    name,
    `${bases.unit} merge-base 0`,
    `${bases.e2e} merge-base 0`,
  ]);
}

/** Every order is a story of its own, in ms. */
const LONG = 120_000;

describe('of two workflows of a pull request each flag’s context is told by the one that reports it (rule 24)', {
  timeout: LONG,
}, () => {
  test('over one build of the base with both flags, in every order', async () => {
    const all = await tellAll(ORDERS, async (story, order, pull) => {
      await story.built('b', onBranch(base), { ...UNIT, ...E2E });
      for (const step of order) await STEPS[step](story, atHead(pull));
    });
    for (const told of all) await expectEachFlagsOwn(told, { unit: 'b', e2e: 'b' });
  });

  test.each(everyOrder(['b-e2e'], ['b-unit']).map((builds) => [builds.join(', '), builds] as const))(
    'over two builds of the base, %s, and then in every order',
    async (_, builds) => {
      const all = await tellAll(ORDERS, async (story, order, pull) => {
        for (const number of builds) await story.built(number, onBranch(base), number === 'b-unit' ? UNIT : E2E);
        for (const step of order) await STEPS[step](story, atHead(pull));
      });
      for (const told of all) await expectEachFlagsOwn(told, { unit: 'b-unit', e2e: 'b-e2e' });
    },
  );

  const WHOLE = everyOrder<'b-e2e' | 'b-unit' | '100' | '101'>(['b-e2e'], ['b-unit'], ['100'], ['101']);
  test.each(['b-e2e', 'b-unit', '100', '101'])('over two builds of the base, %s first of all four', async (first) => {
    const flags = { 'b-e2e': E2E, 'b-unit': UNIT, '100': { unit: [0, 0] }, '101': E2E };
    const orders = WHOLE.filter((order) => order[0] === first);
    const all = await tellAll(orders, async (story, order, pull) => {
      for (const number of order) {
        await story.built(number, number.startsWith('b-') ? onBranch(base) : atHead(pull), flags[number]);
      }
    });
    for (const told of all) await expectEachFlagsOwn(told, { unit: 'b-unit', e2e: 'b-e2e' });
  });
});

test('of two builds of the base the one of most flags in common is taken, in every order (rule 18)', {
  timeout: LONG,
}, async () => {
  const flags = { e2e: E2E, unit: UNIT, own: { unit: [1, 0] } };
  const all = await tellAll(
    everyOrder<'e2e' | 'unit' | 'own'>(['e2e'], ['unit'], ['own']),
    async (story, order, pull) => {
      for (const number of order)
        await story.built(number, number === 'own' ? atHead(pull) : onBranch(base), flags[number]);
    },
  );
  for (const { name, story, pull } of all) {
    expect(await story.baseOf('own'), name).toBe('unit merge-base 0');
    expect(story.told(pull.head).coverage, name).toMatch(/^failure: .* from 100\.00%: .*\(base /);
  }
});

test('two workflows of one commit, then its base: both are evaluated again (rule 20)', { timeout: LONG }, async () => {
  type Row = readonly [what: string, place: (pull: Pull) => Place, where: string, rule: string];
  const rows: readonly Row[] = [
    ['a pull request’s head', atHead, base, 'b merge-base 0'],
    ['a pull request’s merge commit', atMerge, next, 'b merge-parent 0'],
    ['a pull request’s merge commit, sent as the commit', asMerge, next, 'b merge-parent 0'],
    ['a push', () => onBranch(next), base, 'b ancestor 1'],
  ];
  const basesOf = async (story: Story) => [await story.baseOf('100'), await story.baseOf('101')];
  const all = await Promise.all(
    rows.map(async ([what, place, where, rule]) => {
      const story = await stage.begin(git);
      const at = place(pullOf(story));
      for (const flag of ['unit', 'e2e']) await story.upload({ number: 'b', at: onBranch(where), flag, lines: [1, 1] });
      await story.built('100', at, { unit: [0, 0] });
      await story.built('101', at, E2E);
      return { what, story, rule };
    }),
  );
  await all[0]?.story.settled();
  for (const { what, story } of all) expect(await basesOf(story), what).toEqual(['none', 'none']);
  await Promise.all(all.map(({ story }) => story.close('b')));
  await all[0]?.story.settled();
  for (const { what, story, rule } of all) {
    expect(await basesOf(story), what).toEqual([rule, rule]);
    expect((await story.build('100')).verdict, what).toMatchObject({ state: 'failure', rule: 'no-decrease' });
    expect((await story.build('101')).verdict, what).toMatchObject({ state: 'success', rule: 'no-decrease' });
  }
});
