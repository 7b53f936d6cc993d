import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { TokenUse } from '../../server/src/core/repo/token-use.ts';
import { job } from '../support/coverage-api.ts';
import { type Service, startService } from '../support/service.ts';

let service: Service;
const written: TokenUse[] = [];
beforeAll(async () => {
  service = await startService({
    changeStore: (store) => {
      const note = async (use: TokenUse) => {
        written.push(use);
        await store.tokenUses.note(use);
      };
      return { ...store, tokenUses: { ...store.tokenUses, note } };
    },
  });
});
afterAll(() => service.stop());

interface ShownRepo {
  readonly token_last_used_at: string | null;
  readonly token_last_client: string | null;
  readonly warnings: readonly string[];
}

const send = async (token: string, fields: object = {}, client = 'reporter/1.2 <b>') => {
  const answer = await service.api.send('/api/v1/jobs', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'user-agent': client },
    body: JSON.stringify({ ...job({ repo_token: token, service_name: 'jenkins' }), ...fields }),
  });
  expect(answer.status).toBe(200);
};
const read = async (path: string): Promise<ShownRepo> =>
  (await service.api.send<ShownRepo>(path, { headers: { authorization: `token ${service.adminToken}` } })).json;
const pageOf = async (path: string): Promise<string> =>
  (await service.api.send(path, { headers: { authorization: `token ${service.adminToken}` } })).text;
const usedElsewhere = expect.stringContaining('token is also used by clients of "acme/other"');

describe('the use of a repo token', () => {
  test('is known with its client, in the API and on the settings page', async () => {
    const { name, token } = await service.newRepo();
    const before = await read(`/api/v1/repos/manual/${name}`);
    expect(before).toMatchObject({ token_last_used_at: null, token_last_client: null });
    expect(await pageOf(`/manual/${name}/settings/tokens`)).toContain('No uploads with it yet.');
    await send(token);
    const after = await read(`/api/v1/repos/manual/${name}`);
    expect(after.token_last_used_at).toMatch(/^\d{4}-\d\d-\d\dT/);
    expect(after.token_last_client).toBe('reporter/1.2 <b> · jenkins');
    expect(await pageOf(`/manual/${name}/settings/tokens`)).toMatch(
      /title="reporter\/1\.2 &lt;b> · jenkins"> by reporter 1\.2 · jenkins</,
    );
  });

  test('is written once a minute, however many uploads come', async () => {
    const { id, token } = await service.newRepo();
    const ofRepo = () => written.filter(({ repoId }) => repoId === id).length;
    for (let n = 0; n < 5; n += 1) await send(token, { service_number: `${n}` });
    expect(ofRepo()).toBe(1);
  });

  test('for two repos is warned of, until the token is replaced', async () => {
    const { id, name, token } = await service.newRepo();
    const one = `/api/v1/repos/manual/${name}`;
    await send(token, { repo_name: 'acme/other' });
    expect((await read(one)).warnings).not.toContainEqual(usedElsewhere);
    await send(token, { repo_name: name });
    expect((await read(one)).warnings).toContainEqual(usedElsewhere);
    expect(await pageOf(`/manual/${name}/settings/tokens`)).toContain('acme/other');
    const headers = { authorization: `token ${service.adminToken}`, 'content-type': 'application/json' };
    await service.api.send(`${one}/token`, { method: 'POST', headers, body: '{"grace_period": "1h"}' });
    expect(await service.store.tokenUses.ofRepo(id)).toEqual([]);
    expect((await read(one)).warnings).not.toContainEqual(usedElsewhere);
  });

  test('is told by git remotes where the client names no repo', async () => {
    const { id, name, token } = await service.newRepo({ service: 'gitlab' });
    const remotes = (url: string) => ({ git: { branch: 'main', remotes: [{ name: 'origin', url }] } });
    await send(token, remotes(`git@gitlab.example:${name}.git`));
    await send(token, remotes('https://gitlab.example/acme/other.git'));
    expect((await service.store.tokenUses.ofRepo(id)).map(({ named }) => named).sort()).toEqual(['acme/other', name]);
    expect((await read(`/api/v1/repos/gitlab/${name}`)).warnings).toContainEqual(usedElsewhere);
  });
});
