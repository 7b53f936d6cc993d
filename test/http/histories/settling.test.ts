import { afterAll, beforeAll, expect, test } from 'vitest';
import type { CommitGraph } from '../../support/histories/commit-graph.ts';
import { atHead, onBranch } from '../../support/histories/places.ts';
import { type Stage, startStage } from '../../support/histories/stage.ts';

let stage: Stage;
let git: CommitGraph;
let base: string;
beforeAll(async () => {
  stage = await startStage();
  git = stage.newGit();
  base = git.commit('base', { 'base.txt': 'one\n' });
  git.switchTo('topic');
  git.commit('topic', { 'topic.txt': 'one\n' });
  git.switchTo('main');
});
afterAll(() => stage.end());

test('a build with a carried flag settles, though another build of the base’s commit has that flag', async () => {
  const story = await stage.begin(git);
  const pull = story.pull({ number: 7, branch: 'topic' });
  await story.built('y', onBranch(base), { unit: [1, 0], e2e: [1, 1] });
  await story.built('x', onBranch(base), { unit: [1, 0] });
  await story.upload({ number: 'own', at: atHead(pull), flag: 'unit', lines: [1, 0] });
  await story.close('own', 'e2e');
  await story.settled();
  const { id } = await story.build('own');
  const stored = await stage.service.store.builds.find(Number(id));
  expect(stored?.result?.closeCount).toBeLessThanOrEqual(2);
  expect(stored?.due).toEqual([]);
});

test('a base that was found by its branch stays on it, though a pull request’s build has the same commit', async () => {
  const story = await stage.begin(git);
  const pull = story.pull({ number: 8, branch: 'topic' });
  await story.built('push', onBranch(pull.head, 'topic'), { unit: [1, 0] });
  await story.built('pull', atHead(pull), { unit: [1, 1] });
  await story.built('own', { ...onBranch(base), compare_ref: 'topic' }, { unit: [1, 1] });
  await story.settled();
  expect(await story.baseOf('own')).toBe('push compare-ref');
});
