import { afterAll, beforeAll, expect, test } from 'vitest';
import { newPerson, signedIn } from '../support/people.ts';
import { type Service, startService } from '../support/service.ts';

const AT = 1_000;
let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

/** 99 of something, straight into the store. */
async function fill(put: (hash: string) => Promise<unknown>): Promise<void> {
  for (let count = 1; count < 100; count += 1) await put(`hash-${count}`);
}

test('a repo has a hundred share links: another one is 429', async () => {
  const { id, name } = await service.newRepo();
  const link = { repoId: id, name: 'Board', source: false, by: 'test', createdAt: AT, expiresAt: Date.now() * 2 };
  await fill((hash) => service.store.shares.create({ ...link, hash }));
  const headers = { authorization: `token ${service.adminToken}`, 'content-type': 'application/json' };
  const make = () =>
    service.api.send<{ message?: string }>(`/api/v1/repos/manual/${name}/share-links`, {
      method: 'POST',
      headers,
      body: '{"name":"one more"}',
    });
  expect((await make()).status).toBe(201);
  const { status, json } = await make();
  expect([status, json.message]).toEqual([429, expect.stringContaining('The repo has 100 share links; revoke one')]);
});

test('an account has a hundred personal tokens: another one is 429', async () => {
  await newPerson(service, 'collector');
  const browser = await signedIn(service, 'collector');
  const account = await service.store.accounts.findBySubject('local', 'collector');
  const token = { user: 'collector', role: 'user', ending: '', createdAt: AT, accountId: account?.id ?? 0 } as const;
  await fill((hash) => service.store.tokens.create({ ...token, hash }));
  await browser.get('/account/tokens');
  const make = () => browser.send('/account/tokens', { name: 'one more', expires: '90' });
  expect((await make()).status).toBe(200);
  const { status, text } = await make();
  expect([status, text]).toEqual([429, expect.stringContaining('You have 100 tokens; revoke one')]);
});
