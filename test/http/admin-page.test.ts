import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { accept, close, SHA, say, status, T0 } from '../contract/records.ts';
import { job } from '../support/coverage-api.ts';
import { type Service, startService } from '../support/service.ts';

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

const admin = () => ({ authorization: `token ${service.adminToken}` });
const read = async (query = '', headers: Record<string, string> = admin()) => {
  const { status, text } = await service.api.send(`/admin${query}`, { headers });
  return { status, text: text.replaceAll(/<[^>]+>/g, ' ').replaceAll(/\s+/g, ' ') };
};
const send = async (fields: Record<string, string>, headers: Record<string, string> = admin()) =>
  service.api.send('/admin', {
    method: 'POST',
    redirect: 'manual',
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    body: new URLSearchParams(fields).toString(),
  });

test('administrators see what was given up, with a way to try it again, and all repos', async () => {
  const repo = await service.newRepo({ service: 'gitlab', name: 'given/up' });
  await service.newRepo({ name: 'never/used' });
  const { store } = service;
  const { build } = await accept(store, repo.id);
  await close(store, build, { messages: [say(status('failure'))], target: SHA });
  const parked = () => store.outbox.listGivenUp(9);
  const giveUp = async () => {
    for (const { id, wanted } of await store.outbox.claim({ at: T0 + 1, lease: 1, limit: 9 }))
      await store.outbox.giveUp({ id, version: wanted.version, reason: 'No access. Grant it <b>.' });
  };
  await giveUp();
  expect(await parked()).toHaveLength(1);
  const { text } = await read();
  expect(text).toContain('Needs attention');
  expect(text).toMatch(/coverage given\/up · [0-9a-f]{7} No access\. Grant it &lt;b>\./);
  expect(text).toMatch(/gitlab\/given\/up private 1 /);
  expect(text).toMatch(/manual\/never\/used private 0 never/);
  expect((await read('?q=used')).text).not.toContain('gitlab/given/up private');
  const answer = await send({ do: 'announce', id: String(repo.id) });
  expect([answer.status, answer.headers.get('location')]).toEqual([303, '/admin?done=1']);
  // It is tried again, and given up for another reason: no adapter for this host is here.
  await vi.waitFor(async () => expect((await parked())[0]?.parked).toMatch(/no credential or adapter for gitlab/));
  expect((await send({ do: 'build', id: '4711' })).status).toBe(404);
  expect((await send({ do: 'dance' })).status).toBe(422);
});

test('administrators see how much each repo stores, and what is no base of any repo, and take that back', async () => {
  const [repo, other] = [await service.newRepo({ name: 'admin/one' }), await service.newRepo({ name: 'admin/two' })];
  const upload = ({ token }: { readonly token: string }, message: string) =>
    service.uploadAlone(job({ repo_token: token, git: { branch: 'main', head: { message } } }));
  const [first, second] = [await upload(repo, 'Wrong <numbers>'), await upload(other, 'Right numbers')];
  const headers = { ...admin(), 'content-type': 'application/json' };
  const out = { method: 'PUT', headers, body: '{"excluded":true}' };
  expect((await service.api.send(`/api/v1/builds/${first.id}/base`, out)).status).toBe(200);
  const { text } = await read('?q=admin/');
  expect(text).toMatch(/manual\/admin\/one private 1 .{1,40} \d{2,3} bytes Active/);
  expect(text).toMatch(/Not used as a base 1 .* Wrong &lt;numbers> admin\/one · [0-9a-f]{7} /);
  expect(text).not.toContain('Right numbers');
  expect((await send({ do: 'base', id: String(first.id) })).status).toBe(303);
  expect((await read()).text).not.toContain('Not used as a base');
  expect((await send({ do: 'base', id: String(second.id) }, {})).status).toBe(403);
  expect((await service.api.send('/admin', { headers: admin() })).text).toContain('href="/admin/users"');
});

test('nobody else sees it, or does anything there', async () => {
  const other = { authorization: `token ${await service.tokenOf('mallory')}` };
  for (const headers of [other, {}]) {
    expect((await read('', headers)).status).toBe(403);
    expect((await send({ do: 'announce' }, headers)).status).toBe(403);
  }
});
