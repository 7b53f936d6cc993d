import { afterEach, describe, expect, test } from 'vitest';
import { job, shaOf, sourceFile } from '../support/coverage-api.ts';
import { createCrashScene, REPO } from '../support/crash-scene.ts';
import { waitFor } from '../support/wait-for.ts';

const { start, end } = createCrashScene();
afterEach(end);

describe('a server that is killed loses nothing it answered', () => {
  test('between the close and its delivery: the final status arrives', async () => {
    const { server, github, api, token } = await start();
    github.faults.when(() => ({ kind: 'status', status: 503 }));
    await api.uploadJob(job({ repo_token: token, parallel: true }));
    const close = await api.closeBuild({ repo_token: token, build_num: '71' });
    expect((await api.buildJson(close.json.url)).json.state).toBe('closed');
    await server.kill();
    expect(github.statuses(REPO, shaOf('commit'))).toEqual([]);
    github.faults.clear();
    await server.restart();
    // Until GitHub has said what the base could be, the status waits.
    const status = await waitFor(
      () => {
        const last = github.lastStatuses(REPO, shaOf('commit')).get('coverage');
        return last?.state === 'pending' ? undefined : last;
      },
      { what: 'the final status after the restart', timeoutMs: 40_000 },
    );
    expect(status).toMatchObject({ state: 'success', targetUrl: close.json.url });
  });

  test('while reports are merged ahead of the close: every job is in the result, once', async () => {
    const { server, api, token } = await start();
    const uploadLegs = async (first: number, last: number): Promise<void> => {
      for (let leg = first; leg <= last; leg += 1) {
        const source_files = [sourceFile('src/a.ts', [1, 0, null]), sourceFile(`src/${leg}.ts`, [0, 1])];
        await api.uploadJob(job({ repo_token: token, parallel: true, service_job_id: `${leg}`, source_files }));
      }
    };
    // The eighth job makes all of them worth merging: that is in progress, or done, or lost.
    await uploadLegs(1, 8);
    await server.kill();
    await server.restart();
    await uploadLegs(9, 19);
    const close = await api.closeBuild({ repo_token: token, build_num: '71' });
    expect(close.json).toMatchObject({ done: true, jobs: 19 });
    const build = await api.buildJson(close.json.url);
    expect(build.json).toMatchObject({ state: 'closed', covered_lines: 20, relevant_lines: 40 });
  });

  test('between a single job and its merge: the build closes by itself', async () => {
    const { server, github, api, token } = await start();
    github.addPullRequest(REPO, { number: 7, headSha: shaOf('head'), baseRef: 'main' });
    // Whether the commit is a merge commit is asked first; without an answer the build is not closed.
    github.faults.when(() => ({ kind: 'hang' }));
    const upload = await api.uploadJob(
      job({ repo_token: token, commit_sha: shaOf('head'), service_pull_request: '7' }),
    );
    expect(upload.status).toBe(200);
    const { build } = (await api.jobJson(upload.json.url)).json;
    expect((await api.buildJson(build)).json).toMatchObject({ state: 'open', verdict: null });
    await server.kill();
    github.faults.clear();
    await server.restart();
    const closed = await waitFor(
      async () => {
        const { json } = await api.buildJson(build);
        return json.state === 'closed' ? json : undefined;
      },
      { what: 'the build to close', timeoutMs: 30_000 },
    );
    expect(closed).toMatchObject({ closed_by: 'job', covered_lines: 1, relevant_lines: 2 });
  });
});

describe('an orderly stop', () => {
  test('SIGTERM finishes what was accepted, and ends by itself with exit code 0', async () => {
    const { server, api, token } = await start();
    const uploads = Array.from({ length: 8 }, (_, index) =>
      api.uploadJob(job({ repo_token: token, parallel: true, flag_name: `leg ${index}` })),
    );
    // Some are cut off while the server stops.
    const settled = Promise.allSettled(uploads);
    await uploads[0];
    const stopped = await server.stop();
    expect(stopped).toMatchObject({ code: 0, signal: null });
    expect(server.output().at(-1)).toContain('stopped');
    const accepted = (await settled).filter((one) => one.status === 'fulfilled' && one.value.status === 200);
    await server.restart();
    const close = await api.closeBuild({ repo_token: token, build_num: '71' });
    expect(close.json.jobs).toBe(accepted.length);
  });
});
