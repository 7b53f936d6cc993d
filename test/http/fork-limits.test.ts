import { randomBytes } from 'node:crypto';
import { afterEach, expect, test } from 'vitest';
import { job, shaOf } from '../support/coverage-api.ts';
import { MAIN } from '../support/fork-github.ts';
import { type ForkScene, startForkScene } from '../support/fork-scene.ts';

let scene: ForkScene | undefined;
afterEach(async () => {
  await scene?.end();
  scene = undefined;
});

/** Source files whose text does not compress: a job of about this many bytes, as sent and as stored. */
const heavy = (bytes: number) => [
  { name: 'a.ts', source: randomBytes(bytes / 2).toString('hex'), source_digest: '0', coverage: [1] },
];

test('a fork’s run brings its matrix, and cannot fill the disk', async () => {
  scene = await startForkScene({ RUN_CHECKS_PER_MINUTE: '0', MAX_UNVERIFIED_RUN_BYTES: '4MiB' });
  const { upload, run, service, shop } = scene;
  const of = run();
  const send = (fields: object, by = of) => upload(by, { service_job_number: '1', ...fields });
  const matrix = [];
  for (let leg = 0; leg < 10; leg += 1)
    matrix.push({ service_job_id: `${of}-${leg}`, flag_name: `leg ${leg}`, source_files: heavy(300_000) });
  for (const fields of matrix) expect((await send(fields)).status).toBe(200);
  const rest = await Promise.all(
    [1, 2, 3, 4].map((n) => send({ flag_name: `more ${n}`, source_files: heavy(1_000_000) })),
  );
  expect(rest.map(({ status }) => status).toSorted()).toEqual([200, 429, 429, 429]);
  const refused = rest.find(({ status }) => status === 429);
  expect(refused?.text).toMatch(
    /from this run had 40\d{5} bytes today \(UTC\).*limit is 4194304 a day \(MAX_UNVERIFIED_RUN_BYTES\)/,
  );
  expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(0);
  // What was accepted before is answered so.
  expect((await send(matrix[0] ?? {})).status).toBe(200);
  const byToken = job({ repo_token: shop.token, commit_sha: MAIN, source_files: heavy(1_000_000) });
  expect((await service.uploadAlone(byToken)).commit_sha).toBe(MAIN);
  expect((await send({ source_files: heavy(10_000) }, run())).status).toBe(200);
});

test('uploads of forks have limits of a pull request, an address and a repo', async () => {
  const limits = { RUN: '0', PULL: '1MiB', ADDRESS: '2MiB', REPO: '3MiB' };
  const env = Object.entries(limits).map(([of, limit]) => [`MAX_UNVERIFIED_${of}_BYTES`, limit]);
  scene = await startForkScene({ RUN_CHECKS_PER_MINUTE: '0', TRUST_PROXY: 'loopback', ...Object.fromEntries(env) });
  const { github, run, service } = scene;
  const send = async (pull: number, address: string) => {
    const headSha = shaOf(`head of ${pull}`);
    github.addPullRequest('acme/shop', {
      number: pull,
      baseRef: 'main',
      baseSha: MAIN,
      headRepo: 'eve/shop',
      headRef: `t${pull}`,
      headSha,
      login: 'eve',
    });
    const fields = {
      service_number: run({ headSha, headBranch: `t${pull}` }),
      service_pull_request: `${pull}`,
      commit_sha: headSha,
    };
    const body = {
      ...job({ repo_token: '', source_files: heavy(900_000) }),
      ...fields,
      repo_token: undefined,
      repo_name: 'acme/shop',
      service_name: 'github',
      git: undefined,
    };
    const headers = { 'content-type': 'application/json', 'x-forwarded-for': address };
    return service.api.send('/api/v1/jobs', { method: 'POST', headers, body: JSON.stringify(body) });
  };
  expect((await send(20, '192.0.2.1')).status).toBe(200);
  expect((await send(20, '192.0.2.1')).text).toMatch(
    /from this pull request had 9\d{5} bytes.*MAX_UNVERIFIED_PULL_BYTES/,
  );
  expect((await send(21, '192.0.2.1')).status).toBe(200);
  expect((await send(22, '192.0.2.1')).text).toMatch(/from this address had 18\d{5} bytes/);
  expect((await send(22, '192.0.2.2')).status).toBe(200);
  expect((await send(23, '192.0.2.3')).text).toMatch(/from forks of this repo had 27\d{5} bytes/);
});
