import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type IdTokenScene, PULL, startIdTokenScene } from '../support/id-token-scene.ts';
import { HEAD, TOKENS } from '../support/provider-token-scene.ts';
import { pullRequestEvent, pushEvent, type WorkflowEvent } from '../support/runner-stand-in/event-payloads.ts';
import { type ActionStep, runAction } from '../support/runner-stand-in/run-action.ts';

/** The built action in jobs that may ask for ID tokens. */

let scene: IdTokenScene;
let workspace: string;
let repoToken: string;
beforeAll(async () => {
  scene = await startIdTokenScene();
  ({ token: repoToken } = await scene.service.newRepo({ service: 'github', name: 'acme/shop' }));
  workspace = await mkdtemp(join(tmpdir(), 'action-id-tokens-'));
  await writeFile(join(workspace, 'a.js'), 'a();\nb();\n');
  await writeFile(join(workspace, 'lcov.info'), 'SF:a.js\nDA:1,1\nDA:2,0\nend_of_record\n');
});
afterAll(async () => {
  await scene.end();
  await rm(workspace, { recursive: true });
});

const PUSH = pushEvent({ repo: 'acme/shop', branch: 'main', sha: HEAD });

interface Job {
  readonly run?: string;
  readonly event?: WorkflowEvent;
  readonly inputs?: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
  readonly githubToken?: string;
}

/** A step of a job that has nothing but what it is given here. */
async function step({ run = scene.runs.push, event = PUSH, inputs = {}, env, githubToken = '' }: Job) {
  const variables = env ?? scene.github.allowIdTokens('acme/shop', { run_id: run });
  const given: ActionStep = { workspace, event, runId: run, githubToken, env: variables };
  return runAction({ ...given, inputs: { 'server-url': scene.service.url, ...inputs } });
}

const facts = async (url: string | undefined) =>
  (await scene.service.store.jobs.find(Number(url?.slice(url.lastIndexOf('/') + 1))))?.facts;

test('a push needs no secret, and its outputs are filled', async () => {
  const { exitCode, stdout, outputs } = await step({ inputs: { 'flag-name': 'push' } });
  expect(exitCode, stdout).toBe(0);
  expect(stdout).toContain(`Using an ID token of this run for ${scene.service.url}: `);
  expect(stdout).toMatch(/^::add-mask::eyJ/m);
  expect(outputs).toMatchObject({ coverage: '50.00', verdict: expect.any(String) });
  expect(await facts(outputs['job-url'])).toMatchObject({ trust: 'provider', commit: HEAD, branch: 'main' });
});

test('the jobs of a pull request upload and close with a token each', async () => {
  const { number, head: headSha, merge: mergeSha } = PULL;
  const event = pullRequestEvent({ repo: 'acme/shop', number, headSha, headRef: 'topic', baseSha: HEAD, mergeSha });
  const env = scene.github.allowIdTokens('acme/shop', scene.ofPull);
  const job = { run: scene.runs.pull, event, env };
  for (const flag of ['a', 'b']) {
    const { exitCode, stdout, outputs } = await step({ ...job, inputs: { parallel: 'true', 'flag-name': flag } });
    expect(exitCode, stdout).toBe(0);
    expect(await facts(outputs['job-url'])).toMatchObject({ commit: headSha, testedCommit: mergeSha, pullRequest: 7 });
  }
  const { exitCode, stdout, outputs } = await step({ ...job, inputs: { 'parallel-finished': 'true' } });
  expect([exitCode, outputs.coverage], stdout).toEqual([0, '50.00']);
});

test('what the server does not take, or GitHub does not give, leaves the github-token', async () => {
  const inputs = { parallel: 'true', 'flag-name': 'instead' };
  const other = scene.service.url.replace('127.0.0.1', 'localhost');
  const refused = await step({ inputs: { ...inputs, 'server-url': other }, githubToken: TOKENS.workflow });
  expect(refused.exitCode, refused.stdout).toBe(0);
  expect(refused.stdout).toContain(
    'The server did not accept the ID token; the github-token is tried instead. It said:',
  );
  expect(refused.stdout).toContain(`It is for the audience "${other}", but this server is ${scene.service.url}`);
  const allowed = scene.github.allowIdTokens('acme/shop', { run_id: scene.runs.push });
  const env = { ...allowed, ACTIONS_ID_TOKEN_REQUEST_TOKEN: 'of-no-job' };
  const none = await step({ inputs, env, githubToken: TOKENS.workflow });
  expect(none.exitCode, none.stdout).toBe(0);
  expect(none.stdout).toContain(
    'The git host did not give this job an ID token (it answered 401 without a token); the github-token',
  );
  const nothing = await step({ inputs, env });
  expect([nothing.exitCode, nothing.stdout]).toEqual([
    1,
    expect.stringContaining('there is neither a repo-token nor a'),
  ]);
});

test('a repo-token goes first, and a job that may ask for none uses the github-token', async () => {
  const asked = (): number => scene.github.requests().filter(({ path }) => path.includes('/request?')).length;
  const before = asked();
  const inputs = { parallel: 'true', 'flag-name': 'first' };
  const own = await step({ inputs: { ...inputs, 'repo-token': repoToken }, githubToken: TOKENS.workflow });
  expect(own.stdout).toContain('Using the repo token.');
  expect(await facts(own.outputs['job-url'])).toMatchObject({ trust: 'secret' });
  const plain = await step({ inputs, env: {}, githubToken: TOKENS.workflow });
  expect(plain.stdout).toContain('Using the github-token: there is no repo-token, and the job');
  expect(asked()).toBe(before);
});

test('the outputs are filled where a github-token is all that is at hand', async () => {
  const { exitCode, stdout, outputs } = await step({ env: {}, githubToken: TOKENS.workflow });
  expect(exitCode, stdout).toBe(0);
  expect(outputs).toMatchObject({ coverage: '50.00', verdict: 'success' });
});

test('what GitHub keeps the server from looking at is uploaded, and nobody waits for its verdict', async () => {
  const { number, head: headSha, merge: mergeSha } = PULL;
  const run = String(scene.addRun({ headSha, headBranch: 'topic', event: 'pull_request' }));
  const event = pullRequestEvent({ repo: 'acme/shop', number, headSha, headRef: 'topic', baseSha: HEAD, mergeSha });
  const env = scene.github.allowIdTokens('acme/shop', { ...scene.ofPull, run_id: run });
  const end = scene.github.faults.when(({ path }) =>
    path.startsWith('/repos/') ? { kind: 'status', status: 401 } : undefined,
  );
  const inputs = { wait: 'true', 'wait-timeout': '600' };
  const { exitCode, stdout } = await step({ run, event, env, inputs });
  end();
  expect(exitCode, stdout).toBe(0);
  expect(stdout).toContain('::warning::The server warns: The upload is stored, and unverified until GitHub lets this');
  expect(stdout).toContain('::warning::Input wait: the git host denies the coverage server access to this repo.');
});
