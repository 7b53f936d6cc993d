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
});
