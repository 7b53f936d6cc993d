import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Service, startService } from '../support/service.ts';
import { EMAIL, files, fillRepo, push, run, settingsOf } from '../support/transfers/transfer-scene.ts';

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

test('a repo goes to another server', async () => {
  const [from, to, out] = [`sqlite:${folder}/a.db`, `sqlite:${folder}/b.db`, join(folder, 'out')];
  const here = await serve(from);
  const { repo, builds } = await fillRepo(here);
  const done = await run('export', from, '--repo', repo.name, '--to', out);
  expect(done).toMatchObject({ code: 0 });
  const come = await run('import', to, '--from', out, '--make-database');
  expect(come).toMatchObject({ code: 0 });
  console.log(done, come, await readdir(out), await readFile(join(out, 'builds.jsonl'), 'utf8'));
  const there = await serve(to);
  console.log(await there.api.buildJson(builds[0] ?? ''));
});
