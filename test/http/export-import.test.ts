import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Service, startService } from '../support/service.ts';
import { judgeNew, readEverything } from '../support/transfers/compare-repos.ts';
import { EMAIL, fillRepo, run, settingsOf } from '../support/transfers/transfer-scene.ts';

let folder = '';
const services: Service[] = [];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'transfer-'));
});
afterEach(async () => {
  for (const service of services.splice(0)) await service.stop();
  await rm(folder, { recursive: true });
});

async function serve(url: string): Promise<Service> {
  const service = await startService({ env: settingsOf(url) });
  services.push(service);
  return service;
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

test('a repo goes to another server while its own runs, and is there as it was here', async () => {
  const [from, to, out] = [`sqlite:${folder}/a.db`, `sqlite:${folder}/b.db`, join(folder, 'out')];
  const here = await serve(from);
  const { repo, builds } = await fillRepo(here);
  const done = await run('export', from, '--repo', repo.name, '--to', out, '--with-emails');
  expect(done).toEqual({
    code: 0,
    stdout: 'KIND     COUNT\nbuilds       4\njobs         5\nsources      3\nfacts        0',
    stderr: expect.stringMatching(/1 build left out, since open\.[^\n]*\nmanual\/acme\/moved is exported to /),
  });
  const trial = await run('import', to, '--from', out, '--dry-run');
  expect(trial).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('There is no database') });
  const come = await run('import', to, '--from', out, '--make-database');
  expect(come).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^\S{20,}$/),
    stderr: expect.stringContaining('Every build has its old id'),
  });

  const there = await serve(to);
  const closed = builds.slice(0, -1);
  // What was open did not come along.
  await here.store.builds.remove(Number(builds.at(-1)));
  const shown = await readEverything(there, repo.name, closed);
  for (const [address, answer] of await readEverything(here, repo.name, closed))
    expect({ address, ...shown.get(address) }).toEqual({ address, ...answer });
  expect((await there.api.buildJson(builds.at(-1) ?? '')).status).toBe(404);
  expect(await judgeNew(there, come.stdout, repo)).toEqual(await judgeNew(here, repo.token, repo));
  const audit = async (service: Service) => service.store.audit.list({ newestFirst: true, limit: 20 });
  expect(await audit(here)).toContainEqual(expect.objectContaining({ action: 'repo.exported' }));
  expect(await audit(there)).toContainEqual(expect.objectContaining({ action: 'repo.imported', after: { builds: 4 } }));

  const again = await run('import', to, '--from', out);
  expect(again).toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringContaining('has a repo manual/acme/moved already'),
  });
  const beside = await run('import', to, '--from', out, '--as', 'acme/beside');
  expect(beside).toMatchObject({ code: 0, stderr: expect.stringContaining('4 of 4 builds have a new id') });
  const other = (await there.store.views.list({ repoId: 2, branch: undefined, offset: 0, limit: 9 })).builds;
  expect(other.map(({ number, result }) => [number, result?.base?.number])).toEqual([
    ['4', '3'],
    ['3', '2'],
    ['2', '1'],
    ['1', undefined],
  ]);
  const ids = new Set(other.map(({ id }) => id));
  expect(other.flatMap(({ result }) => (result?.base ? [ids.has(result.base.buildId)] : []))).toEqual([
    true,
    true,
    true,
  ]);
  expect(there.log.lines.filter(({ fields }) => 'delivery' in (fields ?? {}))).toEqual([]);
});

test('a folder says what it holds, without secrets and without addresses of people', async () => {
  const [from, out, named] = [`sqlite:${folder}/a.db`, join(folder, 'out'), join(folder, 'named')];
  const here = await serve(from);
  const { repo } = await fillRepo(here);
  await run('export', from, '--repo', `manual/${repo.name}`, '--to', out);
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
  await run('export', from, '--repo', repo.name, '--to', named, '--with-emails');
  expect(await textOfAll(named)).toContain(`Signed-off-by: Ann <${EMAIL}>`);
  const twice = await run('export', from, '--repo', repo.name, '--to', out);
  expect(twice).toMatchObject({ code: 1, stderr: expect.stringContaining('is not empty: give a new folder') });
  await rm(join(out, 'manifest.json'));
  const cut = await run('export', from, '--repo', repo.name, '--to', out);
  expect(cut).toMatchObject({ code: 1, stderr: expect.stringContaining('holds an export that was cut off') });
});
