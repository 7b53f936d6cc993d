import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ActionScene, MAIN, pushOf, startActionScene, writeReport } from '../support/action-scene.ts';
import { shaOf } from '../support/coverage-api.ts';
import type { ActionStep } from '../support/runner-stand-in/run-action.ts';

/** What the built action ends by: the verdict, its own failures, the server's. */

let scene: ActionScene;
beforeAll(async () => {
  scene = await startActionScene();
  const { exitCode, stdout } = await scene.step({ wait: 'true' }, { runId: scene.addRun() });
  expect(exitCode, stdout).toBe(0);
});
afterAll(() => scene.end());

/** A push to main that changes both lines. */
function push(): Pick<ActionStep, 'event' | 'runId'> {
  const headSha = shaOf('changes both lines');
  const patch = '@@ -1,2 +1,2 @@\n-x();\n-y();\n+a();\n+b();';
  scene.github.addCommit('acme/shop', { sha: headSha, parents: [MAIN], branch: 'main' });
  scene.github.setComparedFiles('acme/shop', MAIN, headSha, [
    { filename: 'a.js', status: 'modified', additions: 2, deletions: 2, patch },
  ]);
  return { event: pushOf(headSha), runId: scene.addRun({ headSha }) };
}

test('wait: the verdict fails the step; the summary and the annotations say where', async () => {
  await writeReport(scene.workspace, [0, 0]);
  const asked = { wait: 'true', annotations: 'true' };
  const { exitCode, stdout, outputs, summary } = await scene.step(asked, push());
  await writeReport(scene.workspace, [1, 0]);
  expect(exitCode, stdout).toBe(1);
  const { verdict } = await scene.service.build(outputs['build-url']?.split('/').at(-1) ?? '');
  expect(outputs).toMatchObject({ verdict: 'failure', coverage: '0.00' });
  expect(stdout.replaceAll('%25', '%')).toContain(
    `::error::The verdict on the build is failure: ${verdict?.explanation}`,
  );
  expect(stdout).toContain('::warning title=Coverage,file=a.js,line=1,endLine=2::Lines 1 to 2 are changed and not');
  const unescaped = summary.replaceAll('\\', '');
  expect(unescaped).toContain(`**failure**: ${verdict?.explanation}`);
  expect(unescaped).toContain('| a.js | 0 / 2 | — | 1–2 |');
  expect(summary).toContain(`(<${outputs['build-url']}>)`);
});

test('wait in the closing step; refused on a leg', async () => {
  const runId = scene.addRun();
  const leg = await scene.step({ parallel: 'true', wait: 'true' }, { runId });
  expect([leg.exitCode, leg.stdout]).toEqual([1, expect.stringContaining('Input wait: a parallel upload does not')]);
  await scene.step({ parallel: 'true', 'flag-name': 'unit' }, { runId });
  const closed = await scene.step({ 'parallel-finished': 'true', wait: 'true' }, { runId });
  expect([closed.exitCode, closed.outputs.verdict], closed.stdout).toEqual([0, 'success']);
});

test('dry-run says what would be sent, and sends nothing', async () => {
  const { exitCode, stdout, summary } = await scene.step({
    'dry-run': 'true',
    'server-url': 'http://127.0.0.1:9',
    'flag-name': 'unit',
  });
  expect(exitCode, stdout).toBe(0);
  expect(stdout).toContain('  flag_name: unit');
  expect(stdout).toContain('  a.js: 1 of 2 lines');
  expect(stdout).not.toContain(`: ${scene.token}`);
  expect(summary).toContain('Dry run: nothing was sent.');
});

describe('a server that cannot be reached, or that fails', () => {
  const cases = [
    ['by itself', {}, 0, '::warning::Coverage was not processed. The step does not fail for it, since fail-on-server'],
    ['with fail-on-server-error', { 'fail-on-server-error': 'true' }, 1, '::error::The coverage server'],
    ['with fail-on-error off', { 'fail-on-error': 'false', 'fail-on-server-error': 'true' }, 0, '::warning::Coverage'],
  ] as const;

  test.each(cases)('that is away: %s', async (_, inputs, code, words) => {
    const away = { 'server-url': 'http://127.0.0.1:9', timeout: '1' };
    const { exitCode, stdout } = await scene.step({ ...away, ...inputs });
    expect([exitCode, stdout]).toEqual([code, expect.stringContaining(words)]);
  });

  test('that answers 503, or whose proxy does', async () => {
    const bodies = ['{"message":"The store is away.","error":true}', '<h1>Bad gateway</h1>'];
    for (const body of bodies) {
      const server = createServer((_, response) => void response.writeHead(503).end(body));
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      const { exitCode, stdout } = await scene.step({ 'server-url': url, timeout: '1', 'send-source': 'none' });
      server.close();
      expect([exitCode, stdout]).toEqual([
        0,
        expect.stringMatching(/^::warning::Coverage was not processed\. The step/m),
      ]);
    }
  });

  test('is another thing than an upload that it refuses, which fails', async () => {
    const { exitCode, stdout } = await scene.step({ 'repo-token': 'nobodys' });
    expect([exitCode, stdout]).toEqual([1, expect.stringMatching(/^::error::The coverage server refused/m)]);
  });
});
