import { afterAll, beforeAll, expect, test } from 'vitest';
import { job, shaOf } from '../support/coverage-api.ts';
import { newPerson, signedIn } from '../support/people.ts';
import { type Service, startService } from '../support/service.ts';

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

test('a member reads or maintains one repo, until a maintainer says otherwise', async () => {
  const owner = await service.tokenOf('alice');
  const repo = await service.newRepo();
  const other = await service.newRepo();
  const { build } = await service.upload(job({ repo_token: repo.token, commit_sha: shaOf('member') }));
  const bob = await newPerson(service, 'bob');
  const browser = await signedIn(service, 'bob');
  const ask = async (method: string, path: string, body?: object, token = service.adminToken) => {
    const headers = { authorization: `token ${token}`, 'content-type': 'application/json' };
    return service.api.send<Record<string, unknown>>(`/api/v1/repos/manual/${repo.name}${path}`, {
      method,
      headers,
      ...(body && { body: JSON.stringify(body) }),
    });
  };
  const statuses = async () => [
    (await browser.get(`/builds/${build}`)).status,
    (await browser.get(`/api/v1/repos/manual/${repo.name}/settings`)).status,
    (await browser.get(`/manual/${other.name}`)).status,
  ];
  expect(await statuses()).toEqual([404, 404, 404]);
  expect((await ask('PUT', '/members/bob', { role: 'reader' }, owner)).status).toBe(404);
  const put = await ask('PUT', '/members/bob', { role: 'reader' });
  expect(put.json.member).toMatchObject({ account: bob.id, name: 'bob', role: 'reader', added_by: '(ADMIN_TOKEN)' });
  expect(await statuses()).toEqual([200, 403, 404]);
  const listed = await browser.get('/api/v1/repos');
  expect(JSON.parse(listed.text).repos.map((one: { name: string }) => one.name)).toEqual([repo.name]);
  expect((await ask('PUT', `/members/${bob.id}`, { role: 'maintainer' })).status).toBe(200);
  expect(await statuses()).toEqual([200, 200, 404]);
  expect((await ask('GET', '/members')).json.members).toMatchObject([{ account: bob.id, role: 'maintainer' }]);
  expect((await ask('DELETE', '/members/bob')).status).toBe(204);
  expect(await statuses()).toEqual([404, 404, 404]);
  expect((await ask('PUT', '/members/nobody-here', { role: 'reader' })).status).toBe(404);
  expect((await ask('PUT', '/members/bob', { role: 'owner' })).status).toBe(422);
});
