import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { job, shaOf } from '../support/coverage-api.ts';
import { openBrowser, type PageBrowser } from '../support/page-browser.ts';
import { newPerson, signedIn } from '../support/people.ts';
import { type Service, startService } from '../support/service.ts';

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

const SOURCE = 'export const shared = 1;\n';
let made = 0;

/** A private repo of alice's with a build that holds a source text. */
async function putRepo() {
  made += 1;
  const headers = { authorization: `token ${await service.tokenOf('alice')}`, 'content-type': 'application/json' };
  const call = async <T>(method: string, path: string, body?: object) =>
    service.api.send<T>(path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
  const name = `acme/shared-${made}`;
  const repo = (await call<{ repo: { token: string } }>('POST', '/api/v1/repos', { repo: { service: 'manual', name } }))
    .json.repo;
  const files = [{ name: 'src/a.ts', source: SOURCE, coverage: [1] }];
  const { build } = await service.upload(job({ repo_token: repo.token, commit_sha: shaOf(name), source_files: files }));
  await service.closed(build);
  const links = `/api/v1/repos/manual/${name}/share-links`;
  return { name, token: repo.token, build, page: `/builds/${build}`, links, call };
}

/** The page of the repo's file, without its tags; its old address leads there. */
async function readFile(browser: PageBrowser, { page }: { readonly page: string }) {
  const { location = '' } = await browser.get(`${page}/source?filename=src/a.ts`);
  const { status, text } = await browser.get(location);
  return { status, text: text.replace(/<[^>]*>/g, '') };
}

interface MadeLink {
  readonly share_link: { readonly id: number; readonly url: string; readonly token: string };
}

describe('a share link', () => {
  test('is turned into a cookie and a clean address, and reads that repo’s numbers', async () => {
    const repo = await putRepo();
    const { status, json } = await repo.call<MadeLink>('POST', repo.links, { name: 'Board', expires_in_days: 7 });
    expect(status).toBe(201);
    const { url, token } = json.share_link;
    expect(url).toBe(`${service.url}/manual/${repo.name}?share=${token}`);
    const browser = openBrowser(service.url);
    expect(await browser.get(`${repo.page}?flags_page=1&share=${token}`)).toMatchObject({
      status: 302,
      location: `${repo.page}?flags_page=1`,
    });
    expect((await browser.get(repo.page)).status).toBe(200);
    expect((await browser.get(`${repo.page}.json`)).status).toBe(200);
    expect((await browser.get(`/manual/${repo.name}`)).status).toBe(200);
    const file = await readFile(browser, repo);
    expect([file.status, file.text.includes('export const shared')]).toEqual([200, false]);
    expect((await browser.get((await putRepo()).page)).status).toBe(302);
    expect((await openBrowser(service.url).get(repo.page)).status).toBe(302);
  });

  test('shows source where its maker says so, and adds to what somebody who is signed in sees', async () => {
    const repo = await putRepo();
    await newPerson(service, 'bob');
    const browser = await signedIn(service, 'bob');
    expect((await browser.get(repo.page)).status).toBe(404);
    const { json } = await repo.call<MadeLink>('POST', repo.links, { name: 'Board', source: true });
    await browser.get(`${repo.page}?share=${json.share_link.token}`);
    expect((await readFile(browser, repo)).text).toContain('export const shared');
    expect(await browser.get(`/api/v1/repos/manual/${repo.name}`)).toMatchObject({ status: 404 });
  });

  test('ends when it is revoked', async () => {
    const repo = await putRepo();
    const { json } = await repo.call<MadeLink>('POST', repo.links, { name: 'Board' });
    const { id, token } = json.share_link;
    const browser = openBrowser(service.url);
    await browser.get(`${repo.page}?share=${token}`);
    expect((await browser.get(repo.page)).status).toBe(200);
    const listed = await repo.call<{ share_links: readonly object[] }>('GET', repo.links);
    expect(listed.json.share_links).toMatchObject([{ id, name: 'Board', source: false, created_by: 'alice' }]);
    expect(listed.text).not.toContain(token);
    expect((await repo.call('DELETE', `${repo.links}/${id}`)).status).toBe(204);
    expect((await repo.call('DELETE', `${repo.links}/${id}`)).status).toBe(404);
    expect((await browser.get(repo.page)).status).toBe(302);
    const again = await openBrowser(service.url).get(`${repo.page}?share=${token}`);
    expect([again.status, again.text.includes('This link has expired')]).toEqual([404, true]);
  });

  test.skipIf(process.env.TEST_MONGODB_URL !== undefined)('ends when it has expired', async () => {
    const own = service;
    service = await startService();
    try {
      const repo = await putRepo();
      const { json } = await repo.call<MadeLink>('POST', repo.links, { name: 'Board', expires_in_days: 2 });
      const browser = openBrowser(service.url);
      await browser.get(`${repo.page}?share=${json.share_link.token}`);
      await service.time.pass(86_400_000);
      expect((await browser.get(repo.page)).status).toBe(200);
      await service.time.pass(86_400_000);
      expect((await browser.get(repo.page)).status).toBe(302);
    } finally {
      await service.stop();
      service = own;
    }
  });

  test('is made by maintainers alone, and from whole fields', async () => {
    const repo = await putRepo();
    const other = await service.tokenOf('mallory');
    const ask = (token: string, body: object) =>
      fetch(`${service.url}${repo.links}`, {
        method: 'POST',
        headers: { authorization: `token ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }).then(({ status }) => status);
    expect(await ask(other, { name: 'Board' })).toBe(404);
    expect(await ask(repo.token, { name: 'Board' })).toBe(401);
    for (const body of [{}, { name: '' }, { name: 'x', expires_in_days: 0 }, { name: 'x', source: 'yes' }])
      expect((await repo.call('POST', repo.links, body)).status).toBe(422);
  });
});

describe('a repo token in a page’s address', () => {
  test('is turned into a cookie and a clean address in a browser, until the repo has another token', async () => {
    const repo = await putRepo();
    const browser = openBrowser(service.url);
    const asked = await browser.get(`${repo.page}?repo_token=${repo.token}`);
    expect(asked).toMatchObject({ status: 302, location: repo.page });
    expect(JSON.stringify([...browser.cookies])).not.toContain(repo.token);
    expect((await browser.get(repo.page)).status).toBe(200);
    const file = await readFile(browser, repo);
    expect(file.text).not.toContain('export const shared');
    await repo.call('POST', `/api/v1/repos/manual/${repo.name}/token`, {});
    expect((await browser.get(repo.page)).status).toBe(302);
  });

  test('stays as it is for programs, and is refused where it is wrong', async () => {
    const repo = await putRepo();
    const read = (path: string, accept: string) => fetch(`${service.url}${path}`, { headers: { accept } });
    const json = await read(`${repo.page}.json?repo_token=${repo.token}`, 'text/html');
    expect([json.status, json.redirected]).toEqual([200, false]);
    const script = await read(`${repo.page}?repo_token=${repo.token}`, '*/*');
    expect([script.status, script.redirected]).toEqual([200, false]);
    expect((await read(`${repo.page}?repo_token=wrong`, 'text/html')).status).toBe(422);
  });
});

describe('the forms of a repo’s settings', () => {
  test('make a link, which is shown once, and name a member, for maintainers alone', async () => {
    const repo = await putRepo();
    await newPerson(service, 'alice');
    const carol = await newPerson(service, 'carol');
    const [owner, other] = [await signedIn(service, 'alice'), await signedIn(service, 'carol')];
    const about = { service: 'manual', repo: repo.name };
    const send = (browser: PageBrowser, form: string, more: Record<string, string>) =>
      browser.send(`/sharing/${form}`, { ...about, ...more });
    await Promise.all([owner.get('/account/tokens'), other.get('/account/tokens')]);
    const fields = { name: 'Board', expires_in_days: '7', source: 'true' };
    expect((await send(other, 'links', fields)).status).toBe(404);
    const shown = await owner.get(`/sharing?${new URLSearchParams(about)}`);
    expect(shown.text).toContain('Create a link');
    expect(shown.text).toMatch(
      new RegExp(`<a href="/manual/${repo.name}/commits/${shaOf(repo.name)}/tree/?">Files</a>`),
    );
    expect(shown.text).toContain(`<a href="/manual/${repo.name}/settings" aria-current="page">Settings</a>`);
    const made = await send(owner, 'links', fields);
    const [, url = ''] = /<p class="secret">([^<]+)<\/p>/.exec(made.text) ?? [];
    const reader = openBrowser(service.url);
    expect((await reader.follow(url)).status).toBe(200);
    const [link] = await service.store.shares.ofRepo(
      (await service.store.repos.findByName('manual', repo.name))?.id ?? 0,
    );
    expect(link).toMatchObject({ name: 'Board', source: true, by: 'alice' });
    const revoked = await send(owner, 'revoke', { id: String(link?.id) });
    expect(revoked).toMatchObject({ status: 303, location: `/sharing?${new URLSearchParams(about)}` });
    expect((await reader.get(repo.page)).status).toBe(302);
    expect((await send(owner, 'members', { account: 'carol', role: 'reader' })).status).toBe(303);
    expect((await other.get(repo.page)).status).toBe(200);
    expect((await send(other, 'links', fields)).status).toBe(403);
    await send(owner, 'members', { account: String(carol.id), role: 'none' });
    expect((await other.get(repo.page)).status).toBe(404);
  });
});
