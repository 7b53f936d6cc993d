import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ActionScene, MAIN, startActionScene } from '../support/action-scene.ts';
import { sendDelivery } from '../support/hooks-client.ts';

/** The built action's legs of one build, and what closes it where no step does. */

let scene: ActionScene;
beforeAll(async () => {
  scene = await startActionScene();
});
afterAll(() => scene.end());

const legs = (runId: string, flags: readonly string[], inputs: Readonly<Record<string, string>>) =>
  Promise.all(flags.map((flag) => scene.step({ 'flag-name': flag, ...inputs }, { runId })));

async function buildOf(jobUrl: string | undefined): Promise<string> {
  const { json } = await scene.service.api.jobJson(jobUrl?.slice(jobUrl.lastIndexOf('/') + 1) ?? '');
  return json.build;
}

test('expected-jobs: the last leg closes the build, and a leg that is run again does so again', async () => {
  const run = scene.addRun();
  const first = await scene.step({ 'flag-name': 'a', 'expected-jobs': '3' }, { runId: run });
  expect(first.exitCode, first.stdout).toBe(0);
  const again = await scene.step({ 'flag-name': 'a', 'expected-jobs': '3' }, { runId: run, runAttempt: '2' });
  const build = await buildOf(again.outputs['job-url']);
  expect(await scene.service.build(build)).toMatchObject({ state: 'open', expected_jobs: { expected: 3, arrived: 1 } });
  await legs(run, ['b', 'c'], { 'expected-jobs': '3' });
  expect(await scene.service.closed(build)).toMatchObject({ closed_by: 'job', flags: [{ name: 'a' }, {}, {}] });
});

test('no closing step: the end of the run closes the build', async () => {
  const runId = scene.addRun();
  const [leg] = await legs(runId, ['a', 'b'], { parallel: 'true' });
  const build = await buildOf(leg?.outputs['job-url']);
  expect((await scene.service.build(build)).state).toBe('open');
  const ended = { id: Number(runId), headSha: MAIN, status: 'completed', conclusion: 'success' } as const;
  const run = scene.github.addRun('acme/shop', ended);
  const { status } = await sendDelivery(scene.service.url, scene.github.deliveries.runCompleted('acme/shop', run));
  expect(status).toBe(200);
  expect(await scene.service.closed(build)).toMatchObject({ closed_by: 'provider', flags: [{}, {}] });
});

test('no closing step and no webhook: the quiet period closes the build', async () => {
  const [leg] = await legs(scene.addRun(), ['a', 'b'], { parallel: 'true' });
  const build = await buildOf(leg?.outputs['job-url']);
  await scene.service.time.pass(scene.service.config.quietPeriod);
  expect(await scene.service.closed(build)).toMatchObject({ closed_by: 'deadline', verdict: { state: 'success' } });
});
