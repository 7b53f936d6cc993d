import { afterAll, beforeAll, expect, test } from 'vitest';
import { readAccessTable, readAnswers, writeRow } from '../support/access/access-table.ts';
import { job, shaOf } from '../support/coverage-api.ts';
import { openBrowser, type PageBrowser } from '../support/page-browser.ts';
import { newPerson, signedIn } from '../support/people.ts';
import { type Service, startService } from '../support/service.ts';

const NAME = 'acme/closed';

let service: Service;
/** By their names in test/support/access/answers.md. */
let browsers: Readonly<Record<string, PageBrowser>>;
let build: string;
beforeAll(async () => {
  service = await startService();
  const { id, token } = await service.newRepo({ name: NAME });
  build = (await service.upload(job({ repo_token: token, commit_sha: shaOf('people') }))).build;
  await service.closed(build);
  for (const user of ['stranger', 'reader', 'maintainer']) await newPerson(service, user);
  await newPerson(service, 'administrator', true);
  const at = Date.now();
  for (const role of ['reader', 'maintainer'] as const) {
    const account = await service.store.accounts.findBySubject('local', role);
    await service.store.members.put({ repoId: id, accountId: account?.id ?? 0, role, by: 'test', at });
  }
  const names = ['stranger', 'reader', 'maintainer', 'administrator'];
  const people = await Promise.all(names.map(async (name) => [name, await signedIn(service, name)] as const));
  for (const [, browser] of people) await browser.get('/account/tokens');
  const share = openBrowser(service.url);
  const body = JSON.stringify({ name: 'Board' });
  const headers = { authorization: `token ${service.adminToken}`, 'content-type': 'application/json' };
  const path = `/api/v1/repos/manual/${NAME}/share-links`;
  const made = await service.api.send<{ share_link: { url: string } }>(path, { method: 'POST', headers, body });
  await share.follow(made.json.share_link.url);
  const old = openBrowser(service.url);
  await old.follow(`/builds/${build}?repo_token=${token}`);
  browsers = Object.fromEntries([...people, ['share link', share], ['repo token', old]]);
});
afterAll(() => service.stop());

/** With the form's token where something is changed. */
async function ask(browser: PageBrowser, route: string): Promise<number> {
  const [method = '', form = ''] = route.split(' ');
  const path = form.replace(':reference', build).replace(':service', 'manual').replace('*name', NAME);
  const json = !path.includes('/api/') && method === 'GET' ? {} : { accept: 'application/json' };
  if (method === 'GET') return (await browser.get(path, json)).status;
  if (path.startsWith('/sharing/') || path === '/repos/new' || path === '/setup')
    return (await browser.send(path, { service: 'manual', repo: NAME, name: 'x', expires_in_days: '1' })).status;
  const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const headers = { ...json, cookie, 'content-type': 'application/json', 'x-csrf-token': browser.csrf() };
  return (await fetch(`${service.url}${path}`, { method, headers, body: '{}' })).status;
}

test('every kind of cookie opens what the tables of access say', async () => {
  const table = readAccessTable(await readAnswers(), 'A cookie, for a private repo');
  expect(table.columns).toEqual(Object.keys(browsers));
  expect(table.rows.size).toBeGreaterThan(10);
  const wrong: string[] = [];
  for (const [route, expected] of table.rows) {
    const statuses: string[] = [];
    for (const browser of Object.values(browsers)) statuses.push(String(await ask(browser, route)));
    if (statuses.join() !== expected.join()) wrong.push(writeRow(route, statuses));
  }
  expect(wrong.join('\n')).toBe('');
});
