import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Build } from '../../server/src/core/builds/build.ts';
import { writeReport } from '../support/action-scene.ts';
import { REPO } from '../support/fork-github.ts';
import { type ForkScene, startForkScene } from '../support/fork-scene.ts';
import { createGitRepo, type GitRepo } from '../support/git-repo.ts';
import * as events from '../support/runner-stand-in/event-payloads.ts';
import { runAction } from '../support/runner-stand-in/run-action.ts';
import { waitFor } from '../support/wait-for.ts';

/** The built action in checkouts that hold something else than the event is about, with the repo token. */

const repo = REPO;
let scene: ForkScene;
let git: GitRepo;
let main: string;
let pulls: Readonly<Record<'own' | 'forks', { readonly head: string; readonly merge: string }>>;
beforeAll(async () => {
  scene = await startForkScene();
  git = createGitRepo();
  main = git.commit('main', { 'a.js': 'a();\nb();\n', '.gitignore': 'lcov.info\n' });
  const change = (number: number, branch: string, headRepo = REPO) => {
    git.switchTo(`pull-${number}`, main);
    const head = git.commit(branch, { [`${number}.txt`]: branch });
    git.switchTo(`merge-${number}`, main);
    const merge = git.merge(`pull-${number}`, `Merge ${head} into ${main}`);
    const pull = { number, headSha: head, headRef: branch, headRepo, baseRef: 'main', baseSha: main };
    scene.github.addPullRequest(REPO, { ...pull, mergeCommitSha: merge });
    return { head, merge };
  };
  scene.github.addCommit(REPO, { sha: main, branch: 'main' });
  pulls = { own: change(10, 'topic'), forks: change(11, 'main', 'eve/shop') };
  const push = events.pushEvent({ repo, branch: 'main', sha: main });
  expect((await upload(push, { at: main, run: { headSha: main }, hits: [1, 1] })).build).toMatchObject({
    branch: 'main',
  });
});
afterAll(async () => {
  await scene.end();
  git.remove();
});

interface Checkout {
  /** What is checked out. */
  readonly at: string;
  /** As GitHub describes the run of the step. */
  readonly run: Parameters<ForkScene['run']>[0];
  readonly hits?: readonly [number, number];
}

async function upload(event: events.WorkflowEvent, { at, run, hits = [1, 0] }: Checkout) {
  git.git('switch', '-q', '--detach', at);
  await writeReport(git.directory, hits);
  const own = { event: event.name, headRepo: REPO, headBranch: 'main', headSha: main, actor: 'mona' };
  const runId = scene.run({ ...own, ...run });
  const inputs = { 'server-url': scene.service.url, 'repo-token': scene.shop.token };
  const { exitCode, stdout } = await runAction({ workspace: git.directory, event, runId, githubToken: '', inputs });
  expect(exitCode, stdout).toBe(0);
  const build = (await scene.builds()).find(({ serviceNumber }) => serviceNumber === runId) as Build;
  return { build, warnings: stdout.split('\n').filter((line) => line.startsWith('::warning::')) };
}

const badge = async () => (await fetch(`${scene.service.url}/github/${REPO}/badge.svg`)).text();

describe('a run that follows the run of a fork whose branch is called main', () => {
  test.each(['the fork’s head', 'main'])('is of its pull request, with %s checked out', async (where) => {
    const { head } = pulls.forks;
    scene.run({ headRepo: 'eve/shop', headBranch: 'main', headSha: head, status: 'completed' });
    const event = events.workflowRunEvent({ repo, sha: main, headSha: head, headBranch: 'main', headRepo: 'eve/shop' });
    const at = where === 'main' ? main : head;
    const { build, warnings } = await upload(event, { at, run: {} });
    expect(build).toMatchObject({ trust: 'run', pullRequest: 11, commit: head, target: head });
    expect(warnings).toEqual(
      where === 'main' ? [expect.stringContaining(`${main} is checked out: the upload counts for ${head}`)] : [],
    );
    const url = `${scene.service.url}/builds/${build.id}`;
    const look = () =>
      (scene.github.lastStatuses(REPO, head).get('coverage')?.targetUrl === url &&
        scene.github.comments(REPO, 11)[0]?.body.includes(url)) ||
      undefined;
    await waitFor(look, { what: 'status and comment', intervalMs: 5, meanwhile: scene.service.time.skipPause });
    expect(await badge()).toContain('coverage: 100');
  });

  test('of a pull request of the repo it is of that one', async () => {
    const { head } = pulls.own;
    scene.run({ headRepo: REPO, headBranch: 'topic', headSha: head, status: 'completed' });
    const ran = { repo, sha: main, headSha: head, headBranch: 'topic', pullRequests: [10] };
    const { build, warnings } = await upload(events.workflowRunEvent(ran), { at: head, run: {} });
    expect(build).toMatchObject({ trust: 'secret', pullRequest: 10, commit: head, branch: 'topic' });
    expect(warnings).toEqual([]);
  });
});

type Case = readonly [string, () => string, () => Partial<Build>, string];
const ofPull = (): Partial<Build> => ({ commit: pulls.own.head, pullRequest: 10, target: pulls.own.head });
const CASES: readonly Case[] = [
  ['the head', () => pulls.own.head, ofPull, ''],
  ['the merge', () => pulls.own.merge, () => ({ ...ofPull(), testedCommit: pulls.own.merge }), ''],
  ['main', () => main, () => ({ commit: main, branch: 'main' }), 'which has none of its commits'],
];

describe('under pull_request_target', () => {
  test.each(CASES)('what is checked out counts: %s', async (_, at, expected, warning) => {
    const { head } = pulls.own;
    const event = events.pullRequestTargetEvent({ repo, number: 10, headSha: head, headRef: 'topic', baseSha: main });
    const { build, warnings } = await upload(event, { at: at(), run: { headSha: head, headBranch: 'topic' } });
    expect(build).toMatchObject({ trust: 'secret', ...expected() });
    expect(warnings).toEqual(warning === '' ? [] : [expect.stringContaining(warning)]);
  });

  test("of a fork's pull request the build is unverified", async () => {
    const { head } = pulls.forks;
    const pull = { repo, number: 11, headSha: head, headRef: 'main', headRepo: 'eve/shop', baseSha: main };
    const run = { headSha: head, headRepo: 'eve/shop', actor: 'eve' };
    const { build } = await upload(events.pullRequestTargetEvent(pull), { at: head, run });
    expect(build).toMatchObject({ trust: 'run', pullRequest: 11, commit: head });
  });
});

describe('under issue_comment', () => {
  test.each(CASES)('what is checked out counts: %s', async (_, at, expected, warning) => {
    const event = events.issueCommentEvent({ repo, number: 10, sha: main });
    const { build, warnings } = await upload(event, { at: at(), run: {} });
    expect(build).toMatchObject({ trust: 'secret', ...expected() });
    expect(build.pullRequest).toBe(expected().pullRequest);
    expect(warnings).toEqual(warning === '' ? [] : [expect.stringContaining(warning)]);
  });
});
