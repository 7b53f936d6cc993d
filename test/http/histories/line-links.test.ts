import { afterAll, beforeAll, expect, test } from 'vitest';
import type { CommitGraph } from '../../support/histories/commit-graph.ts';
import { asMerge, atHead, atMerge, onBranch, type Place, type Pull } from '../../support/histories/places.ts';
import { type Stage, startStage } from '../../support/histories/stage.ts';
import type { Flags } from '../../support/histories/story.ts';

/**
 * A comment's links to uncovered lines show these very lines, also where the base branch has changed the same file
 * above them.
 */

const FILE = 'src/unit.ts';
const text = (...lines: readonly string[]): string => `${lines.join('\n')}\n`;

let stage: Stage;
let git: CommitGraph;
let first: string;
beforeAll(async () => {
  stage = await startStage();
  git = stage.newGit();
  first = git.commit('first', { [FILE]: text('a', 'b', 'c', 'd') });
  git.switchTo('topic');
  git.commit('topic', { [FILE]: text('a', 'b', 'c', 'd', 'uncovered') });
  git.switchTo('main');
  git.commit('second', { [FILE]: text('above', 'above too', 'a', 'b', 'c', 'd') });
});
afterAll(() => stage.end());

const MERGED: Flags = { unit: [1, 1, 1, 1, 1, 1, 0] };
type Tested = 'merge' | 'head';
const PLACES: readonly (readonly [what: string, at: (pull: Pull) => Place, flags: Flags, tested: Tested])[] = [
  ['tested at its merge commit', atMerge, MERGED, 'merge'],
  ['tested at its merge commit, which the upload calls its commit', asMerge, MERGED, 'merge'],
  ['tested at its head', atHead, { unit: [1, 1, 1, 1, 0] }, 'head'],
];

test.each(PLACES)('of a pull request %s', async (_, at, flags, tested) => {
  const story = await stage.begin(git);
  await story.built('1', onBranch(first), { unit: [1, 1, 1, 1] });
  const pull = story.pull({ number: 7, branch: 'topic' });
  await story.built('2', at(pull), flags);
  await story.settled();
  expect(story.told(pull.head).coverage).toMatch(/^failure: /);
  const [comment] = stage.github.comments(story.repo, 7);
  const [, sha = '', line = ''] =
    /\/commits\/([0-9a-f]{40})\/file\/src\/unit\.ts#L(\d+)\)/.exec(comment?.body ?? '') ?? [];
  expect((await stage.service.build(sha)).number).toBe('2');
  expect(git.textOf(pull[tested], FILE)?.split('\n')[Number(line) - 1]).toBe('uncovered');
});
