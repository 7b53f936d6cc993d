import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { onBranch } from '../../support/histories/places.ts';
import { type Stage, startStage } from '../../support/histories/stage.ts';
import type { Flags } from '../../support/histories/story.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await startStage();
});
afterAll(() => stage.end());

/** Commits by name, on the branches where the history puts them. */
const commitFile = (name: string) => ({ [`${name}.txt`]: `${name}\n` });

describe('the base of a push', () => {
  test('is its parent’s build, though the branch had another push since', async () => {
    const git = stage.newGit();
    const [first, second, third] = ['one', 'two', 'three'].map((name) => git.commit(name, commitFile(name)));
    const story = await stage.begin(git);
    await story.built('1', onBranch(first ?? ''));
    await story.built('3', onBranch(third ?? ''));
    await story.built('2', onBranch(second ?? ''));
    expect(await story.baseOf('2')).toBe('1 ancestor 1');
    expect(await story.baseOf('3')).toBe('1 ancestor 2');
  });

  test('is the nearest ancestor’s build where the parent has none', async () => {
    const git = stage.newGit();
    const commits = [0, 1, 2, 3].map((step) => git.commit(`main ${step}`, { 'main.txt': `${step}\n` }));
    const story = await stage.begin(git);
    await story.built('1', onBranch(commits[0] ?? ''));
    await story.built('2', onBranch(commits[3] ?? ''));
    expect(await story.baseOf('2')).toBe('1 ancestor 3');
  });

  test('is along first parents: the main of before a merge, not the branch that was merged', async () => {
    const git = stage.newGit();
    const root = git.commit('root', commitFile('root'));
    git.switchTo('topic');
    const topic = git.commit('topic', commitFile('topic'));
    git.switchTo('main');
    const before = git.commit('before', commitFile('before'));
    const merged = git.merge('topic');
    const story = await stage.begin(git);
    await story.built('1', onBranch(root));
    await story.built('2', onBranch(before));
    await story.built('3', onBranch(topic, 'topic'));
    await story.built('4', onBranch(merged));
    expect(await story.baseOf('4')).toBe('2 ancestor 1');
  });

  test('after a squash merge is the main of before it', async () => {
    const git = stage.newGit();
    const root = git.commit('root', commitFile('root'));
    git.switchTo('topic');
    for (const step of ['a', 'b']) git.commit(step, commitFile(step));
    git.switchTo('main');
    const story = await stage.begin(git);
    await story.built('1', onBranch(root));
    const pull = story.pull({ number: 7, branch: 'topic' });
    await story.built('2', { commit_sha: pull.head, service_pull_request: '7', git: { branch: 'topic' } });
    const squashed = git.squash('topic');
    story.push();
    await story.built('3', onBranch(squashed));
    const next = git.commit('next', commitFile('next'));
    story.push();
    await story.built('4', onBranch(next));
    expect([await story.baseOf('3'), await story.baseOf('4')]).toEqual(['1 ancestor 1', '3 ancestor 1']);
  });

  test('on a new branch is where that branch began', async () => {
    const git = stage.newGit();
    const began = git.commit('began', commitFile('began'));
    const later = git.commit('later', commitFile('later'));
    git.switchTo('topic', began);
    const topic = git.commit('topic', commitFile('topic'));
    const story = await stage.begin(git);
    await story.built('1', onBranch(began));
    await story.built('2', onBranch(later));
    await story.built('3', onBranch(topic, 'topic'));
    expect(await story.baseOf('3')).toBe('1 ancestor 1');
  });

  test('on a new branch of which no ancestor has a build is the newest on the provider’s default branch', async () => {
    const git = stage.newGit();
    const began = git.commit('began', commitFile('began'));
    git.switchTo('trunk');
    const trunk = git.commit('trunk', commitFile('trunk'));
    git.switchTo('topic', began);
    const topic = git.commit('topic', commitFile('topic'));
    git.switchTo('main');
    const main = git.commit('main', commitFile('main'));
    const story = await stage.begin(git, { defaultBranch: 'trunk' });
    await story.built('1', onBranch(trunk, 'trunk'));
    await story.built('2', onBranch(main));
    await story.built('3', onBranch(topic, 'topic'));
    expect(await story.baseOf('3')).toBe('1 default-branch');
  });

  test('after a forced push is what is beneath it now, and never a build of its own commit', async () => {
    const git = stage.newGit();
    const root = git.commit('root', commitFile('root'));
    git.switchTo('topic');
    const wrong = git.commit('wrong', commitFile('wrong'));
    const story = await stage.begin(git);
    await story.built('1', onBranch(root));
    await story.built('2', onBranch(wrong, 'topic'));
    git.reset(root);
    const right = git.commit('right', commitFile('right'));
    story.push();
    await story.built('3', onBranch(right, 'topic'));
    await story.built('4', onBranch(right, 'topic'));
    expect([await story.baseOf('3'), await story.baseOf('4')]).toEqual(['1 ancestor 1', '1 ancestor 1']);
  });

  test('on a history of its own is the previous of its branch', async () => {
    const git = stage.newGit();
    const main = git.commit('main', commitFile('main'));
    git.switchToOrphan('pages');
    const pages = git.commit('pages', commitFile('pages'));
    git.switchToOrphan('new-pages');
    const restarted = git.commit('restarted', commitFile('restarted'));
    const story = await stage.begin(git);
    await story.built('1', onBranch(pages, 'pages'));
    await story.built('2', onBranch(main));
    await story.built('3', onBranch(restarted, 'pages'));
    expect(await story.baseOf('3')).toBe('1 previous-on-branch');
  });
});

describe('of two workflows that built the base’s commit', () => {
  const rows: readonly (readonly [what: string, expected: string, own: Flags, fields: object])[] = [
    ['the one of most flags in common: unit', 'unit ancestor 1', { unit: [1] }, {}],
    ['the one of most flags in common: e2e', 'e2e ancestor 1', { e2e: [1], lint: [1] }, {}],
    ['the one of the same service_name first', 'jenkins ancestor 1', { unit: [1] }, { service_name: 'jenkins' }],
    ['the newest where nothing else tells', 'e2e ancestor 1', { other: [1] }, {}],
  ];
  test.each(rows)('%s', async (_, expected, own, fields) => {
    const git = stage.newGit();
    const [before, after] = ['before', 'after'].map((name) => git.commit(name, commitFile(name)));
    const story = await stage.begin(git);
    const place = onBranch(before ?? '');
    await story.built('unit', place, { unit: [1], types: [1] });
    await story.built('jenkins', { ...place, service_name: 'jenkins' }, { e2e: [1] });
    await story.built('e2e', place, { e2e: [1], lint: [1] });
    await story.built('own', { ...onBranch(after ?? ''), ...fields }, own);
    expect(await story.baseOf('own')).toBe(expected);
  });
});
