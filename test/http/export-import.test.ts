import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createSecrets } from '../../server/src/platform/secrets/create-secrets.ts';
import { findKey } from '../../server/src/platform/secrets/open-secrets.ts';
import { checkExport } from '../../server/src/storage/transfer/check-export.ts';
import { type Exported, exportRepo } from '../../server/src/storage/transfer/export-repo.ts';
import { type Imported, importRepo } from '../../server/src/storage/transfer/import-repo.ts';
import { openFolder } from '../../server/src/storage/transfer/read-folder.ts';
import { type Service, startService } from '../support/service.ts';
import { judgeNew, readEverything } from '../support/transfers/compare-repos.ts';
import { EMAIL, fillRepo } from '../support/transfers/transfer-scene.ts';

let folder = '';
const services: Service[] = [];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'transfer-'));
});
afterEach(async () => {
  for (const service of services.splice(0)) await service.stop();
  await rm(folder, { recursive: true });
});

const SECRET_KEY = randomBytes(32).toString('hex');

async function serve(): Promise<Service> {
  const service = await startService({ env: { SECRET_KEY } });
  services.push(service);
  return service;
}

async function take({ store }: Service, id: number, to: string, emails = false): Promise<Exported> {
  const repo = await store.repos.find(id);
  if (repo === undefined) throw new Error('no repo');
  return exportRepo(store, { repo, folder: to, emails, by: '0.1.0', now: Date.now() });
}

async function bring({ store, config }: Service, from: string, name?: string): Promise<Imported> {
  const { key } = await findKey({ randomBytes }, config);
  const secrets = createSecrets({ key, previousKey: undefined, randomBytes });
  const read = await openFolder(from);
  const checked = await checkExport(read);
  const { service, name: old } = checked.repo;
  const address = { service, name: name ?? old };
  return importRepo({ ...store, secrets }, { folder: read, checked, address, now: Date.now() });
}

async function textOfAll(path: string): Promise<string> {
  const names = await readdir(path, { recursive: true, withFileTypes: true });
  const read = async (file: string): Promise<string> => {
    const bytes = await readFile(file);
    return (file.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8');
  };
  const files = names.filter((one) => one.isFile()).map((one) => read(join(one.parentPath, one.name)));
  return (await Promise.all(files)).join('\n');
}

test('a repo is on another server as it was here, and judges what comes next as here', async () => {
  const out = join(folder, 'out');
  const [here, there] = [await serve(), await serve()];
  const { repo, builds } = await fillRepo(here);
  await here.store.facts.put({ repoId: repo.id, key: 'k', value: ['fact'], at: 1 });
  await here.store.repos.setHostToken({ repoId: repo.id, token: { sealed: 'sealed-host-token', at: 1 } });
  expect(await take(here, repo.id, out, true)).toEqual({
    counts: { builds: 4, jobs: 5, sources: 3, facts: 1 },
    leftOut: 1,
  });
  expect(await textOfAll(out)).not.toContain('sealed-host-token');
  const come = await bring(there, out);
  expect([come.renumbered, come.repo.hostToken]).toEqual([0, undefined]);
  const closed = builds.slice(0, -1);
  expect((await there.api.buildJson(builds.at(-1) ?? '')).status).toBe(404);
  // What was open did not come along.
  await here.store.builds.remove(Number(builds.at(-1)));
  const shown = await readEverything(there, repo.name, closed);
  for (const [address, answer] of await readEverything(here, repo.name, closed))
    expect({ address, ...shown.get(address) }).toEqual({ address, ...answer });
  expect(await there.store.facts.find(come.repo.id, 'k')).toEqual(['fact']);
  expect(await there.store.outbox.nextDueAt()).toBeUndefined();
  expect(await there.store.builds.nextDueAt()).toBeUndefined();
  expect(await judgeNew(there, come.token)).toEqual(await judgeNew(here, repo.token));
  const audit = (of: Service) => of.store.audit.list({ newestFirst: true, limit: 20 });
  expect(await audit(here)).toContainEqual(expect.objectContaining({ action: 'repo.exported' }));
  expect(await audit(there)).toContainEqual(expect.objectContaining({ action: 'repo.imported', after: { builds: 4 } }));
});

test('beside another repo of the same builds it gets ids of its own, and refers to its own', async () => {
  const out = join(folder, 'out');
  const here = await serve();
  const { repo } = await fillRepo(here);
  await take(here, repo.id, out);
  await expect(bring(here, out)).rejects.toThrow('has a repo manual/acme/moved already');
  const { repo: beside, renumbered } = await bring(here, out, 'acme/beside');
  expect({ renumbered, owner: beside.owner }).toEqual({ renumbered: 4, owner: '(ADMIN_TOKEN)' });
  const { builds } = await here.store.builds.list({ repoId: beside.id, branch: undefined, offset: 0, limit: 9 });
  const ids = new Map(builds.map(({ id, number }) => [id, number]));
  expect(builds.map(({ number, result }) => [number, result?.base && ids.get(result.base.buildId)])).toEqual([
    ['4', '3'],
    ['3', '2'],
    ['2', '1'],
    ['1', undefined],
  ]);
  for (const { id, result } of builds)
    expect((await here.store.jobs.ofBuild(id)).map((job) => job.id)).toEqual(result?.countedJobs);
  expect(builds[1]?.result?.carried.map(({ buildId }) => ids.get(buildId))).toEqual(['2']);
});

test('a folder says what it holds, without secrets and without addresses of people', async () => {
  const [out, named] = [join(folder, 'out'), join(folder, 'named')];
  const here = await serve();
  const { repo } = await fillRepo(here);
  await take(here, repo.id, out);
  const text = await textOfAll(out);
  for (const secret of [EMAIL, repo.token, here.adminToken, 'sealed', 'lookup']) expect(text).not.toContain(secret);
  expect(text).toContain('Signed-off-by: Ann <…@…>');
  expect(JSON.parse(await readFile(join(out, 'manifest.json'), 'utf8'))).toMatchObject({
    format: 'coverage-service-export',
    version: 1,
    repo: 'manual/acme/moved',
    emails: false,
    leftOut: 1,
  });
  for (const line of (await readFile(join(out, 'SHA256SUMS'), 'utf8')).trim().split('\n')) {
    const [sum, path = ''] = line.split('  ');
    expect(
      createHash('sha256')
        .update(await readFile(join(out, path)))
        .digest('hex'),
    ).toBe(sum);
  }
  await take(here, repo.id, named, true);
  expect(await textOfAll(named)).toContain(`Signed-off-by: Ann <${EMAIL}>`);
  await expect(take(here, repo.id, out)).rejects.toThrow('is not empty: give a new folder');
  await rm(join(out, 'manifest.json'));
  await expect(take(here, repo.id, out)).rejects.toThrow('contains an incomplete export');
});
