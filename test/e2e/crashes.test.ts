import { afterEach, describe, expect, test } from 'vitest';
import { job, sourceFile } from '../support/coverage-api.ts';
import { createCrashScene } from '../support/crash-scene.ts';

const { start, end } = createCrashScene();
afterEach(end);

describe('a server that is killed loses nothing it answered', () => {
  test('between a job and the close: the job is in the result', async () => {
    const { server, api, token } = await start();
    const first = await api.uploadJob(job({ repo_token: token, parallel: true, flag_name: 'one' }));
    expect(first.status).toBe(200);
    await server.kill();
    await server.restart();
    await api.uploadJob(
      job({ repo_token: token, parallel: true, flag_name: 'two', source_files: [sourceFile('src/b.ts', [0, 0, 3])] }),
    );
    const close = await api.closeBuild({ repo_token: token, build_num: '71' });
    expect(close.json).toMatchObject({ done: true, jobs: 2 });
    const build = await api.buildJson(close.json.url);
    expect(build.json).toMatchObject({ state: 'closed', covered_lines: 2, relevant_lines: 5 });
  });

  test('while reports are merged ahead of the close: every job is in the result, once', async () => {
    const { server, api, token } = await start();
    const uploadLegs = async (first: number, last: number): Promise<void> => {
      for (let leg = first; leg <= last; leg += 1) {
        const source_files = [sourceFile('src/a.ts', [1, 0, null]), sourceFile(`src/${leg}.ts`, [0, 1])];
        await api.uploadJob(job({ repo_token: token, parallel: true, service_job_id: `${leg}`, source_files }));
      }
    };
    // The eighth job makes all of them worth merging: that is under way, or done, or lost.
    await uploadLegs(1, 8);
    await server.kill();
    await server.restart();
    await uploadLegs(9, 19);
    const close = await api.closeBuild({ repo_token: token, build_num: '71' });
    expect(close.json).toMatchObject({ done: true, jobs: 19 });
    const build = await api.buildJson(close.json.url);
    expect(build.json).toMatchObject({ state: 'closed', covered_lines: 20, relevant_lines: 40 });
  });
});
