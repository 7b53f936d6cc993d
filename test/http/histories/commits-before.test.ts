import { createHash } from 'node:crypto';
import type { BuildJson } from '@coverage/shared';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { CommitGraph } from '../../support/histories/commit-graph.ts';
import { atHead, atMerge, onBranch, type Place } from '../../support/histories/places.ts';
import { type Stage, startStage } from '../../support/histories/stage.ts';
import { aFile } from '../../support/records.ts';
import { openPullScene } from '../../support/rendered-output/pull-scene.ts';

/** What commits without a build did to the total is told apart from what a pull request did (rules 18, 19, 25). */

let stage: Stage;
beforeAll(async () => {
  stage = await startStage();
});
afterAll(() => stage.end());

const text = (...lines: readonly string[]): string => `${lines.join('\n')}\n`;
type Files = Readonly<Record<string, readonly number[]>>;

/** A repo whose history `draw` makes: main is `root` first, which has build 1. */
async function begin(draw: (git: CommitGraph) => void) {
  const git = stage.newGit();
  const root = git.commit('root', { 'a.js': text('a1', 'a2'), 'b.js': text('b1', 'b2', 'b3') });
  draw(git);
  git.switchTo('main');
  const scene = await openPullScene(stage, git, {});
  return {
    ...scene,
    root,
    async built(number: string, at: Place, files: Files, flag?: string): Promise<BuildJson> {
      const tested = String(at.service_tested_sha ?? at.commit_sha);
      const digest = (name: string) =>
        createHash('md5')
          .update(git.textOf(tested, name) ?? '')
          .digest('hex');
      const covered = Object.entries(files).map(([name, hits]) => aFile(name, hits, { digest: digest(name) }));
      await scene.upload({ number, at, flag, files: covered });
      return scene.close(number);
    },
  };
}

/** One commit on main without a build adds a file that nothing covers; the pull request rewrites a covered line. */
const addsAFile = (git: CommitGraph): void => {
  git.commit('other', { 'c.js': text('c1', 'c2') });
  git.switchTo('topic');
  git.commit('topic', { 'a.js': text('a1', 'A2') });
};
const OF_MAIN = 'came with 1 commit on main that has no build to compare with';

test.each([
  ['its head', atHead],
  ['its merge commit', atMerge],
])('the drop is main’s, and everything says so, of a pull request tested at %s', async (_, at) => {
  const { root, pull, built, told } = await begin(addsAFile);
  await built('1', onBranch(root), { 'a.js': [1, 1], 'b.js': [1, 1] });
  const build = await built('2', at(pull), { 'a.js': [1, 1], 'b.js': [1, 1], 'c.js': [0, 0] });
  expect(build).toMatchObject({
    base: { rule: 'ancestor', commits_away: 1 },
    patch: { covered_lines: 1, relevant_lines: 1, files: [{ name: 'a.js' }] },
    cause: {
      sentence: `Of the drop of 33.33 points, 33.33 ${OF_MAIN}; covering 2 more lines anywhere would pass.`,
      parts: [{ part: 'before', points: '-33.33%', commits: 1, branch: 'main' }],
    },
  });
  const { statuses, comment, page } = await told(build);
  expect(statuses.coverage).toMatch(
    /^failure: 66\.66%, −33\.33 points from 100\.00%: no decrease allowed \(base [0-9a-f]{7}, nearest /,
  );
  expect(statuses.coverage).toContain(', 1 commit away)');
  expect(comment).toContain(`Of the drop of 33.33 points, 33.33 ${OF_MAIN}; covering 2 more lines anywhere`);
  expect(comment).toContain(' · changed lines 100.00%\n');
  expect(comment.split('**New in')[0]).not.toContain('c.js');
  expect(page).toContain(`Of the drop of 33.33 points, 33.33 ${OF_MAIN}`);
  expect(page).toContain('>1 commit on main that has no build to compare with</td>');
});

test('each has its share, where a pull request and others changed one file', async () => {
  const { root, pull, built, told, compared } = await begin((git) => {
    git.commit('one', { 'b.js': text('b0', 'b1', 'b2', 'b3') });
    const fork = git.commit('two', { 'b.js': text('b0', 'b1', 'b2', 'b3', 'b4') });
    git.switchTo('topic', fork);
    git.commit('topic', { 'b.js': text('b0', 'b1', 'B2', 'b3', 'b4') });
  });
  await built('1', onBranch(root), { 'a.js': [1, 1], 'b.js': [1, 1, 1] });
  const build = await built('2', atHead(pull), { 'a.js': [1, 1], 'b.js': [0, 1, 0, 1, 0] });
  expect(build).toMatchObject({
    base: { rule: 'ancestor', commits_away: 2 },
    patch: { covered_lines: 0, relevant_lines: 1 },
    cause: {
      sentence:
        'Of the drop of 42.85 points, 28.57 came with 2 commits on main that have no build to compare with; ' +
        'covering 3 more lines anywhere would pass.',
      parts: [
        { part: 'changed', points: '-14.28%' },
        { part: 'before', points: '-28.57%', commits: 2, branch: 'main' },
      ],
    },
  });
  // Which of them changed what is asked for only here.
  expect(compared()).toContain(`${root}...${pull.base}`);
  expect((await told(build)).comment).toContain('Of the drop of 42.85 points, 28.57 came with 2 commits on main');
});

test('a pull request that costs more than others brought', async () => {
  const { root, pull, built } = await begin(addsAFile);
  await built('1', onBranch(root), { 'a.js': [1, 1], 'b.js': [0, 0] });
  const build = await built('2', atHead(pull), { 'a.js': [0, 0], 'b.js': [0, 0], 'c.js': [1, 1] });
  expect(build.cause?.sentence).toBe(
    '1 of 1 changed line is not covered; 16.67 points were gained with 1 commit on main that has no build to compare ' +
      'with, and 33.33 were lost with this change; covering 1 more line would pass.',
  );
});

test('of a flag too', async () => {
  const { root, pull, built } = await begin(addsAFile);
  await built('1', onBranch(root), { 'a.js': [1, 1], 'b.js': [1, 1] }, 'unit');
  const build = await built('2', atHead(pull), { 'a.js': [1, 1], 'b.js': [1, 1], 'c.js': [0, 0] }, 'unit');
  expect(build.flags[0]?.cause).toEqual(build.cause);
  expect(build.flags[0]?.cause?.parts).toMatchObject([{ part: 'before', commits: 1 }]);
});

test('no part is others’ where the base is the merge base, nor of a push', async () => {
  const { root, pull, built } = await begin(addsAFile);
  const files = { 'a.js': [1, 0], 'b.js': [1, 1], 'c.js': [0, 0] };
  await built('1', onBranch(root), { 'a.js': [1, 1], 'b.js': [1, 1] });
  const push = await built('2', onBranch(pull.base), { ...files, 'a.js': [1, 1] });
  expect(push.cause?.parts).toEqual([{ part: 'changed', points: '-33.33%' }]);
  const build = await built('3', atHead(pull), files);
  expect(build).toMatchObject({ base: { rule: 'merge-base' }, cause: { parts: [{ part: 'changed' }] } });
});
