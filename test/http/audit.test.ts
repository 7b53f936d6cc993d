import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { job, shaOf, sourceFile } from '../support/coverage-api.ts';
import { openBrowser } from '../support/page-browser.ts';
import { newPerson, PASSWORD, signedIn } from '../support/people.ts';
import { type Service, startService } from '../support/service.ts';

interface Entry {
  readonly id: number;
  readonly action: string;
  readonly by: { readonly kind: string; readonly account: { readonly id: number; readonly subject: string } | null };
  readonly address: string | null;
  readonly repo: { readonly id: number; readonly name: string } | null;
  readonly before: Readonly<Record<string, unknown>> | null;
  readonly after: Readonly<Record<string, unknown>> | null;
  readonly omitted_before: number;
}
interface Page {
  readonly entries: readonly Entry[];
  readonly next_before: number | null;
}

let service: Service;
/** Before when entries were to go. */
const swept: number[] = [];
beforeAll(async () => {
  service = await startService({
    env: { TRUST_PROXY: 'loopback', AUDIT_DAYS: '30' },
    changeStore: (store) => {
      const sweep = (at: number) => {
        swept.push(at);
        return store.audit.sweep(at);
      };
      return { ...store, audit: { ...store.audit, sweep } };
    },
  });
});
afterAll(() => service.stop());

const ADDRESS = '192.0.2.7';
const headers = (token = service.adminToken) => ({
  authorization: `token ${token}`,
  'content-type': 'application/json',
  'x-forwarded-for': ADDRESS,
});
const read = async (query = ''): Promise<Page> =>
  (await service.api.send<Page>(`/api/v1/audit?${query}`, { headers: headers() })).json;
