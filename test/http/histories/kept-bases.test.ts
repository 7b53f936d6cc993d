import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { atHead, onBranch, type Pull } from '../../support/histories/places.ts';
import { type Stage, startStage } from '../../support/histories/stage.ts';
import type { Flags, Story } from '../../support/histories/story.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await startStage();
});
afterAll(() => stage.end());

const BOTH: Flags = { unit: [1, 0], e2e: [1, 1] };

interface Heads {
  readonly story: Story;
  /** main: root, base, later. */
  readonly main: readonly [root: string, base: string, later: string];
  /** Pull request 7 with its first head, and with its second; both begin at base. */
  readonly before: Pull;
  readonly after: Pull;
}

async function twoHeads(): Promise<Heads> {
  const git = stage.newGit();
  const main = ['root', 'base', 'later'].map((name) => git.commit(name, { [`${name}.txt`]: name }));
  const [root = '', base = '', later = ''] = main;
  git.switchTo('topic', base);
  git.commit('first', { 'topic.txt': 'first\n' });
  git.switchTo('main');
  const story = await stage.begin(git);
  const before = story.pull({ number: 7, branch: 'topic' });
  git.switchTo('topic');
  git.commit('second', { 'topic.txt': 'second\n' });
  git.switchTo('main');
  return { story, main: [root, base, later], before, after: story.pull({ number: 7, branch: 'topic' }) };
}

/** A late job and the close after it. */
async function late(story: Story, number: string, pull: Pull): Promise<void> {
  await story.upload({ number, at: atHead(pull), flag: `late-${number}`, lines: [1] });
  await story.close(number);
  await story.settled();
}

describe('a build that a late job closes again (rule 12)', () => {
  test('keeps its base, though a newer one would be taken by the same rule', async () => {
    const git = stage.newGit();
    const [one = '', two = ''] = ['one', 'two'].map((name) => git.commit(name, { 'main.txt': name }));
    git.switchToOrphan('topic');
    const headSha = git.commit('topic', { 'topic.txt': 'topic\n' });
    git.switchTo('main');
    const story = await stage.begin(git);
    stage.github.addPullRequest(story.repo, { number: 7, headSha, headRef: 'topic', baseRef: 'main' });
    const own = { service_pull_request: '7', commit_sha: headSha, git: { branch: 'topic' } };
    await story.built('1', onBranch(one));
    await story.built('own', own);
    await story.built('2', onBranch(two));
    await story.upload({ number: 'own', at: own, flag: 'late', lines: [1] });
    await story.close('own');
    await story.built('next', own);
    expect([await story.baseOf('own'), await story.baseOf('next')]).toEqual(['1 base-branch', '2 base-branch']);
  });

  test('takes another base where a higher rule gives one by now', async () => {
    const { story, main, before, after } = await twoHeads();
    await story.built('0', onBranch(main[0]));
    await story.built('first', atHead(before));
    await story.built('second', atHead(after));
    await story.built('b', onBranch(main[1]));
    await story.settled();
    // The newest of the pull request alone was evaluated again by itself.
    expect([await story.baseOf('first'), await story.baseOf('second')]).toEqual(['0 ancestor 1', 'b merge-base 0']);
    await late(story, 'first', before);
    expect(await story.baseOf('first')).toBe('b merge-base 0');
  });

  test('reads its base again where that was closed again', async () => {
    const { story, main, before, after } = await twoHeads();
    await story.built('b', onBranch(main[1]));
    await story.built('first', atHead(before));
    await story.built('second', atHead(after));
    await story.upload({ number: 'b', at: onBranch(main[1]), flag: 'e2e', lines: [1, 1] });
    await story.close('b');
    await story.settled();
    expect((await story.build('first')).coverage_change).toBe(0);
    expect((await story.build('second')).coverage_change).toBe(-25);
    await late(story, 'first', before);
    expect((await story.build('first')).coverage_change).toBeCloseTo(200 / 3 - 75);
  });

  test('keeps what was carried, until the build it came from is closed again', async () => {
    const { story, main, after } = await twoHeads();
    const { id: origin } = await story.built('b', onBranch(main[1]), BOTH);
    await story.upload({ number: 'own', at: atHead(after), flag: 'unit', lines: [1, 0] });
    await story.close('own', 'e2e');
    await story.built('c', onBranch(main[2]), BOTH);
    await late(story, 'own', after);
    const carried = async () => (await story.build('own')).flags.find(({ name }) => name === 'e2e');
    expect(await carried()).toMatchObject({ covered_percent: 100, carried_from: { build: origin } });
    await story.upload({
      number: 'b',
      at: { ...onBranch(main[1]), service_job_id: '2' },
      flag: 'e2e',
      lines: [0, 0, 0, 0],
    });
    await story.close('b');
    await story.settled();
    expect(await carried()).toMatchObject({ covered_percent: 50, carried_from: { build: origin } });
  });
});
