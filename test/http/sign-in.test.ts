import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { job, shaOf } from '../support/coverage-api.ts';
import { openBrowser, type PageBrowser } from '../support/page-browser.ts';
import { manageAccounts, newPerson, PASSWORD, signedIn } from '../support/people.ts';
import { type Service, startService } from '../support/service.ts';

let service: Service;
/** The page of a private repo's build, which belongs to alice. */
let page: string;
beforeAll(async () => {
  service = await startService();
  for (const name of ['alice', 'bob']) await newPerson(service, name);
  await newPerson(service, 'root', true);
  page = await putBuild('alice');
});
afterAll(() => service.stop());

let builds = 0;

/** A build in a repo that the user made; answers the path of its page. */
async function putBuild(user: string): Promise<string> {
  builds += 1;
  const headers = { authorization: `token ${await service.tokenOf(user)}`, 'content-type': 'application/json' };
  const repo = { service: 'manual', name: `acme/seen-${builds}` };
  const body = JSON.stringify({ repo });
  const made = await service.api.send<{ repo: { token: string } }>('/api/v1/repos', { method: 'POST', headers, body });
  const upload = job({ repo_token: made.json.repo.token, commit_sha: shaOf(`seen ${builds}`) });
  return `/builds/${(await service.upload(upload)).build}`;
}

const sessionOf = ({ cookies }: PageBrowser): string => cookies.get('coverage_session') ?? '';

describe('signing in with a password', () => {
  test('leads a stranger from a private page to the sign-in and back', async () => {
    const browser = openBrowser(service.url);
    const asked = await browser.get(page);
    expect(asked).toMatchObject({ status: 302, location: `/sign-in?${new URLSearchParams({ next: page })}` });
    const shown = await browser.get(asked.location ?? '');
    expect(shown.status).toBe(200);
    expect(shown.text).toContain(`<input type="hidden" name="next" value="${page}"/>`);
    const entered = await browser.send('/sign-in', { name: 'Alice', password: PASSWORD, next: page });
    expect(entered).toMatchObject({ status: 303, location: page });
    const seen = await browser.get(page);
    expect(seen.status).toBe(200);
    expect(seen.text).toContain('<span class="name">alice</span>');
  });

  test('says the same of a page that is not there, and to anybody who may not see it', async () => {
    expect((await openBrowser(service.url).get('/builds/999999')).status).toBe(302);
    const bob = await signedIn(service, 'bob');
    const [hidden, missing] = [await bob.get(page), await bob.get('/builds/999999')];
    expect([hidden.status, missing.status]).toEqual([404, 404]);
    for (const answer of [hidden, missing]) expect(answer.text).toContain('This page does not exist for bob');
  });

  test('goes back to pages of this server alone', async () => {
    const places = ['//evil.example', 'https://evil.example', '/\\evil.example', '/a\nb', 'javascript:alert(1)', ''];
    for (const place of places) {
      const browser = openBrowser(service.url);
      await browser.get('/sign-in');
      const entered = await browser.send('/sign-in', { name: 'alice', password: PASSWORD, next: place });
      expect(entered).toMatchObject({ status: 303, location: '/' });
    }
  });

  test('answers a wrong password and an unknown name alike', async () => {
    const answers = [];
    for (const name of ['alice', 'nobody-here', 'not a name!']) {
      const browser = openBrowser(service.url);
      await browser.get('/sign-in');
      const answer = await browser.send('/sign-in', { name, password: 'wrong' });
      expect(browser.cookies.has('coverage_session')).toBe(false);
      // A compressed page ends with a comment of random length.
      const text = answer.text.replaceAll(name, 'NAME').replace(/value="[0-9a-f]{64}"|<!-- [0-9a-f]* -->$/g, '');
      answers.push({ status: answer.status, text });
    }
    expect(answers[0]?.status).toBe(401);
    expect(answers[0]?.text).toContain('Wrong user name or password.');
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
  });

  test('is not tried forever, whether there is such an account or not', async () => {
    for (const name of ['bob', 'bobby']) {
      const browser = openBrowser(service.url);
      await browser.get('/sign-in');
      const statuses = [];
      for (let attempt = 0; attempt < 11; attempt += 1)
        statuses.push((await browser.send('/sign-in', { name, password: 'wrong' })).status);
      expect(statuses).toEqual([...Array(10).fill(401), 429]);
      const refused = await browser.send('/sign-in', { name, password: PASSWORD });
      expect(refused.status).toBe(429);
      expect(refused.text).toContain('Try again in 15 min');
    }
  });
});

