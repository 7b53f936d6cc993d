import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Build } from '../../server/src/core/builds/build.ts';
import { writeReport } from '../support/action-scene.ts';
import { shaOf } from '../support/coverage-api.ts';
import { HEAD, MAIN, MERGE, REPO } from '../support/fork-github.ts';
import { type ForkScene, startForkScene } from '../support/fork-scene.ts';
import * as events from '../support/runner-stand-in/event-payloads.ts';
import { runAction } from '../support/runner-stand-in/run-action.ts';
import { waitFor } from '../support/wait-for.ts';

/** The built action under every event that starts a workflow, before a real server and a GitHub. */

const repo = REPO;
const [OWN, OWN_MERGE, QUEUED, TAGGED, PRESSED, NIGHTLY] = [
  'own',
  'own merge',
  'queued',
  'tagged',
  'pressed',
  'night',
].map(shaOf) as [string, string, string, string, string, string];

let scene: ForkScene;
let workspace: string;
beforeAll(async () => {
  scene = await startForkScene();
  const { github } = scene;
  github.addPullRequest(REPO, {
    number: 9,
    headSha: OWN,
    headRef: 'topic',
    baseRef: 'main',
    mergeCommitSha: OWN_MERGE,
  });
  for (const sha of [QUEUED, TAGGED, PRESSED, NIGHTLY]) github.addCommit(REPO, { sha, parents: [MAIN] });
  workspace = await mkdtemp(join(tmpdir(), 'action-events-'));
  await writeFile(join(workspace, 'a.js'), 'a();\nb();\n');
  await writeReport(workspace, [1, 0]);
});
afterAll(async () => {
  await scene.end();
  await rm(workspace, { recursive: true });
});

interface Expected {
  readonly build: Partial<Build>;
  /** The commit that the build's status stands on; undefined: none. */
  readonly status?: string;
}

const own = { repo, number: 9, headSha: OWN, headRef: 'topic', baseSha: MAIN, mergeSha: OWN_MERGE };
const fork = { repo, number: 7, headSha: HEAD, headRef: 'prices', baseSha: MAIN, mergeSha: MERGE, actor: 'eve' };

test.each<[string, events.WorkflowEvent, Expected]>([
  [
    'push',
    events.pushEvent({ repo, branch: 'main', sha: MAIN }),
    { build: { commit: MAIN, branch: 'main', tag: false }, status: MAIN },
  ],
  [
    'pull_request',
    events.pullRequestEvent(own),
    {
      build: { commit: OWN, testedCommit: OWN_MERGE, branch: 'topic', pullRequest: 9, baseBranch: 'main' },
      status: OWN,
    },
  ],
  [
    'pull_request of a fork, without any secret',
    events.pullRequestEvent({ ...fork, headRepo: 'eve/shop' }),
    { build: { commit: HEAD, testedCommit: MERGE, pullRequest: 7, trust: 'run' }, status: HEAD },
  ],
  [
    'merge_group',
    events.mergeGroupEvent({ repo, number: 9, headSha: QUEUED, baseSha: MAIN }),
    { build: { commit: QUEUED, mergeQueue: true, baseBranch: 'main', pullRequest: 9 }, status: QUEUED },
  ],
  [
    'workflow_dispatch',
    events.workflowDispatchEvent({ repo, branch: 'release', sha: PRESSED }),
    { build: { commit: PRESSED, branch: 'release' }, status: PRESSED },
  ],
  [
    'schedule',
    events.scheduleEvent({ repo, sha: NIGHTLY }),
    { build: { commit: NIGHTLY, branch: 'main' }, status: NIGHTLY },
  ],
  [
    'push of a tag',
    events.tagPushEvent({ repo, tag: 'v1.2.3', sha: TAGGED }),
    { build: { commit: TAGGED, branch: 'v1.2.3', tag: true }, status: TAGGED },
  ],
])('%s', async (title, event, expected) => {
  const isOfFork = title.includes('fork');
  const runId = isOfFork ? scene.run() : String(scene.github.addRun(REPO, { headSha: expected.status ?? MAIN }).id);
  const { exitCode, stdout, outputs } = await runAction({
    workspace,
    event,
    runId,
    githubToken: '',
    inputs: { 'server-url': scene.service.url, ...(isOfFork ? {} : { 'repo-token': scene.shop.token }) },
  });
  expect(exitCode, stdout).toBe(0);
  expect(stdout).not.toMatch(/^::(?:error|warning)::/m);
  expect(outputs).toMatchObject({ coverage: '50.00', verdict: 'success', 'build-url': expect.any(String) });
  const build = (await scene.builds()).at(-1);
  expect(build).toMatchObject({
    serviceNumber: runId,
    eventType: event.name,
    state: 'closed',
    trust: 'secret',
    ...expected.build,
  });
  const states = await waitFor(
    () => {
      const found = [...scene.github.lastStatuses(REPO, expected.status ?? '').values()];
      return found.some(({ state }) => state !== 'pending') ? found : undefined;
    },
    { what: 'the final status', meanwhile: scene.service.time.skipPause },
  );
  expect(states).toMatchObject([{ context: 'coverage', state: 'success' }]);
});