const call = (method: string, path: string, body?: object, token?: string) =>
  service.api.send<never>(path, {
    method,
    headers: headers(token),
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
const last = async (action: string): Promise<Entry | undefined> => (await read(`action=${action}`)).entries[0];
const ADMIN = { kind: 'admin-token', account: null, token_id: null, service: null };

describe('the audit log', () => {
  test('tells of everything that is changed of a repo, from where, with before and after', async () => {
    const made = await call('POST', '/api/v1/repos', { repo: { service: 'manual', name: 'acme/told' } });
    const { repo } = made.json as { repo: { id: number; token: string } };
    const one = '/api/v1/repos/manual/acme/told';
    await call('PUT', one, { repo: { commit_status_fail_threshold: 60 } });
    await call('PUT', `${one}/settings`, { patch_status: true, informational: false });
    const rotated = (await call('POST', `${one}/token`, { grace_period: '0s' })).json as { token: string };
    const alice = await newPerson(service, 'alice');
    await call('PUT', `${one}/members/alice`, { role: 'reader' });
    await call('PUT', `${one}/members/alice`, { role: 'maintainer' });
    await call('DELETE', `${one}/members/alice`);
    const shared = await call('POST', `${one}/share-links`, { name: 'Board' });
    const { share_link: link } = shared.json as { share_link: { id: number; url: string } };
    await call('DELETE', `${one}/share-links/${link.id}`);
    await call('DELETE', one);
    const { entries } = await read('repo=manual/acme/told');
    expect(entries.map(({ action }) => action).reverse()).toEqual(
      ['repo.made', 'settings.changed', 'settings.changed', 'repo-token.replaced', 'member.set', 'member.set'].concat([
        'member.removed',
        'share-link.made',
        'share-link.revoked',
        'repo.removed',
      ]),
    );
    for (const entry of entries)
      expect(entry).toMatchObject({ by: ADMIN, address: ADDRESS, repo: { id: repo.id, name: 'manual/acme/told' } });
    const [, changed, patch, , , member] = [...entries].reverse();
    expect([changed?.before, changed?.after]).toEqual([{ minimum: null }, { minimum: 60 }]);
    expect([patch?.before, patch?.after]).toEqual([{ patchStatus: false }, { patchStatus: true }]);
    expect(member).toMatchObject({
      account: { id: alice.id, issuer: 'local', subject: 'alice' },
      before: { role: 'reader' },
      after: { role: 'maintainer' },
    });
    const text = JSON.stringify(entries);
    for (const secret of [repo.token, rotated.token, link.url.split('/').at(-1) ?? '', service.adminToken])
      expect(text).not.toContain(secret);
  });

  test('tells of builds: accepted failures, bases, removals', async () => {
    const { name, token, id } = await service.newRepo({ commit_status_fail_threshold: 90 });
    const source = sourceFile('src/a.ts', [1, 0]);
    const build = await service.uploadAlone(job({ repo_token: token, commit_sha: shaOf('a'), source_files: [source] }));
    const one = `/api/v1/builds/${build.id}`;
    await call('POST', `${one}/accept`, { reason: 'as agreed' });
    await call('DELETE', `${one}/accept`);
    await call('PUT', `${one}/base`, { excluded: true });
    await call('PUT', `${one}/base`, { excluded: true });
    await call('DELETE', one);
    const { entries } = await read(`repo=manual/${name}`);
    expect(
      entries
        .map(({ action }) => action)
        .reverse()
        .slice(1),
    ).toEqual(['failure.accepted', 'failure.no-longer-accepted', 'base.excluded', 'build.removed']);
    expect(entries.at(-2)).toMatchObject({
      by: ADMIN,
      repo: { id },
      build_id: build.id,
      after: { reason: 'as agreed' },
    });
    expect(entries.at(-3)).toMatchObject({ before: { reason: 'as agreed' }, after: null });
  });

  test('tells of people by the number of their account and of their token, never by a token', async () => {
    const bob = await newPerson(service, 'bob', true);
    expect(await last('account.made')).toMatchObject({
      by: { kind: 'command-line' },
      address: null,
      account: { id: bob.id },
      after: { administrator: true },
    });
    const browser = await signedIn(service, 'bob');
    await browser.get('/account/tokens');
    const made = await browser.send('/account/tokens', { name: 'laptop', expires: '30' });
    const token = /<p class="secret">(cvp_[\w-]{43})<\/p>/.exec(made.text)?.[1] ?? '';
    const entry = await last('token.made');
    expect(entry).toMatchObject({
      by: { kind: 'account', account: { id: bob.id, subject: 'bob' } },
      after: { name: 'laptop' },
    });
    await call('POST', '/api/v1/repos', { repo: { service: 'manual', name: 'acme/of-bob' } }, token);
    const id = (entry as unknown as { token_id: number }).token_id;
    expect(await last('repo.made')).toMatchObject({
      by: { kind: 'account', account: { id: bob.id }, token_id: id },
      address: ADDRESS,
    });
    expect(await last('sign-in.succeeded')).toMatchObject({
      by: { account: { id: bob.id } },
      after: { way: 'password' },
    });
    const eve = await newPerson(service, 'eve');
    await browser.get('/admin/users');
    await browser.send('/admin/users/disable', { id: String(eve.id) });
    expect(await last('account.disabled')).toMatchObject({ by: { account: { id: bob.id } }, account: { id: eve.id } });
    await browser.send('/admin/users/promote', { id: String(eve.id) });
    expect(await last('administrator.set')).toMatchObject({
      before: { administrator: false },
      after: { administrator: true },
    });
    await browser.get('/account/tokens');
    const passwords = { current_password: PASSWORD, new_password: 'another password', again: 'another password' };
    await browser.send('/account/password', passwords);
    expect(await last('password.changed')).toMatchObject({ by: { account: { id: bob.id } }, account: { id: bob.id } });
    await browser.get('/account/tokens');
    await browser.send('/account/revoke', { id: String(id) });
    expect(await last('token.revoked')).toMatchObject({ token_id: id });
    expect(JSON.stringify(await read('per_page=1000'))).not.toContain(token);
  });

  test('lists failed sign-ins without the name that was typed, and only a limited number', async () => {
    const carol = await newPerson(service, 'carol');
    const attempt = async (from: string, name: string) => {
      const browser = openBrowser(service.url);
      await browser.get('/sign-in');
      const fields = { name, password: 'hunter2 hunter2' };
      return (await browser.send('/sign-in', fields, { 'x-forwarded-for': from })).status;
    };
    expect(await attempt('198.51.100.1', 'carol')).toBe(401);
    expect(await last('sign-in.failed')).toMatchObject({
      by: { kind: 'unknown' },
      address: '198.51.100.1',
      account: { id: carol.id },
    });
    for (let n = 0; n < 25; n += 1) expect(await attempt('198.51.100.2', `my-password-${n}`)).toBe(401);
    const { entries } = await read('action=sign-in.failed&per_page=100');
    expect(entries.filter(({ address }) => address === '198.51.100.2')).toHaveLength(20);
    expect(JSON.stringify(entries)).not.toMatch(/my-password|hunter2/);
    await attempt('198.51.100.3', 'nobody');
    expect((await last('sign-in.failed'))?.omitted_before).toBe(5);
    const link = openBrowser(service.url);
    const code = `${carol.id}.${'x'.repeat(43)}`;
    await link.get(`/sign-in/link?code=${code}`);
    expect((await link.send('/sign-in/link', { code })).status).toBe(401);
    expect(await last('sign-in.failed')).toMatchObject({ account: { id: carol.id }, after: { way: 'link' } });
  });

  test('is read page by page, and refuses what it does not understand', async () => {
    const all = await read('per_page=1000');
    const first = await read('per_page=2');
    expect(first.entries).toEqual(all.entries.slice(0, 2));
    expect(first.next_before).toBe(all.entries[1]?.id);
    expect((await read(`per_page=2&before=${first.next_before}`)).entries).toEqual(all.entries.slice(2, 4));
    expect((await read('until=2020-01-01')).entries).toEqual([]);
    expect((await read('since=2020-01-01T00:00:00Z&per_page=1000')).entries).toEqual(all.entries);
    for (const query of ['action=repo.painted', 'since=yesterday', 'until=2026-13-40'])
      expect((await service.api.send(`/api/v1/audit?${query}`, { headers: headers() })).status).toBe(422);
  });

  test('is shown to administrators alone, with hostile names escaped', async () => {
    const { name } = await service.newRepo({ name: `acme/${'x'.repeat(20)}` });
    await call('POST', `/api/v1/repos/manual/${name}/share-links`, { name: '<img src=x>' });
    const page = await service.api.send(`/admin/audit?repo=manual/${name}`, { headers: headers() });
    expect(page.status).toBe(200);
    expect(page.text).toContain('<span title="share-link.made">Share link made</span>');
    expect(page.text).toMatch(/<option value="settings\.changed"[^>]*>Settings changed</);
    expect(page.text).toContain('&lt;img src=x>');
    expect(page.text).toMatch(/expiresAt \d{4}-\d\d-\d\dT/);
    // For a repo that was made with no settings there is nothing to tell.
    expect(page.text).not.toContain('after: </span>');
    expect(page.text).not.toContain('Account made</span>');
    const other = headers(await service.tokenOf('mallory'));
    for (const path of ['/admin/audit', '/api/v1/audit'])
      expect((await service.api.send(path, { headers: other })).status).toBe(403);
    expect((await service.api.send('/admin/audit')).status).toBe(403);
    expect((await service.api.send('/api/v1/audit')).status).toBe(401);
  });
});

test('loses entries that are older than AUDIT_DAYS', () => {
  const kept = service.time.clock.now() - 30 * 86_400_000;
  expect(swept.length).toBeGreaterThan(0);
  expect(Math.abs((swept[0] ?? 0) - kept)).toBeLessThan(3_600_000);
});