describe('a session', () => {
  test('is in a cookie that no script and no other site gets', async () => {
    const browser = openBrowser(service.url);
    await browser.get('/sign-in');
    const { headers } = await browser.send('/sign-in', { name: 'alice', password: PASSWORD });
    const [cookie] = headers.getSetCookie().filter((line) => line.startsWith('coverage_session='));
    expect(cookie).toMatch(/^coverage_session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=2592000$/);
    expect(JSON.stringify(await service.store.sessions.ofAccount(1))).not.toContain(sessionOf(browser));
  });

  test('ends by signing out, here or everywhere', async () => {
    const [one, two] = [await signedIn(service, 'alice'), await signedIn(service, 'alice')];
    const kept = sessionOf(one);
    await one.get('/account/tokens');
    expect(await one.send('/sign-out', {})).toMatchObject({ status: 303, location: '/sign-in' });
    expect(one.cookies.has('coverage_session')).toBe(false);
    one.cookies.set('coverage_session', kept);
    expect((await one.get(page)).status).toBe(302);
    const three = await signedIn(service, 'alice');
    await two.get('/account/tokens');
    await two.send('/sign-out', { everywhere: '1' });
    expect((await three.get(page)).status).toBe(302);
  });

  test('ends at once when somebody is disabled', async () => {
    const carol = await newPerson(service, 'carol');
    const browser = await signedIn(service, 'carol');
    expect((await browser.get('/account/tokens')).status).toBe(200);
    await manageAccounts(service).setDisabled(carol, true);
    expect((await browser.get('/account/tokens')).status).toBe(302);
    expect(await service.store.sessions.ofAccount(carol.id)).toEqual([]);
    await browser.get('/sign-in');
    expect((await browser.send('/sign-in', { name: 'carol', password: PASSWORD })).status).toBe(401);
  });

  test.skipIf(process.env.TEST_MONGODB_URL !== undefined)(
    'ends after 30 days, and an administrator’s after 12 idle hours',
    async () => {
      const own = await startService();
      try {
        await newPerson(own, 'alice');
        await newPerson(own, 'root', true);
        const [alice, root] = [await signedIn(own, 'alice'), await signedIn(own, 'root')];
        const status = async (browser: PageBrowser): Promise<number> => (await browser.get('/account/tokens')).status;
        await own.time.pass(11 * 3_600_000);
        expect([await status(alice), await status(root)]).toEqual([200, 200]);
        await own.time.pass(11 * 3_600_000);
        expect([await status(alice), await status(root)]).toEqual([200, 200]);
        await own.time.pass(12 * 3_600_000);
        expect([await status(alice), await status(root)]).toEqual([200, 302]);
        await own.time.pass(29 * 86_400_000);
        expect(await status(alice)).toBe(302);
      } finally {
        await own.stop();
      }
    },
  );

  test('of a sign-in link is opened once, by its button alone', async () => {
    const alice = await service.store.accounts.findBySubject('local', 'alice');
    if (alice === undefined) throw new Error('alice is gone');
    const code = await manageAccounts(service).makeCode(alice);
    const address = `/sign-in/link?${new URLSearchParams({ code, next: page })}`;
    const before = await service.store.sessions.ofAccount(alice.id);
    for (const method of ['HEAD', 'GET', 'GET'])
      expect((await fetch(`${service.url}${address}`, { method, redirect: 'manual' })).status).toBe(200);
    expect(await service.store.sessions.ofAccount(alice.id)).toEqual(before);
    const browser = openBrowser(service.url);
    expect((await browser.get(address)).text).toContain(`<input type="hidden" name="code" value="${code}"/>`);
    const fields = { code, next: page };
    expect((await browser.send('/sign-in/link', { ...fields, csrf: 'f'.repeat(64) })).status).toBe(403);
    expect((await browser.send('/sign-in/link', fields, { 'sec-fetch-site': 'cross-site' })).status).toBe(403);
    expect(await browser.send('/sign-in/link', fields)).toMatchObject({ status: 303, location: page });
    expect((await browser.get(page)).status).toBe(200);
    const again = openBrowser(service.url);
    await again.get(address);
    const refused = await again.send('/sign-in/link', fields);
    expect([refused.status, refused.text.includes('This sign-in link has been used')]).toEqual([401, true]);
    expect((await again.get('/sign-in/link?code=none')).status).toBe(401);
  });
});

describe('a request by a cookie', () => {
  const json = { 'content-type': 'application/json', accept: 'application/json' };
  const makeRepo = (browser: PageBrowser, name: string, headers: Record<string, string>) =>
    fetch(`${service.url}/api/v1/repos`, {
      method: 'POST',
      headers: { ...json, cookie: `coverage_session=${sessionOf(browser)}`, ...headers },
      body: JSON.stringify({ repo: { service: 'manual', name } }),
    });

  test('reads JSON of the same origin, and none for another site', async () => {
    const browser = await signedIn(service, 'alice');
    const read = (site: string) => browser.get(`${page}.json`, { accept: 'application/json', 'sec-fetch-site': site });
    expect((await read('same-origin')).status).toBe(200);
    expect((await read('cross-site')).status).toBe(404);
  });

  test('changes nothing without the token of a form', async () => {
    const browser = await signedIn(service, 'alice');
    await browser.get('/account/tokens');
    const refused = await makeRepo(browser, 'acme/by-cookie', {});
    expect(refused.status).toBe(403);
    expect(await refused.text()).toContain('X-CSRF-Token');
    const other = await signedIn(service, 'alice');
    await other.get('/account/tokens');
    expect((await makeRepo(browser, 'acme/by-cookie', { 'x-csrf-token': other.csrf() })).status).toBe(403);
    expect((await makeRepo(browser, 'acme/by-cookie', { 'x-csrf-token': browser.csrf() })).status).toBe(201);
  });

  test('sends a form of its own page, and nobody else’s', async () => {
    const browser = await signedIn(service, 'alice');
    await browser.get('/account/tokens');
    const fields = { name: 'forged', expires: '90' };
    for (const [change, headers] of [
      [{ csrf: '' }, {}],
      [{ csrf: 'f'.repeat(64) }, {}],
      [{}, { 'sec-fetch-site': 'cross-site' }],
      [{}, { 'sec-fetch-site': 'same-site' }],
      [{}, { 'sec-fetch-site': '', origin: 'https://evil.example' }],
    ] as const) {
      const sent = { ...fields, csrf: browser.csrf(), ...change };
      expect((await browser.send('/account/tokens', sent, headers)).status).toBe(403);
    }
    expect((await browser.get('/account/tokens')).text).not.toContain('forged');
    const plainHttp = { 'sec-fetch-site': '', origin: 'null' };
    expect((await browser.send('/account/tokens', { ...fields, name: 'mine' }, plainHttp)).text).toContain('mine');
  });
});
