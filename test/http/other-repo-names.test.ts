import type { JobAnswer } from '@coverage/shared';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { job, jsonPost } from '../support/coverage-api.ts';
import { type GithubStandIn, startGithubStandIn } from '../support/github-stand-in/github-stand-in.ts';
import { type Service, startService, warningsOf } from '../support/service.ts';

let github: GithubStandIn;
let service: Service;
beforeAll(async () => {
  github = await startGithubStandIn();
  service = await startService({ github });
});
afterAll(async () => {
  await service.stop();
  await github.close();
});

/** Uploads with a repo's token under a name; what the client is told beside its answer, and the closed build. */
async function upload(token: string, repoName: string) {
  const { headers, json, status } = await service.api.send<JobAnswer>(
    '/api/v1/jobs',
    jsonPost({ ...job({ repo_token: token }), repo_name: repoName }),
  );
  expect([status, Object.keys(json)]).toEqual([200, ['message', 'url']]);
  const header = headers.get('x-coverage-warnings');
  const told: unknown = header === null ? [] : JSON.parse(decodeURIComponent(header));
  const stored = await service.store.jobs.find(Number(json.url.split('/').at(-1)));
  return { told, build: await service.closed(String(stored?.buildId)) };
}

const sentence = (said: string, own: string): string =>
  `repo_name is "${said}", but the token is that of the repo "${own}": the job counts there. ` +
  `Use the token of "${said}".`;

describe('a job whose repo_name is not that of its token', () => {
  test('is taken, and the client and the build are told', async () => {
    const { name, token } = await service.newRepo();
    const { told, build } = await upload(token, 'acme/other');
    expect(told).toEqual([sentence('acme/other', name)]);
    expect(build).toMatchObject({ repo_name: name });
    expect(warningsOf(build).join()).toContain(sentence('acme/other', name));
  });

  test('is nothing to be told where only the case differs', async () => {
    const { name, token } = await service.newRepo();
    expect((await upload(token, name.toUpperCase())).told).toEqual([]);
  });

  test('follows a repo that was renamed at its host', async () => {
    github.addRepo('acme/before');
    const { token } = await service.newRepo({ service: 'github', name: 'acme/before' });
    github.renameRepo('acme/before', 'acme/after');
    const { told, build } = await upload(token, 'acme/after');
    expect(told).toEqual([]);
    expect(build).toMatchObject({ repo_name: 'acme/after' });
  });

  test('of another repo at the same host is not followed, and asks about it once a minute', async () => {
    for (const name of ['acme/own', 'acme/copied']) github.addRepo(name);
    const { token } = await service.newRepo({ service: 'github', name: 'acme/own' });
    expect((await upload(token, 'acme/copied')).told).toEqual([sentence('acme/copied', 'acme/own')]);
    const asked = () => github.requests().filter(({ path }) => path.endsWith('/repos/acme/own')).length;
    const before = asked();
    expect((await upload(token, 'acme/copied')).build).toMatchObject({ repo_name: 'acme/own' });
    expect(asked()).toBe(before);
  });
});
