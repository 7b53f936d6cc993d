import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { job, jsonPost, type RepoJson, shaOf, sourceFile } from '../support/coverage-api.ts';
import { type Service, startService } from '../support/service.ts';
import { waitFor } from '../support/wait-for.ts';

let service: Service;
let repo: RepoJson & { token: string };
beforeAll(async () => {
  service = await startService();
  repo = await service.newRepo();
});
afterAll(() => service.stop());

/** JSON with halves of surrogate pairs, as some clients cut their texts. */
const upload = (fields: object) => service.api.uploadJob(JSON.stringify(job({ repo_token: repo.token, ...fields })));

describe('halves of surrogate pairs', () => {
  test('in two flags that differ by them alone: the build closes anyway', async () => {
    for (const flag_name of ['f\ud800', 'f\ud801']) {
      expect((await upload({ service_number: '1', parallel: true, flag_name })).status).toBe(200);
    }
    const close = await service.api.closeBuild({ repo_token: repo.token, build_num: '1' });
    expect((await service.api.buildJson(close.json.url)).json).toMatchObject({
      state: 'closed',
      verdict: { state: 'success' },
    });
  });

  test('in the commits: the job is taken', async () => {
    const reply = await upload({ service_number: '2', commit_sha: '\ud800', service_tested_sha: '\ud801' });
    expect(reply.status).toBe(200);
  });

  test('in a text that is cut at its limit', async () => {
    const reply = await upload({ service_number: '3', flag_name: `${'x'.repeat(999)}😀` });
    expect(reply.status).toBe(200);
    const { build } = (await service.api.jobJson(reply.json.url)).json;
    const closed = await waitFor(
      async () => {
        const { json } = await service.api.buildJson(build);
        return json.state === 'closed' && json;
      },
      { what: 'the build to close' },
    );
    expect(closed.flags[0]?.name.isWellFormed()).toBe(true);
  });
});

test('a carryforward list without end is refused, and the build stays open', async () => {
  const first = await upload({ service_number: '4', parallel: true });
  const carryforward = Array.from({ length: 1_001 }, (_, index) => `f${index}`).join(',');
  const close = await service.api.send<object>(
    '/webhook',
    jsonPost({ repo_token: repo.token, carryforward, payload: { build_num: '4' } }),
  );
  expect(close.status).toBe(422);
  expect(close.json.message).toContain('1001 flags');
  const { build } = (await service.api.jobJson(first.json.url)).json;
  expect((await service.api.buildJson(build)).json.state).toBe('open');
});

test('a scheduled run that builds one commit again and again keeps its base', async () => {
  const other = await service.newRepo();
  const push = async (number: number, commit: string) => {
    const fields = {
      repo_token: other.token,
      service_number: String(number),
      commit_sha: shaOf(commit),
      parallel: true,
    };
    const source_files = [sourceFile('a.ts', [1, 0])];
    await service.api.uploadJob(job({ ...fields, source_files }));
    const close = await service.api.closeBuild({ repo_token: other.token, build_num: number });
    return (await service.api.buildJson(close.json.url)).json;
  };
  await push(100, 'first');
  for (let number = 101; number < 124; number += 1) await push(number, 'nightly');
  expect((await push(124, 'nightly')).base).toMatchObject({ commit_sha: shaOf('first'), rule: 'previous-on-branch' });
});

describe('what hides or reorders text is written out', () => {
  const HIDDEN = /(?![\t\n])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u;
  const evil = (what: string) => `${what}\u202egpj\u2066\u0007\u200b\u2028.x`;
  const shown = (what: string) => String.raw`${what}\u202egpj\u2066\u0007\u200b\u2028.x`;
  const get = (path: string, accept = 'text/html') =>
    service.api.send(path, { headers: { authorization: `token ${service.adminToken}`, accept } });

  test('on every page, and in the badge', async () => {
    const other = await service.newRepo();
    const close = { parallel: false, service_number: evil('number'), service_name: evil('service') };
    const reply = await service.api.uploadJob(
      job({
        ...close,
        repo_token: other.token,
        flag_name: evil('flag'),
        commit_sha: evil('commit'),
        git: { branch: evil('branch'), head: { message: evil('message') } },
        source_files: [sourceFile(evil('file'), [1, 0], { source: `${evil('first')}\n${evil('second')}` })],
      }),
    );
    const id = reply.json.url.split('/').at(-1);
    const { build } = (await service.api.jobJson(reply.json.url)).json;
    await waitFor(async () => (await service.api.buildJson(build)).json.state === 'closed', { what: 'the close' });
    const file = encodeURIComponent(evil('file'));
    const pages = [
      [`/builds/${build}`, 'flag', 'commit', 'branch', 'message', 'number'],
      [`/jobs/${id}`, 'flag', 'commit', 'branch', 'number'],
      [`/manual/${other.name}`, 'branch', 'message'],
      [`/builds/${build}/source_files`, 'file'],
      [`/builds/${build}/source?filename=${file}`, 'file', 'first', 'second'],
      [`/builds/${encodeURIComponent(evil('nowhere'))}`],
      [
        `/repos/manual/${other.name}/badge.svg?` +
          `branch=${encodeURIComponent(evil('branch'))}&flag=${encodeURIComponent(evil('flag'))}`,
      ],
    ] as const;
    for (const [path, ...names] of pages) {
      const { text } = await get(path);
      expect(text).not.toMatch(HIDDEN);
      for (const name of names) expect(text).toContain(shown(name));
    }
    expect((await get(pages[6][0])).text).toContain(String.raw`(flag\u202egpj`);
  });

  test('in the sentence of a failure', async () => {
    const { json } = await service.api.send<object>(
      '/webhook',
      jsonPost({ repo_token: repo.token, payload: { build_num: evil('x') } }),
    );
    expect(json.message).toContain(shown('x'));
    expect(json.message).not.toMatch(HIDDEN);
  });
});

test('no cache keeps an answer that holds a token, and no page frames it', async () => {
  const authorization = `token ${service.adminToken}`;
  for (const path of [`/api/v1/repos/manual/${repo.name}`, `/api/v1/repos/manual/${repo.name}/settings`]) {
    const { status, headers } = await service.api.send(path, { headers: { authorization } });
    expect(status).toBe(200);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(headers.get('x-frame-options')).toBe('DENY');
  }
});
