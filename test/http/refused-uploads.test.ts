import { afterAll, beforeAll, expect, test } from 'vitest';
import { job, sourceFile } from '../support/coverage-api.ts';
import { type Service, startService } from '../support/service.ts';

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

const asAdmin = (): RequestInit => ({ headers: { authorization: `token ${service.adminToken}` } });
const send = (body: object, agent = 'reporter/1.2 <b>') =>
  service.api.send('/api/v1/jobs', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'user-agent': agent },
    body: JSON.stringify(body),
  });
type Listed = { refused: { code: string; message: string; count: number; client: string; field: string | null }[] };
const list = async (name: string) =>
  (await service.api.send<Listed>(`/api/v1/repos/manual/${name}/uploads/refused`, asAdmin())).json.refused;

const odd = (token: string, branches: number[]) =>
  job({ repo_token: token, source_files: [{ ...sourceFile('src/a.ts', [1, 0]), branches }] });

test('a refused upload is listed for its repo: client, what was seen, and how often', async () => {
  const [repo, other] = [await service.newRepo(), await service.newRepo()];
  const refused = await send(odd(repo.token, [1, 2, 3]));
  expect(refused.status).toBe(422);
  await send(odd(repo.token, [1, 2, 3, 4, 5]));
  await send(odd('unknown-token', [1]));
  const [one, ...more] = await list(repo.name);
  const { message } = refused.json as { message: string };
  expect(one).toMatchObject({ code: 'payload-invalid', count: 2, client: 'reporter/1.2 <b>' });
  expect(one?.message.replaceAll(/\d+/g, '0')).toBe(message.replaceAll(/\d+/g, '0'));
  expect([more, await list(other.name)]).toEqual([[], []]);
  const page = await service.api.send(`/manual/${repo.name}/uploads`, asAdmin());
  expect(page.text).toMatch(/title="reporter\/1\.2 &lt;b>">reporter 1\.2</);
  expect(page.text).toContain('2 times');
  expect((await service.api.send(`/manual/${repo.name}`, asAdmin())).text).toContain('refused: ');
  for (const token of [repo.token, other.token])
    expect((await service.api.send(`/manual/${repo.name}/uploads?repo_token=${token}`)).status).not.toBe(200);
});

test('what a token is never stands there, and under load not every refusal is written', async () => {
  const repo = await service.newRepo();
  await send({ ...odd(repo.token, [1]), service_name: repo.token, service_branch: repo.token });
  for (let index = 0; index < 15; index += 1) await send(odd(repo.token, [1]), `client-${'x'.repeat(index)}`);
  const found = await list(repo.name);
  expect(JSON.stringify(found)).not.toContain(repo.token);
  expect(found).toHaveLength(10);
});

test('an upload that names a repo without its token is one entry there, with nothing of its sender', async () => {
  const [repo, other] = [await service.newRepo(), await service.newRepo()];
  const evil = 'evil <b> cvr_mallory';
  const forge = (name: string, token = evil) => send({ ...odd(token, [1]), repo_name: name }, evil);
  expect((await forge(repo.name)).status).toBe(422);
  await expect.poll(() => list(repo.name)).toHaveLength(1);
  for (let index = 0; index < 4; index += 1) await forge(repo.name.toUpperCase(), `${evil}${'x'.repeat(index)}`);
  await send({ ...odd('', [1]), repo_name: repo.name }, evil);
  await forge('acme/nowhere');
  await forge(other.name);
  await expect.poll(() => list(other.name)).toHaveLength(1);
  const [entry, ...more] = await list(repo.name);
  // Two a minute are counted.
  expect([entry, more]).toMatchObject([{ code: 'repo-token-unknown', count: 2, client: null, proven: false }, []]);
  const page = await service.api.send(`/manual/${repo.name}/uploads`, asAdmin());
  expect(page.text).toContain('not proven to be from this repo');
  expect([page.text.includes('evil'), page.text.includes('refused: ')]).toEqual([false, false]);
  // What strangers send leaves room for the repo's own.
  await send(odd(repo.token, [1, 2, 3]));
  expect(await list(repo.name)).toMatchObject([{ proven: true, client: 'reporter/1.2 <b>' }, { proven: false }]);
  const mallory = { headers: { authorization: `token ${await service.tokenOf('mallory')}` } };
  expect((await service.api.send(`/manual/${repo.name}/uploads`, mallory)).status).toBe(404);
});

test('uploads that were taken with warnings are listed too', async () => {
  const repo = await service.newRepo();
  const page = async () => (await service.api.send(`/manual/${repo.name}/uploads`, asAdmin())).text;
  const sent = { repo_token: repo.token, git: { branch: 'main', head: { message: 'Odd <hits>' } } };
  await service.uploadAlone(job({ ...sent, source_files: [sourceFile('src/a.ts', [1, 0], { source: 'a\nb\n' })] }));
  expect(await page()).not.toContain('Accepted with warnings');
  await service.uploadAlone(job({ ...sent, service_number: '2', source_files: [sourceFile('src/a.ts', [1, -1])] }));
  const text = (await page()).replaceAll(/<[^>]+>/g, ' ').replaceAll(/\s+/g, ' ');
  expect(text).toMatch(/Accepted with warnings 1 .* Odd &lt;hits> Job 1 ?: /);
  expect(text).toContain('Negative hits count as 0');
});
