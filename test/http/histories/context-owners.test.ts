import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { CommitGraph } from '../../support/histories/commit-graph.ts';
import { everyOrder } from '../../support/histories/orders.ts';
import { asMerge, atMerge, onBranch, type Place, type Pull } from '../../support/histories/places.ts';
import { type Stage, startStage } from '../../support/histories/stage.ts';
import type { Story } from '../../support/histories/story.ts';
import { someOf } from '../../support/property-runs.ts';

let stage: Stage;
let git: CommitGraph;
let base: string;
let head: string;
beforeAll(async () => {
  stage = await startStage();
  git = stage.newGit();
  base = git.commit('base', { 'base.txt': 'base\n' });
  git.switchTo('topic');
  head = git.commit('topic', { 'topic.txt': 'topic\n' });
  git.switchTo('main');
});
afterAll(() => stage.end());

/** A build that takes part: how it is placed and what its job covers. */
interface Part {
  readonly number: string;
  readonly place: (pull: Pull) => Place;
  readonly flag: string;
  readonly lines: readonly number[];
}
type Act = readonly [part: Part, act: 'opens' | 'closes' | 'gets a late job' | 'closes again'];

const nameOf = (order: readonly Act[]): string => order.map(([{ number }, act]) => `${number} ${act}`).join(', ');
const lifeOf = (part: Part): readonly Act[] => [
  [part, 'opens'],
  [part, 'closes'],
];
const lateOf = (part: Part): readonly Act[] => [
  [part, 'gets a late job'],
  [part, 'closes again'],
];

/** All that is done to a commit, in one order, over a main whose build is half covered. */
async function play(order: readonly Act[]): Promise<Story> {
  const story = await stage.begin(git);
  await story.built('70', onBranch(base));
  const pull = story.pull({ number: 7, branch: 'topic' });
  for (const [{ number, place, flag, lines }, act] of order) {
    const at = place(pull);
    if (act === 'opens') await story.upload({ number, at, flag, lines });
    else if (act === 'gets a late job') await story.upload({ number, at, flag: `late-${flag}`, lines });
    else await story.close(number);
  }
  await story.settled();
  return story;
}

const PUSH: Part = { number: 'push', place: () => onBranch(head, 'topic'), flag: 'unit', lines: [0, 0] };
const PULL: Part = { number: 'pull', place: atMerge, flag: 'unit', lines: [1, 1] };
/** The same, where only the merge commit is sent: whose statuses these are is known when the provider has answered. */
const MERGE: Part = { ...PULL, place: asMerge };

describe('a push and a pull request build of one commit (rule 24)', () => {
  const orders = [
    ...everyOrder(lifeOf(PUSH), lifeOf(PULL)),
    ...everyOrder(lifeOf(PUSH), lifeOf(MERGE)),
    ...everyOrder<Act>(lateOf(PUSH), [
      [PULL, 'gets a late job'],
      [PULL, 'closes again'],
    ]).map((order) => [...lifeOf(PULL), ...lifeOf(PUSH), ...order]),
  ];
  test.each(someOf(orders).map((order) => [nameOf(order), order] as const))(
    '%s: the pull request’s',
    async (_, order) => {
      const story = await play(order);
      const told = story.told(head);
      expect(told.coverage).toMatch(/^success: 100\.00%, \+50\.00 points from 50\.00% \(base /);
      expect(told['coverage (unit)']).toMatch(/^success: 100\.00%/);
      expect((await stage.service.build(head)).id).toBe((await story.build('pull')).id);
      expect((await story.build('push')).verdict?.state).toBe('failure');
    },
  );
});

describe('two workflows on one commit (rule 24)', () => {
  const FIRST: Part = { number: '100', place: atMerge, flag: 'unit', lines: [0, 0] };
  const SECOND: Part = { number: '9', place: atMerge, flag: 'unit', lines: [1, 1] };
  const orders = [
    ...everyOrder(lifeOf(FIRST), lifeOf(SECOND)),
    [...lifeOf(FIRST), ...lifeOf(SECOND), ...lateOf(FIRST)],
  ];
  test.each(someOf(orders).map((order) => [nameOf(order), order] as const))(
    '%s: the one that was opened last',
    async (_, order) => {
      const story = await play(order);
      const owner = order.findLast(([, act]) => act === 'opens')?.[0] ?? FIRST;
      expect(story.told(head).coverage).toMatch(owner === SECOND ? /^success: 100\.00%/ : /^failure: 0\.00%/);
      const shown = await stage.service.build(head);
      expect(shown.id).toBe((await story.build(owner.number)).id);
      expect(shown.warnings).toHaveLength(1);
    },
  );

  const ofPush: Part = { ...FIRST, place: () => onBranch(head, 'topic') };
  const ofPull: Part = { ...SECOND, flag: 'e2e' };
  const mixed = someOf(everyOrder(lifeOf(ofPush), lifeOf(ofPull))).map((order) => [nameOf(order), order] as const);
  test.each(mixed)(
    '%s, one for the push and one for the pull request: each flag that only one has is its own',
    async (_, order) => {
      const story = await play(order);
      expect(Object.keys(story.told(head)).sort()).toEqual(['coverage', 'coverage (e2e)', 'coverage (unit)']);
      expect(story.told(head)['coverage (e2e)']).toMatch(/^success: 100\.00%/);
      expect(story.told(head).coverage).toMatch(/^success: 100\.00%/);
    },
  );
});
