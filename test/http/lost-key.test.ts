import { mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { job } from '../support/coverage-api.ts';
import { newPerson, signedIn } from '../support/people.ts';
import { startService } from '../support/service.ts';

test('without its key file a server makes no new one, says why, shows its pages, and continues with it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'lost-key-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const key = join(folder, 'coverage.db.key');
  const start = () => startService({ env: { DATABASE_URL: `sqlite:${folder}/coverage.db`, REQUIRE_SIGN_IN: 'true' } });

  let service = await start();
  await newPerson(service, 'ann', true);
  const { token, ...repo } = await service.newRepo({ name: 'acme/shop' });
  const { id } = await service.uploadAlone(job({ repo_token: token, service_number: '1' }));
  const fresh = await service.newRepo({ name: 'acme/fresh' });
  await service.stop();
  renameSync(key, `${key}.away`);

  service = await start();
  const refused = await service.api.uploadJob(job({ repo_token: token, service_number: '2' }));
  expect([refused.status, refused.json]).toEqual([
    503,
    expect.objectContaining({ message: expect.stringMatching(/^The key file of this server is missing, .* operator/) }),
  ]);
  const browser = await signedIn(service, 'ann');
  const [settings, set] = [`/manual/${repo.name}/settings/tokens`, `/manual/${fresh.name}`];
  for (const page of ['/', `/manual/${repo.name}`, `/builds/${id}`, settings, set, '/admin', '/account/tokens']) {
    const { status, text } = await browser.get(page);
    expect([page, status], text).toEqual([page, 200]);
  }
  for (const page of [settings, set])
    expect((await browser.get(page)).text).toContain('no key of this server can decrypt it');
  const asked = await service.api.send(`/api/v1/repos/manual/${repo.name}`, {
    headers: { authorization: `token ${service.adminToken}` },
  });
  expect(JSON.parse(asked.text)).toMatchObject({
    warnings: [expect.stringContaining('no key of this server can decrypt it')],
  });
  expect(JSON.parse(asked.text)).not.toHaveProperty('token');
  const rotated = await service.api.send(`/api/v1/repos/manual/${repo.name}/token`, {
    method: 'POST',
    headers: { authorization: `token ${service.adminToken}` },
  });
  expect(rotated.status).toBe(503);
  const badge = await fetch(`${service.url}/manual/${repo.name}/badge.svg?t=cvb_any`);
  expect(badge.status).toBe(503);
  const examined = await fetch(`${service.url}/readyz?verbose`, {
    headers: { authorization: `token ${service.adminToken}` },
  });
  const { checks } = (await examined.json()) as { readonly checks: readonly { readonly name: string }[] };
  expect(checks.find(({ name }) => name === 'secret-key')).toMatchObject({
    state: 'failed',
    seen: expect.stringContaining('is missing, and SECRET_KEY is not set'),
  });
  await service.stop();
  expect(readdirSync(folder)).not.toContain('coverage.db.key');

  renameSync(`${key}.away`, key);
  service = await start();
  await service.uploadAlone(job({ repo_token: token, service_number: '2' }));
  await service.stop();
});

test('a token that the key does not open is said so on the pages of its repo, and may be rotated there', async () => {
  const service = await startService();
  onTestFinished(service.stop);
  await newPerson(service, 'ann', true);
  await service.newRepo({ name: 'acme/whole' });
  const repo = await service.newRepo({ name: 'acme/torn' });
  const sealed = { lookup: 'of another key', sealed: 'A'.repeat(80), expiresAt: undefined };
  await service.store.repos.replaceToken({ repoId: Number(repo.id), token: sealed, oldUntil: undefined, at: 1 });
  const browser = await signedIn(service, 'ann');
  const { status, text } = await browser.get('/manual/acme/torn/settings/tokens');
  expect([status, text]).toEqual([200, expect.stringContaining('The stored repo token cannot be read')]);
  const rotated = await service.api.send('/api/v1/repos/manual/acme/torn/token', {
    method: 'POST',
    headers: { authorization: `token ${service.adminToken}` },
  });
  expect(rotated.status).toBe(201);
  expect((await browser.get('/manual/acme/torn/settings/tokens')).text).not.toContain('cannot be read');
});

test('a token of a git host that the key does not open is said by doctor, and the server’s own is used', async () => {
  const service = await startService({ env: { GITLAB_TOKEN: 'glpat-of-the-server-0123456789' } });
  onTestFinished(service.stop);
  const { id, name } = await service.newRepo({ service: 'gitlab', name: 'acme/torn' });
  await service.store.repos.setHostToken({ repoId: id, token: { sealed: 'A'.repeat(80), at: 1 } });
  const read = (path: string) =>
    service.api.send(path, { headers: { authorization: `token ${service.adminToken}`, accept: 'text/html' } });
  expect((await read(`/gitlab/${name}/settings/host-token`)).text).toContain(
    'No key of this server can decrypt its token',
  );
  const examined = await fetch(`${service.url}/readyz?verbose`, {
    headers: { authorization: `token ${service.adminToken}` },
  });
  const { checks } = (await examined.json()) as { readonly checks: readonly { readonly name: string }[] };
  expect(checks.find(({ name: one }) => one === 'secret-key')).toMatchObject({
    state: 'failed',
    seen: expect.stringContaining('of these repos: gitlab/acme/torn'),
    remedy: expect.stringContaining('give each a new token on its settings page'),
  });
});
