import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { CommitGraph } from '../../support/histories/commit-graph.ts';
import { asMerge, atHead, atMerge, onBranch, type Place, type Pull } from '../../support/histories/places.ts';
import { type Stage, startStage } from '../../support/histories/stage.ts';
import type { Flags, Story } from '../../support/histories/story.ts';

let stage: Stage;
let git: CommitGraph;
let main: string;
beforeAll(async () => {
  stage = await startStage();
  git = stage.newGit();
  main = git.commit('main', { 'main.txt': 'main\n' });
  git.switchTo('topic');
  git.commit('topic', { 'topic.txt': 'topic\n' });
  git.switchTo('main');
  // Who the token belongs to is asked once, by the first comment of a server.
  const first = await stage.begin(git);
  await spent(first, '1', atHead(pullOf(first)));
}, 30_000);
afterAll(() => stage.end());

/** A parallel build of two flags: three contexts. */
const FLAGS: Flags = { unit: [1, 0], e2e: [1, 1] };
/** One whose two jobs name no flag: one context. */
const NO_FLAG: readonly Flags[] = [{ '': [1, 0] }, { '': [0, 1] }];
/** The repo has none. */
const NO_FILE = { 'GET /contents/.github%2Fcoverage.yml': 1, 'GET /contents/.coverage-service.yml': 1 };
const pullOf = (story: Story): Pull => story.pull({ number: 7, branch: 'topic' });

/** One more commit on a branch. */
function commitOn(branch: string): string {
  git.switchTo(branch);
  const commit = git.commit(`more on ${branch}`, { [`${branch}.txt`]: `${Math.random()}\n` });
  git.switchTo('main');
  return commit;
}

/**
 * The provider calls of one build from its first job until everything is delivered; each step waits until the one
 * before is told.
 */
async function spent(
  story: Story,
  number: string,
  at: Place,
  jobs: readonly Flags[] = [FLAGS],
): Promise<Readonly<Record<string, number>>> {
  const since = stage.github.requests().length;
  for (const [flag, lines] of jobs.flatMap((job) => Object.entries(job))) {
    await story.upload({ number, at, flag, lines });
    await story.settled();
  }
  await story.close(number);
  await story.settled();
  const { byPlace } = stage.github.costs(since);
  return Object.fromEntries([...byPlace].map(([place, count]) => [place.replace('/repos/{}/{}', ''), count]));
}

const sum = (calls: Readonly<Record<string, number>>): number =>
  Object.values(calls).reduce((all, one) => all + one, 0);

/** Three contexts, pending and final. */
const STATUSES = { 'POST /statuses/{}': 6 };
const EDITED = { 'PATCH /issues/comments/{}': 1 };

describe('provider calls of a parallel build of two flags', () => {
  let story: Story;
  let pull: Pull;
  beforeAll(async () => {
    story = await stage.begin(git);
    pull = pullOf(story);
    await story.built('70', onBranch(main), FLAGS);
    await story.settled();
  });

  test('the first of a pull request, tested at its head: 10', async () => {
    const calls = await spent(story, '71', atHead(pull));
    const created = { 'GET /issues/{}/comments': 1, 'POST /issues/{}/comments': 1 };
    expect(calls).toEqual({ 'GET /pulls/{}': 1, 'GET /compare/{}': 1, ...STATUSES, ...created });
    expect(sum(calls)).toBe(10);
  });

  test('the next of a pull request, tested at its head: 9', async () => {
    commitOn('topic');
    const calls = await spent(story, '72', atHead(pullOf(story)));
    expect(calls).toEqual({ 'GET /pulls/{}': 1, 'GET /compare/{}': 1, ...STATUSES, ...EDITED });
    expect(sum(calls)).toBe(9);
  });

  test.each([
    ['told apart', atMerge],
    ['sent as the commit', asMerge],
  ])('the next of a pull request, tested at its merge commit, %s: 10', async (how, place) => {
    commitOn('topic');
    const calls = await spent(story, how, place(pullOf(story)));
    expect(calls).toEqual({
      'GET /pulls/{}': 1,
      'GET /git/commits/{}': 1,
      'GET /compare/{}': 1,
      ...STATUSES,
      ...EDITED,
    });
    expect(sum(calls)).toBe(10);
  });

  test('a push, whose run is read, and the repo’s own file looked for: 11', async () => {
    const commit = commitOn('main');
    story.push();
    const { id } = stage.github.addRun(story.repo, { headSha: commit });
    const calls = await spent(story, String(id), { ...onBranch(commit), service_job_id: `${id}-test` });
    expect(calls).toEqual({
      'GET /actions/runs/{}': 1,
      'GET /commits': 1,
      'GET /compare/{}': 1,
      ...NO_FILE,
      ...STATUSES,
    });
    expect(sum(calls)).toBe(11);
  });

  test('a late job and another close: two statuses and the comment at most, and no question', async () => {
    const since = stage.github.requests().length;
    const number = '76';
    const at = atHead(pullOf(story));
    await story.built(number, at, FLAGS);
    await story.settled();
    const closed = stage.github.requests().length;
    await story.upload({ number, at: { ...at, service_job_id: '2' }, flag: 'unit', lines: [0, 1] });
    await story.close(number);
    await story.settled();
    expect(Object.fromEntries(stage.github.costs(closed).byPlace)).toEqual({
      'POST /repos/{}/{}/statuses/{}': 2,
      'PATCH /repos/{}/{}/issues/comments/{}': 1,
    });
    expect(closed - since).toBeLessThanOrEqual(10);
  });
});

describe('provider calls of a parallel build without flags: at most 6, and the repo’s own file once a base', () => {
  let story: Story;
  beforeAll(async () => {
    git.switchTo('fresh', 'main');
    story = await stage.begin(git);
    for (const job of NO_FLAG) await story.built('70', onBranch(git.sha('main')), job);
    await story.settled();
  });
  const freshOf = (of: Story): Pull => of.pull({ number: 8, branch: 'fresh' });
  const calls = async (number: string, at: Place) => sum(await spent(story, number, at, NO_FLAG));

  test('the first of a pull request, whose comment is made: 6', async () => {
    commitOn('fresh');
    expect(await calls('71', atHead(freshOf(story)))).toBe(6);
  });

  test('the next of a pull request, tested at its head: 5', async () => {
    commitOn('fresh');
    expect(await calls('72', atHead(freshOf(story)))).toBe(5);
  });

  test('the next of a pull request, tested at its merge commit: 6', async () => {
    commitOn('fresh');
    expect(await calls('73', atMerge(freshOf(story)))).toBe(6);
  });

  test('a push: 7', async () => {
    const commit = commitOn('main');
    story.push();
    const { id } = stage.github.addRun(story.repo, { headSha: commit });
    expect(await calls(String(id), { ...onBranch(commit), service_job_id: `${id}-test` })).toBe(7);
  });
});
