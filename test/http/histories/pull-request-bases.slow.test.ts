import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { CommitGraph } from '../../support/histories/commit-graph.ts';
import { asMerge, atHead, atMerge, onBranch, type Place, type Pull } from '../../support/histories/places.ts';
import { type Stage, startStage } from '../../support/histories/stage.ts';
import type { Story } from '../../support/histories/story.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await startStage();
});
afterAll(() => stage.end());

/** main with this many commits, oldest first. */
function lineOf(git: CommitGraph, count: number): readonly string[] {
  return Array.from({ length: count }, (_, step) => git.commit(`main ${step}`, { 'main.txt': `${step}\n` }));
}

/** A branch with one commit, made at some commit. */
function branchAt(git: CommitGraph, name: string, at: string): string {
  git.switchTo(name, at);
  const commit = git.commit(name, { [`${name}.txt`]: `${name}\n` });
  git.switchTo('main');
  return commit;
}

/** A main of three commits (builds 1 and 3 for the first and the last) and a branch made at the second. */
async function threeCommits(): Promise<{
  readonly story: Story;
  readonly git: CommitGraph;
  readonly main: readonly string[];
}> {
  const git = stage.newGit();
  const main = lineOf(git, 3);
  branchAt(git, 'topic', main[1] ?? '');
  const story = await stage.begin(git);
  await story.built('1', onBranch(main[0] ?? ''));
  await story.built('3', onBranch(main[2] ?? ''));
  return { story, git, main };
}

/** The base of a build of a pull request. */
async function baseAt(story: Story, number: string, place: Place): Promise<string> {
  await story.built(number, place);
  return story.baseOf(number);
}

describe('a pull request that was tested at its head', () => {
  describe('of which so many commits away from the merge base is a build', () => {
    const STEPS = 102;
    let story: Story;
    beforeAll(async () => {
      const git = stage.newGit();
      const main = Array.from({ length: STEPS }, (_, step) => git.commit(`line ${step}`));
      for (const away of [0, 1, 5, 99, 100, 101]) branchAt(git, `away-${away}`, main[away] ?? '');
      story = await stage.begin(git);
      await story.built('1', onBranch(main[0] ?? ''));
    }, 30_000);
    test.each([
      [0, '1 merge-base 0'],
      [1, '1 ancestor 1'],
      [5, '1 ancestor 5'],
      [99, '1 ancestor 99'],
      [100, '1 ancestor 100'],
      [101, '1 base-branch'],
    ])('%i: %s', async (away, expected) => {
      const pull = story.pull({ number: 1_000 + away, branch: `away-${away}` });
      expect(await baseAt(story, `pull-${away}`, atHead(pull))).toBe(expected);
    });
  });

  test('and that brought itself up to date: where main was merged into it', async () => {
    const { story, git } = await threeCommits();
    git.switchTo('topic');
    git.merge('main');
    git.switchTo('main');
    expect(await baseAt(story, '4', atHead(story.pull({ number: 7, branch: 'topic' })))).toBe('3 merge-base 0');
  });

  test('rebased and pushed by force: what it stands on now, the earlier build keeps its own', async () => {
    const { story, git } = await threeCommits();
    expect(await baseAt(story, '4', atHead(story.pull({ number: 7, branch: 'topic' })))).toBe('1 ancestor 1');
    git.switchTo('topic');
    git.rebase('main');
    git.switchTo('main');
    expect(await baseAt(story, '5', atHead(story.pull({ number: 7, branch: 'topic' })))).toBe('3 merge-base 0');
    expect(await story.baseOf('4')).toBe('1 ancestor 1');
  });

  test('amended and pushed by force: the same, never its own last build', async () => {
    const { story, git } = await threeCommits();
    await story.built('4', atHead(story.pull({ number: 7, branch: 'topic' })));
    git.switchTo('topic');
    git.amend('said better');
    git.switchTo('main');
    expect(await baseAt(story, '5', atHead(story.pull({ number: 7, branch: 'topic' })))).toBe('1 ancestor 1');
  });

  test('on another pull request’s branch: the build of that one’s head', async () => {
    const { story, git } = await threeCommits();
    await story.built('4', atMerge(story.pull({ number: 7, branch: 'topic' })));
    branchAt(git, 'further', git.sha('topic'));
    const stacked = story.pull({ number: 8, branch: 'further', baseBranch: 'topic' });
    expect(await baseAt(story, '5', atHead(stacked))).toBe('4 merge-base 0');
  });

  test('after criss-cross merges: one of the best common ancestors', async () => {
    const git = stage.newGit();
    git.commit('root', { 'root.txt': 'root\n' });
    const right = branchAt(git, 'topic', 'main');
    const left = git.commit('left', { 'left.txt': 'left\n' });
    git.switchTo('topic');
    git.merge(left, 'left into topic');
    git.switchTo('main');
    git.merge(right, 'right into main');
    for (const branch of ['main', 'topic']) {
      git.switchTo(branch);
      git.commit(`on ${branch}`, { [`${branch}-2.txt`]: 'more\n' });
    }
    expect([...git.mergeBases('main', 'topic')].sort()).toEqual([left, right].sort());
    git.switchTo('main');
    const story = await stage.begin(git);
    await story.built('1', onBranch(left));
    await story.built('2', onBranch(right, 'other'));
    const found = await baseAt(story, '3', atHead(story.pull({ number: 7, branch: 'topic' })));
    expect(['1 merge-base 0', '2 merge-base 0']).toContain(found);
  });

  test('whose base branch has no build at all: none, and the minimum alone decides', async () => {
    const git = stage.newGit();
    lineOf(git, 2);
    branchAt(git, 'topic', 'main');
    const story = await stage.begin(git);
    await story.built('1', onBranch(branchAt(git, 'elsewhere', 'main'), 'elsewhere'));
    expect(await baseAt(story, '2', atHead(story.pull({ number: 7, branch: 'topic' })))).toBe('none');
    expect((await story.build('2')).verdict).toMatchObject({ state: 'success', rule: 'first-build' });
  });

  test('against a branch that the provider names: that branch’s, not the default’s', async () => {
    const { story, git, main } = await threeCommits();
    git.switchTo('release', main[0]);
    await story.built('r', onBranch(git.commit('release', { 'r.txt': 'r\n' }), 'release'));
    git.switchToOrphan('unrelated');
    git.commit('unrelated', { 'u.txt': 'u\n' });
    git.switchTo('main');
    story.push();
    const place = { number: 7, headSha: git.sha('unrelated'), headRef: 'unrelated', baseRef: 'release' };
    stage.github.addPullRequest(story.repo, place);
    const pull = { service_pull_request: '7', commit_sha: git.sha('unrelated'), git: { branch: 'unrelated' } };
    expect(await baseAt(story, '4', pull)).toBe('r base-branch');
  });
});

