import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, test } from 'vitest';
import { job, type RepoJson, shaOf, sourceFile } from '../support/coverage-api.ts';
import { newPerson, signedIn } from '../support/people.ts';
import { type Service, startService } from '../support/service.ts';
import { waitFor } from '../support/wait-for.ts';

const COMMAND = fileURLToPath(new URL('../../server/src/cli/gc.ts', import.meta.url));
let service: Service | undefined;
let folder: string | undefined;
afterEach(async () => {
  await service?.stop();
  service = undefined;
  if (folder !== undefined) await rm(folder, { recursive: true });
  folder = undefined;
});

const textOf = (number: number): string => `// as of commit ${number}\nexport {};\n`;
const hasText = async ({ store }: Service, { id }: RepoJson, number: number): Promise<boolean> =>
  (await store.jobs.source(id, createHash('sha256').update(textOf(number)).digest('hex'))) !== undefined;

const push = (of: Service, repo: RepoJson & { token: string }, number: number) =>
  of.uploadAlone(
    job({
      repo_token: repo.token,
      service_number: String(number),
      commit_sha: shaOf(`commit ${number}`),
      git: { branch: 'main' },
      source_files: [sourceFile('a.ts', [1, 0], { source: textOf(number) })],
    }),
  );

const ON_MONGODB = process.env.TEST_MONGODB_URL !== undefined;
// The time of a shared store cannot be moved; what is removed there is in test/contract/retention-contract.ts.
const MOVES_TIME = { skip: ON_MONGODB };

test('a repo’s own limit is set by API and form, and the server removes what is beyond it', MOVES_TIME, async () => {
  service = await startService();
  const { api, adminToken, time } = service;
  const repo = await service.newRepo();
  const settingsOf = `/api/v1/repos/${repo.service}/${repo.name}/settings`;
  const headers = { authorization: `token ${adminToken}`, 'content-type': 'application/json' };
  const put = (settings: object) => api.send(settingsOf, { method: 'PUT', headers, body: JSON.stringify(settings) });
  const read = async () => (await api.send<Record<string, unknown>>(settingsOf, { headers })).json;
  expect((await put({ retention_days: 0, retention_builds: 1.5 })).text).toMatch(
    /retention_days.*a whole number of days from 1.*retention_builds.*a whole number of builds/s,
  );
  expect((await put({ retention_builds: 2 })).status).toBe(200);
  expect(await read()).toMatchObject({ retention_builds: 2, retention_days: null });

  const first = await push(service, repo, 1);
  for (const number of [2, 3]) await push(service, repo, number);
  const gone = async () => (await api.buildJson(first.id)).status === 404;
  await time.pass(31 * 60_000);
  await waitFor(gone, { what: 'the oldest build to go' });
  expect(service.log.lines.find(({ sentence }) => sentence === 'removed old builds')?.fields).toMatchObject({
    repoId: repo.id,
    builds: 1,
  });
  // Its source text goes once no upload has named it for a day, without a word of anybody.
  const texts = async (of: Service) => Promise.all([1, 2, 3].map((number) => hasText(of, repo, number)));
  expect(await texts(service)).toEqual([true, true, true]);
  await time.pass(25 * 3_600_000);
  const there = service;
  const textGone = async () => !(await hasText(there, repo, 1));
  const meanwhile = () => void time.pass(31 * 60_000);
  await waitFor(textGone, { what: 'the text of the removed build to go', meanwhile });
  expect(await texts(service)).toEqual([false, true, true]);
  await newPerson(service, 'ann', true);
  const browser = await signedIn(service, 'ann');
  const page = await browser.get(`/${repo.service}/${repo.name}/settings/builds`);
  expect(page.text).toMatch(/name="retention_builds"[^>]*value="2"/);
});

/** A repo with two builds, in a store that a command opens too; the command keeps the newest. */
async function startTwoBuilds() {
  folder = await mkdtemp(join(tmpdir(), 'gc-command-'));
  service = await startService(ON_MONGODB ? {} : { env: { DATABASE_URL: `sqlite:${folder}/coverage.db` } });
  const of = service;
  const repo = await of.newRepo();
  const first = await push(of, repo, 1);
  await push(of, repo, 2);
  // Beside MongoDB lies no key file, and nothing that is removed is sealed.
  const key = ON_MONGODB ? { SECRET_KEY: '0'.repeat(64) } : {};
  const env = { DATABASE_URL: of.config.databaseUrl, RETENTION_BUILDS: '1', ...key };
  const run = (...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> =>
    new Promise((resolve) => {
      execFile(process.execPath, ['--conditions=source', COMMAND, ...args], { env }, (error, stdout, stderr) =>
        resolve({ code: typeof error?.code === 'number' ? error.code : 0, stdout, stderr }),
      );
    });
  return { of, folder, repo, first, run };
}

test('npm run gc says what would go, and removes it only when it is meant', async () => {
  const { of, first, run } = await startTwoBuilds();
  const trial = await run('--dry-run');
  expect(trial).toMatchObject({ code: 0, stderr: expect.stringContaining('1 build would be removed.') });
  expect(trial.stdout).toMatch(/^REPO +BUILDS +UP TO\nmanual\/\S+ +1 {2}\d{4}-\d\d-\d\d\n$/);
  expect((await of.api.buildJson(first.id)).status).toBe(200);
  expect(await run()).toMatchObject({ code: 0, stderr: expect.stringContaining('1 build removed.') });
  expect((await of.api.buildJson(first.id)).status).toBe(404);
  expect(await run()).toMatchObject({ code: 0, stdout: '', stderr: expect.stringContaining('0 builds removed.') });
  expect((await run('--all')).code).toBe(2);
});

test('npm run gc removes texts of a database of an earlier version, which have no age', MOVES_TIME, async () => {
  const { of, folder: place, repo, run } = await startTwoBuilds();
  await run();
  const db = new DatabaseSync(`${place}/coverage.db`);
  db.exec('DELETE FROM source_ages');
  db.close();
  const texts = { code: 0, stdout: '', stderr: expect.stringMatching(/Removed 1 source text that no build used\./) };
  expect((await run('--dry-run')).stderr).toContain('1 source text that no build uses would be removed.');
  expect(await Promise.all([1, 2].map((number) => hasText(of, repo, number)))).toEqual([true, true]);
  expect(await run()).toMatchObject(texts);
  expect(await Promise.all([1, 2].map((number) => hasText(of, repo, number)))).toEqual([false, true]);
});
