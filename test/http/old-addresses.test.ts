import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { job } from '../support/coverage-api.ts';
import { type Service, startService } from '../support/service.ts';

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

const admin = (): Record<string, string> => ({ authorization: `token ${service.adminToken}` });
const get = (path: string, headers: Record<string, string> = admin()) =>
  fetch(service.url + path, { headers, redirect: 'manual' });
/** Where a redirect leads, below the server. */
const leads = async (path: string): Promise<[number, string]> => {
  const answer = await get(path);
  const to = new URL(answer.headers.get('location') ?? '', service.url + path);
  return [answer.status, to.href.replace(service.url, '')];
};

describe('addresses from Coveralls', () => {
  test('badge.png leads to the badge, with its query', async () => {
    const path = '/repos/github/acme/shop/badge';
    expect(await leads(`${path}.png?branch=next&t=abc`)).toEqual([302, `${path}.svg?branch=next&t=abc`]);
    expect(await leads('/repos/acme/shop/badge.png')).toEqual([302, '/repos/acme/shop/badge.svg']);
  });

  test('a badge without its service is that of the repo on GitHub, else of the one that has it', async () => {
    const both = await service.newRepo({ service: 'github', name: 'acme/both' });
    await service.newRepo({ service: 'manual', name: 'acme/both' });
    const other = await service.newRepo({ service: 'manual', name: 'acme/other' });
    for (const { token } of [both, other]) await service.uploadAlone(job({ repo_token: token }));
    for (const name of ['acme/both', 'acme/other', 'ACME/Other']) {
      const answer = await get(`/repos/${name}/badge.svg?branch=main`);
      expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'image/svg+xml; charset=utf-8']);
      expect(await answer.text()).toContain('50');
    }
    expect((await get('/repos/acme/other/badge.svg', {})).status).toBe(404);
    expect((await get('/repos/acme/none/badge.svg')).status).toBe(404);
  });

  test.each([
    ['/repos/github/acme/shop', '/github/acme/shop'],
    ['/repos/github/acme/shop?branch=next', '/github/acme/shop?branch=next'],
    ['/repos/gitlab/group/sub/shop', '/gitlab/group/sub/shop'],
    ['/repos/acme/shop', '/github/acme/shop'],
  ])('%s leads to %s', async (path, to) => expect(await leads(path)).toEqual([302, to]));

  test('a repo has its page, of one branch too', async () => {
    await service.newRepo({ service: 'github', name: 'acme/page' });
    expect((await get('/github/acme/page?branch=main', { ...admin(), accept: 'text/html' })).status).toBe(200);
    expect((await get('/repos/nobody')).status).toBe(404);
  });
});

test('the root says what this is, to people and to programs; an upload there is told its address', async () => {
  const page = await get('/', { accept: 'text/html' });
  expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
  expect(await page.text()).toContain('Coveralls API');
  const json = await get('/', {});
  expect(await json.json()).toEqual({ message: expect.stringContaining(service.url), url: service.url });
  const post = await fetch(service.url, { method: 'POST' });
  expect([post.status, await post.text()]).toEqual([404, expect.stringContaining('/api/v1/jobs')]);
});

test.each([
  ['/api/v1/jobs/api/v1/jobs', '/api/v1/jobs'],
  ['/api/v1/jobs/webhook', '/api/v1/jobs'],
  ['/webhook/api/v1/jobs', '/webhook'],
  ['/api/v1/api/v1/jobs', '/api/v1'],
])('a client that was given more than the base, and sends to %s, is told', async (path, without) => {
  const answer = await fetch(service.url + path, { method: 'POST' });
  expect([answer.status, await answer.text()]).toEqual([
    404,
    expect.stringContaining(`Give it only the base URL, without ${without}.`),
  ]);
});

describe('GET /api/v1/repos', () => {
  const list = async (token: string, query = '', path = '/api/v1/repos') =>
    (
      await service.api.send<{ page: number; pages: number; total: number; repos: { name: string }[]; token?: string }>(
        path + query,
        { headers: { authorization: `token ${token}` } },
      )
    ).json;
  const make = async (token: string, name: string, visibility?: string) => {
    const headers = { authorization: `token ${token}`, 'content-type': 'application/json' };
    const send = (path: string, method: string, body: object) =>
      service.api.send(path, { method, headers, body: JSON.stringify(body) });
    expect((await send('/api/v1/repos', 'POST', { repo: { service: 'manual', name } })).status).toBe(201);
    if (visibility !== undefined)
      expect((await send(`/api/v1/repos/manual/${name}/settings`, 'PUT', { visibility })).status).toBe(200);
  };

  test('lists what the caller may see, by name, page by page', async () => {
    const [lena, otto] = [await service.tokenOf('lena'), await service.tokenOf('otto')];
    await make(lena, 'lena/one');
    await make(lena, 'lena/two');
    await make(otto, 'otto/private');
    await make(otto, 'otto/public', 'public');
    const names = async (...args: Parameters<typeof list>) => (await list(...args)).repos.map(({ name }) => name);
    expect(await names(lena)).toEqual(['lena/one', 'lena/two', 'otto/public']);
    expect(await names(otto, '', '/api/repos')).toEqual(['otto/private', 'otto/public']);
    expect(await names(service.adminToken, '?per_page=100')).toEqual(
      expect.arrayContaining(['lena/one', 'lena/two', 'otto/private', 'otto/public']),
    );
    const second = await list(lena, '?page=2&per_page=2');
    expect(second).toMatchObject({ page: 2, pages: 2, total: 3, repos: [{ name: 'otto/public', service: 'manual' }] });
    expect(second.repos[0]).toMatchObject({ url: `${service.url}/manual/otto/public` });
    expect(JSON.stringify(second)).not.toContain('cvr_');
    expect(await list(lena, '?page=9')).toMatchObject({ total: 3, repos: [] });
  });

  test('needs a personal token', async () => {
    const { token } = await service.newRepo();
    expect((await get('/api/v1/repos', {})).status).toBe(401);
    expect((await get('/api/v1/repos', { authorization: `token ${token}` })).status).toBe(401);
  });
});