describe('a pull request that was tested at its merge commit', () => {
  const reports: readonly (readonly [how: string, place: (pull: Pull) => Place])[] = [
    ['told apart from the head', atMerge],
    ['sent as the commit', asMerge],
  ];
  for (const [how, place] of reports) {
    test(`${how}: what it was merged onto`, async () => {
      const { story } = await threeCommits();
      expect(await baseAt(story, '4', place(story.pull({ number: 7, branch: 'topic' })))).toBe('3 merge-parent 0');
    });

    test(`${how}, made again after main moved: what each was merged onto`, async () => {
      const { story, git } = await threeCommits();
      const before = story.pull({ number: 7, branch: 'topic' });
      const moved = git.commit('main moved', { 'moved.txt': 'x\n' });
      const after = story.pull({ number: 7, branch: 'topic' });
      await story.built('4', onBranch(moved));
      expect(await baseAt(story, '5', place(before))).toBe('3 merge-parent 0');
      expect(await baseAt(story, '6', place(after))).toBe('4 merge-parent 0');
      await story.settled();
      expect(Object.keys(story.told(before.head)).sort()).toEqual(['coverage', 'coverage (unit)']);
      expect([story.told(before.merge), story.told(after.merge)]).toEqual([{}, {}]);
    });

    test(`${how}, onto a commit without a build: its nearest ancestor`, async () => {
      const { story, git } = await threeCommits();
      for (const step of [1, 2]) git.commit(`not built ${step}`, { 'main.txt': `not built ${step}\n` });
      expect(await baseAt(story, '4', place(story.pull({ number: 7, branch: 'topic' })))).toBe('3 ancestor 2');
    });
  }
});

describe('what an upload asks for goes before all', () => {
  test('compare_sha, then compare_ref, then what the history says', async () => {
    const { story, main } = await threeCommits();
    await story.built('r', onBranch(main[1] ?? '', 'release'));
    const place = atMerge(story.pull({ number: 7, branch: 'topic' }));
    const asked = { compare_sha: main[0], compare_ref: 'release' };
    expect(await baseAt(story, '4', { ...place, ...asked })).toBe('1 compare-sha');
    expect(await baseAt(story, '5', { ...place, compare_ref: 'release' })).toBe('r compare-ref');
    expect(await baseAt(story, '6', { ...place, ...asked, compare_sha: 'e'.repeat(40) })).toBe('r compare-ref');
    expect(await baseAt(story, '7', { ...place, compare_ref: 'nowhere' })).toBe('3 merge-parent 0');
  });
});
