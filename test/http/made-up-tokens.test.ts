import type { JobAnswer } from '@coverage/shared';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { job } from '../support/coverage-api.ts';
import { HEAD, startTokenScene, TOKENS, type TokenScene, type Upload } from '../support/provider-token-scene.ts';

/** What an address has GitHub asked about tokens that it does not know, in a minute. */
const MAX = 10;
const [STRANGER, OTHER] = ['203.0.113.9', '198.51.100.7'];

let scene: TokenScene;
beforeEach(async () => {
  scene = await startTokenScene({ TRUST_PROXY: 'loopback' });
  await scene.service.newRepo({ service: 'github', name: 'acme/shop' });
});
afterEach(() => scene.end());

let made = 0;
const madeUp = (): string => {
  made += 1;
  return `ghs_made-up-${made}`;
};

function send<T>(address: string, path: string, body?: object, token?: string) {
  return scene.service.api.send<T & { readonly message: string }>(path, {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      'content-type': 'application/json',
      'x-forwarded-for': address,
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
}

const upload = (address: string, token: string, fields: Upload = {}) =>
  send<JobAnswer>(address, '/api/v1/jobs', {
    ...job({ repo_token: token, service_name: 'github', service_job_id: 'test', commit_sha: HEAD }),
    repo_name: 'acme/shop',
    ...fields,
  });

/** How often GitHub is asked in the meantime with a token that it does not know. */
async function asked(work: () => Promise<void>): Promise<number> {
  const count = () => scene.github.requests().filter(({ status }) => status === 401).length;
  const before = count();
  await work();
  return count() - before;
}

async function useUp(address = STRANGER): Promise<void> {
  for (let count = 0; count < MAX; count += 1) expect((await upload(address, madeUp())).status).toBe(422);
}

describe('tokens that GitHub does not know', () => {
  test('of one address make it ask a few times a minute, whatever they come with', async () => {
    expect(await asked(useUp)).toBe(MAX);
    const count = await asked(async () => {
      const refused = await upload(STRANGER, madeUp());
      expect([refused.status, refused.json.message]).toEqual([
        429,
        'This IP address sent 10 tokens within a minute that their git host does not know. Nothing was stored. Check ' +
          `the token, or use the repo's own token; try again in ${refused.headers.get('retry-after')} s.`,
      ]);
      const close = { repo_name: 'acme/shop', payload: { build_num: 71, status: 'done' } };
      expect((await send(STRANGER, '/webhook', { ...close, repo_token: madeUp() })).status).toBe(429);
      const rerun = `/rerun_build?build_num=71&repo_name=acme/shop&repo_token=${madeUp()}`;
      expect((await send(STRANGER, rerun)).status).toBe(429);
    });
    expect(count).toBe(0);
    expect((await upload(OTHER, madeUp())).status).toBe(422);
    await scene.service.time.pass(60_000);
    expect((await upload(STRANGER, madeUp())).status).toBe(422);
  });

  test('that come at once are as few, and one that GitHub vouches for waits for them', async () => {
    const count = await asked(async () => {
      const sent = Array.from({ length: MAX - 1 }, () => upload(STRANGER, madeUp()));
      const known = upload(STRANGER, TOKENS.classic, { service_number: 'known' });
      expect((await known).status).toBe(200);
      for (const { status } of await Promise.all(sent)) expect(status).toBe(422);
      const more = await Promise.all(Array.from({ length: 2 * MAX }, () => upload(STRANGER, madeUp())));
      expect(more.map(({ status }) => status).filter((status) => status === 422)).toHaveLength(1);
    });
    expect(count).toBe(MAX);
  });

  test('are counted by network', async () => {
    for (let count = 1; count <= MAX; count += 1)
      expect((await upload(`2001:db8:1:2::${count}`, madeUp())).status).toBe(422);
    expect((await upload('2001:db8:1:2::99', madeUp())).status).toBe(429);
    expect((await upload('2001:db8:1:3::1', madeUp())).status).toBe(422);
  });

  test('are asked about once a minute, and the same is said again', async () => {
    const workflow = madeUp();
    for (const token of [workflow, 'ghp_made-up']) {
      const { text } = await upload(STRANGER, token);
      const count = await asked(async () => {
        for (let again = 0; again < 2 * MAX; again += 1) expect((await upload(OTHER, token)).text).toBe(text);
      });
      expect([text.includes('does not know this token (401)'), count]).toEqual([true, 0]);
    }
    await scene.service.time.pass(60_000);
    expect(await asked(async () => void (await upload(STRANGER, workflow)))).toBe(1);
  });

  test('read no build, and never tell whether it is here', async () => {
    const run = String(scene.addRun());
    const { json } = await upload(OTHER, TOKENS.workflow, { service_number: run });
    const path = `${new URL(json.url).pathname}.json`;
    const count = await asked(async () => {
      for (let tries = 0; tries < 3 * MAX; tries += 1) {
        const answers = [path, '/jobs/123456789.json'].map((one) => send(STRANGER, one, undefined, madeUp()));
        const [here, nowhere] = await Promise.all(answers);
        expect([here?.status, here?.text]).toEqual([401, nowhere?.text]);
      }
    });
    expect(count).toBe(MAX);
  });
});

describe('where an address sent too many of them', () => {
  test('its own tokens of the repo work, and those of GitHub that were vouched for', async () => {
    const run = String(scene.addRun());
    const first = await upload(STRANGER, TOKENS.workflow, { service_number: run, parallel: true });
    expect(first.status).toBe(200);
    await useUp();
    const { json: repo } = await scene.service.api.readRepo('acme/shop');
    expect((await upload(STRANGER, repo.token ?? '', { service_number: 'own' })).status).toBe(200);
    const second = await upload(STRANGER, TOKENS.workflow, { service_number: run, flag_name: 'b', parallel: true });
    expect(second.status).toBe(200);
    const path = `${new URL(second.json.url).pathname}.json`;
    expect((await send(STRANGER, path, undefined, TOKENS.workflow)).status).toBe(200);
    expect((await upload(STRANGER, TOKENS.classic, { service_number: 'new' })).status).toBe(429);
  });

  test('what GitHub refuses for another reason is neither counted nor remembered', async () => {
    scene.github.faults.next(1, { kind: 'status', status: 403 });
    const denied = await upload(STRANGER, TOKENS.classic, { service_number: 'denied' });
    expect([denied.status, denied.json.message]).toEqual([422, expect.stringContaining('refused it (403)')]);
    for (let count = 0; count <= MAX; count += 1)
      expect((await upload(STRANGER, TOKENS.reader, { service_number: String(count) })).status).toBe(422);
    expect((await upload(STRANGER, TOKENS.classic, { service_number: 'new' })).status).toBe(200);
  });
});
