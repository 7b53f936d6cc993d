import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { job, shaOf, sourceFile } from '../support/coverage-api.ts';
import { startTokenScene, TOKENS, type TokenScene } from '../support/provider-token-scene.ts';
import { type Service, startService } from '../support/service.ts';

let service: Service;
beforeAll(async () => {
  service = await startService({
    env: {
      MAX_REPO_BYTES_PER_DAY: '100000',
      MAX_REPO_OPEN_BUILDS: '2',
      MAX_ADDRESS_JOBS_PER_MINUTE: '3',
      TRUST_PROXY: 'loopback',
    },
  });
});
afterAll(() => service.stop());

/** A repo of its own, and what uploads to it. */
async function newSender(on = service) {
  const { token } = await on.newRepo();
  let sent = 0;
  const send = (fields: Partial<Parameters<typeof job>[0]> = {}, repo_token = token) => {
    sent += 1;
    return on.api.uploadJob(job({ service_job_id: `${sent}`, parallel: true, ...fields, repo_token }));
  };
  return { token, send };
}

test('bytes a day of a repo, counted in the store', async () => {
  const { send } = await newSender();
  const files = { source_files: [sourceFile('a.ts', [1], { source: 'x'.repeat(60_000) })] };
  const first = await send({ ...files, service_job_id: 'first' });
  const over = await send(files);
  expect([first.status, over.status, over.json.message]).toEqual([
    200,
    429,
    expect.stringMatching(
      /^This repo sent 6\d{4} bytes today \(UTC\), and this upload has 6\d{4}; .* 100000 a day .*BYTES_PER_DAY\)/,
    ),
  ]);
  expect(Number(over.headers.get('retry-after'))).toBeLessThanOrEqual(86_400);
  expect((await send({ ...files, service_job_id: 'first' })).json).toEqual(first.json);
  expect((await send(files, (await service.newRepo()).token)).status).toBe(200);
});

test('open parallel builds of a repo: 429 for one more, not for jobs of those that are open', async () => {
  const { token, send } = await newSender();
  const inBuild = (service_number: string, more: object = {}) =>
    send({ service_number, commit_sha: shaOf(service_number), ...more });
  expect([(await inBuild('1')).status, (await inBuild('2')).status]).toEqual([200, 200]);
  const over = await inBuild('3');
  expect([over.status, over.headers.get('retry-after'), over.json.message]).toEqual([
    429,
    '60',
    expect.stringMatching(/^2 parallel builds of this repo are open, .*\(MAX_REPO_OPEN_BUILDS\)/),
  ]);
  expect((await inBuild('2')).json.message).toBe('Job #2.2');
  expect((await inBuild('4', { parallel: false })).status).toBe(200);
  await service.close(token, '1');
  expect((await inBuild('3')).status).toBe(200);
});

test('jobs a minute of an address whose tokens are unknown; a known token is never counted for it', async () => {
  const { token } = await newSender();
  const from = (address: string, repo_token?: string) =>
    service.api.send<object>('/api/v1/jobs', {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': address },
      body: JSON.stringify({ repo_token, source_files: [] }),
    });
  for (let count = 0; count < 3; count += 1) expect((await from(`2001:db8::${count}`)).status).toBe(422);
  const over = await from('2001:db8:0:0:1::2');
  expect([over.status, over.json.message]).toEqual([
    429,
    expect.stringMatching(/^This IP address sent 3 jobs within a minute with tokens .*\(MAX_ADDRESS_JOBS_PER_MINUTE\)/),
  ]);
  expect((await from('2001:db8:0:1::2')).status).toBe(422);
  expect((await from('2001:db8::2', token)).status).toBe(200);
  // A wrong token that is seen at once costs nothing, and its sentence helps more.
  expect((await from('2001:db8::2', 'cvr_nobodys')).status).toBe(422);
});

describe('so few jobs a minute that the next one is long to come', () => {
  let scene: TokenScene;
  beforeAll(async () => {
    scene = await startTokenScene({ MAX_ADDRESS_JOBS_PER_MINUTE: '1', MAX_REPO_JOBS_PER_MINUTE: '3' });
  });
  afterAll(() => scene.end());

  test('of a repo: 429 for one more, and what was accepted is answered so', async () => {
    const { send } = await newSender(scene.service);
    for (let count = 0; count < 3; count += 1) expect((await send({ service_job_id: `${count}` })).status).toBe(200);
    const over = await send();
    expect([over.status, over.json.message]).toEqual([
      429,
      expect.stringMatching(
        /^The repo "acme\/shop-\d+" sent 3 jobs within a minute; the limit of one repo is 3 .*PER_MINUTE\)/,
      ),
    ]);
    expect(Number(over.headers.get('retry-after'))).toBeGreaterThan(0);
    const again = await send({ service_job_id: '2' });
    expect([again.status, again.json.message]).toEqual([200, 'Job #71.3']);
    const other = await newSender(scene.service);
    expect((await other.send()).status).toBe(200);
  });

  test('of an address: what a git host vouched for does not count, and its token is known then', async () => {
    await scene.service.newRepo({ service: 'github', name: 'acme/shop' });
    const upload = (number: string, repo_token: string) =>
      scene.upload({ repo_token, repo_name: 'acme/shop', service_number: number, service_job_id: number });
    for (const run of [scene.addRun(), scene.addRun()].map(String))
      expect((await upload(run, TOKENS.workflow)).status).toBe(200);
    expect((await upload('refused', TOKENS.stranger)).status).toBe(422);
    expect((await upload('unknown by now', TOKENS.classic)).status).toBe(429);
    const known = await upload(String(scene.addRun()), TOKENS.workflow);
    expect([known.status, known.text]).toEqual([200, expect.stringContaining('Job #')]);
  });
});
