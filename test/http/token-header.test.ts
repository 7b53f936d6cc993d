import type { BuildJson, JobAnswer } from '@coverage/shared';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { job } from '../support/coverage-api.ts';
import { type Service, startService } from '../support/service.ts';

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

const SCHEMES = ['Bearer', 'token'] as const;
const { repo_token: _, ...WITHOUT_TOKEN } = { ...job({ repo_token: '' }), parallel: true };

const send = <T>(path: string, authorization: string, body?: object) =>
  service.api.send<T & { readonly message?: string }>(path, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { authorization, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
const buildOf = async (url: string) =>
  (await service.store.jobs.find(Number(url.slice(url.lastIndexOf('/') + 1))))?.buildId;

describe.each(SCHEMES)("a repo's token as Authorization: %s", (scheme) => {
  test('uploads, closes, reruns and reads', async () => {
    const repo = await service.newRepo();
    const header = `${scheme} ${repo.token}`;
    const uploaded = await send<JobAnswer>('/api/v1/jobs', header, WITHOUT_TOKEN);
    expect([uploaded.status, uploaded.json.message]).toEqual([200, 'Job #71.1']);
    const build = await buildOf(uploaded.json.url);
    const done = [200, { done: true, url: `${service.url}/builds/${build}`, jobs: 1 }];
    const closed = await send('/webhook', header, { payload: { build_num: 71, status: 'done' } });
    expect([closed.status, closed.json]).toEqual(done);
    for (const again of [
      await send('/rerun_build?build_num=71', header),
      await send('/rerun_build', header, { build_num: 71 }),
    ])
      expect([again.status, again.json]).toEqual(done);
    const read = await send<BuildJson>(`/builds/${build}.json`, header);
    expect([read.status, read.json.committer_email]).toEqual([200, 'mona@example.com']);
    const paths = [`/builds/${build}`, `/builds/${build}/source_files`, `/jobs/${uploaded.json.url.split('/').at(-1)}`];
    for (const path of [...paths, `/manual/${repo.name}.json`, `/repos/manual/${repo.name}/badge.svg`])
      expect([path, (await send(path, header)).status]).toEqual([path, 200]);
  });

  test("of another repo reads nothing private, and no e-mail address of a public repo's builds", async () => {
    const [repo, other] = [await service.newRepo(), await service.newRepo()];
    const { build } = await service.upload(job({ repo_token: repo.token }));
    const header = `${scheme} ${other.token}`;
    expect((await send(`/builds/${build}.json`, header)).status).toBe(404);
    await service.store.repos.update({ repoId: repo.id, settings: { visibility: 'public' }, at: Date.now() });
    const read = await send<BuildJson>(`/builds/${build}.json`, header);
    expect([read.status, read.json.committer_email]).toEqual([200, null]);
    const listed = await send<{ builds: BuildJson[] }>(`/manual/${repo.name}.json`, header);
    expect([listed.status, listed.json.builds[0]?.committer_email]).toEqual([200, null]);
  });
});

describe('a token in the query or the body goes first', () => {
  test.each(['Basic bW9uYTpzZWNyZXQ=', 'Bearer nonsense', 'nonsense', 'token', 'Bearer cvr_of-another-repo'])(
    'whatever the header says: %s',
    async (authorization) => {
      const { token } = await service.newRepo();
      const uploaded = await send<JobAnswer>('/api/v1/jobs', authorization, { ...WITHOUT_TOKEN, repo_token: token });
      expect([uploaded.status, uploaded.json.message]).toEqual([200, 'Job #71.1']);
      const payload = { build_num: 71, status: 'done' };
      expect((await send('/webhook', authorization, { repo_token: token, payload })).status).toBe(200);
      expect((await send(`/webhook?repo_token=${token}`, authorization, { payload })).status).toBe(200);
      expect((await send(`/rerun_build?repo_token=${token}&build_num=71`, authorization)).status).toBe(200);
    },
  );

  test('and a wrong one is refused beside a good header', async () => {
    const { token } = await service.newRepo();
    const body = { ...WITHOUT_TOKEN, repo_token: 'cvr_wrong' };
    expect((await send('/api/v1/jobs', `Bearer ${token}`, body)).status).toBe(422);
    expect((await send('/webhook?repo_token=cvr_wrong', `Bearer ${token}`, {})).status).toBe(422);
  });
});

test('a wrong token in the header alone is refused, and not repeated', async () => {
  const secret = 'cvr_unknown_0123456789';
  const replies = [
    await send('/api/v1/jobs', `Bearer ${secret}`, WITHOUT_TOKEN),
    await send('/webhook', `token ${secret}`, {}),
    await send('/builds/1.json', `Bearer ${secret}`),
  ];
  expect(replies.map(({ status }) => status)).toEqual([422, 422, 401]);
  for (const { text } of replies) expect(text).not.toContain(secret);
  expect(service.log.text()).not.toContain(secret);
});
