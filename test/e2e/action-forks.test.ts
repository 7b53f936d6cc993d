import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { FORK_TOKEN, HEAD, MAIN, MERGE, REPO } from '../support/fork-github.ts';
import { type ForkScene, startForkScene } from '../support/fork-scene.ts';
import { pullRequestEvent } from '../support/runner-stand-in/event-payloads.ts';
import { runAction } from '../support/runner-stand-in/run-action.ts';
import { waitFor } from '../support/wait-for.ts';

/** The built action in the run of a fork's pull request, which has no secret. */

let scene: ForkScene;
let workspace: string;
beforeAll(async () => {
  scene = await startForkScene({ RUN_CHECKS_PER_MINUTE: '0' });
  workspace = await mkdtemp(join(tmpdir(), 'action-forks-'));
  await writeFile(join(workspace, 'a.js'), 'a();\nb();\n');
  await writeFile(join(workspace, 'lcov.info'), 'SF:a.js\nDA:1,1\nDA:2,0\nend_of_record\n');
});
afterAll(async () => {
  await scene.end();
  await rm(workspace, { recursive: true });
});

const OF_EVE = { repo: REPO, number: 7, headRepo: 'eve/shop', headRef: 'prices', actor: 'eve' };
const event = pullRequestEvent({ ...OF_EVE, headSha: HEAD, baseSha: MAIN, mergeSha: MERGE });
const NOT_TAKEN = 'The server did not accept the GitHub token of this run, which has no secrets; the step sends it';

function step(runId: string, githubToken: string, inputs: Readonly<Record<string, string>> = {}) {
  const given = { 'server-url': scene.service.url, 'github-token': githubToken, ...inputs };
  return runAction({ workspace, event, runId, githubToken, inputs: given });
}

const buildOf = async (run: string) => (await scene.builds()).find(({ vouchedRun }) => vouchedRun?.id === run);

test.each([
  ['with its token, which GitHub vouches for', FORK_TOKEN, false],
  ['with a token that the server does not take', 'ghs_of-another-github', true],
  ['without any token', '', false],
])('uploads %s: status and comment are on the pull request', async (_, token, isRetried) => {
  const run = scene.run();
  const { exitCode, stdout } = await step(run, token);
  expect(exitCode, stdout).toBe(0);
  expect(stdout.includes(NOT_TAKEN)).toBe(isRetried);
  expect(stdout).not.toMatch(/^::(?:error|warning|notice)::/m);
  const build = await buildOf(run);
  expect(build).toMatchObject({ trust: 'run', pullRequest: 7, commit: HEAD, state: 'closed', jobs: 1 });
  const url = `${scene.service.url}/builds/${build?.id}`;
  const isThere = (): true | undefined => {
    const status = scene.github.lastStatuses(REPO, HEAD).get('coverage');
    return (status?.targetUrl === url && scene.github.comments(REPO, 7)[0]?.body.includes(url)) || undefined;
  };
  await waitFor(isThere, { what: `what ${url} announces`, intervalMs: 5, meanwhile: scene.service.time.skipPause });
});

test('closes its parallel build with a token that the server does not take', async () => {
  const run = scene.run();
  const parallel = await step(run, 'ghs_of-another-github', { parallel: 'true' });
  expect(parallel.exitCode, parallel.stdout).toBe(0);
  expect((await buildOf(run))?.state).toBe('open');
  const { exitCode, stdout } = await step(run, 'ghs_of-another-github', { 'parallel-finished': 'true' });
  expect([exitCode, stdout]).toEqual([0, expect.stringContaining(NOT_TAKEN)]);
  expect((await buildOf(run))?.state).toBe('closed');
});

test('ends green where the repo takes no forks, and stores nothing, whatever its token', async () => {
  await scene.set({ accept_forks: false });
  const before = await scene.everything();
  for (const token of [FORK_TOKEN, 'ghs_of-another-github', '']) {
    const { exitCode, stdout } = await step(scene.run(), token);
    expect(exitCode, stdout).toBe(0);
    expect(stdout).toMatch(/^::notice::Coverage was not accepted, and the step does not fail for it/m);
  }
  expect(await scene.everything()).toEqual(before);
  await scene.set({ accept_forks: null });
});
