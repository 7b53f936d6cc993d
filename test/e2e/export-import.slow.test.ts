import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { openStore } from '../../server/src/storage/open/open-store.ts';
import { describeWithMongodb } from '../support/mongod/mongodb-server.ts';
import { type Service, startService } from '../support/service.ts';
import { judgeNew, readEverything } from '../support/transfers/compare-repos.ts';
import { reseal } from '../support/transfers/reseal.ts';
import { begin, files, fillRepo, push, run, settingsOf } from '../support/transfers/transfer-scene.ts';

let folder = '';
const services: Service[] = [];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'transfers-'));
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

async function recordsOf(path: string): Promise<readonly unknown[]> {
  const lines = (await readFile(path, 'utf8')).trim().split('\n');
  return lines.map((line) => JSON.parse(line) as unknown);
}

/** A repo that takes a while, and its export. */
let large = '';
const NAME = 'acme/moved';
beforeAll(async () => {
  large = await mkdtemp(join(tmpdir(), 'transfers-'));
  const url = `sqlite:${large}/a.db`;
  const service = await startService({ env: settingsOf(url) });
  const { repo } = await fillRepo(service, NAME);
  for (let number = 20; number < 40; number += 1)
    await service.uploadAlone(push(repo.token, number, { source_files: files([number, 0]) }));
  await service.stop();
  await run('export', url, '--repo', NAME, '--to', join(large, 'out'));
}, 60_000);
afterAll(() => rm(large, { recursive: true }));

describeWithMongodb('a repo that goes from one kind of store to the other and back', (server) => {
  test('is the same everywhere, while servers run', async () => {
    const [from, there, back] = [`sqlite:${folder}/a.db`, server.databaseUrl(), `sqlite:${folder}/b.db`];
    const here = await serve(from);
    const { repo, builds } = await fillRepo(here);
    const closed = builds.slice(0, -1);
    const [first, second] = [join(folder, 'first'), join(folder, 'second')];
    const done = await run('export', from, '--repo', 'manual/acme/moved', '--to', first, '--with-emails');
    expect(done).toEqual({
      code: 0,
      stdout: 'KIND     COUNT\nbuilds       4\njobs         5\nsources      3\nfacts        0',
      stderr: expect.stringMatching(
        /^The database is [^\n]*\n1 build left out[^\n]*\nmanual\/acme\/moved is exported to /,
      ),
    });
    const away = await serve(there);
    const trial = await run('import', there, '--from', first, '--dry-run');
    expect(trial).toMatchObject({ code: 0, stdout: '', stderr: expect.stringContaining('Nothing was written.') });
    const come = await run('import', there, '--from', first);
    expect(come).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^\S{20,}$/),
      stderr: expect.stringContaining('Every build keeps its id'),
    });
    expect(await run('export', there, '--repo', 'acme/moved', '--to', second, '--with-emails')).toMatchObject({
      code: 0,
    });
    for (const file of ['builds.jsonl', 'jobs.jsonl'])
      expect(await recordsOf(join(second, file))).toEqual(await recordsOf(join(first, file)));
    const returned = await run('import', back, '--from', second, '--make-database');
    expect(returned).toMatchObject({ code: 0 });
    const again = await run('import', back, '--from', second);
    expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining('has a repo manual/acme/moved already') });
    const home = await serve(back);

    await here.store.builds.remove(Number(builds.at(-1)));
    const expected = await readEverything(here, repo.name, closed);
    for (const service of [away, home]) {
      const shown = await readEverything(service, repo.name, closed);
      for (const [address, answer] of expected)
        expect({ address, ...shown.get(address) }).toEqual({ address, ...answer });
    }
    const judged = await judgeNew(here, repo.token);
    expect(await judgeNew(away, come.stdout)).toEqual(judged);
    expect(await judgeNew(home, returned.stdout)).toEqual(judged);
  }, 120_000);

  test.each([
    ['SQLite', () => `sqlite:${folder}/killed.db`],
    ['MongoDB', () => server.databaseUrl()],
  ])(
    'an import into %s that is killed is seen by nobody, and is done again',
    async (_, target) => {
      const [to, out] = [target(), join(large, 'out')];
      await (await openStore({ url: to })).close();
      const child = begin('import', to, ['--from', out]);
      const store = await openStore({ url: to });
      // Its first builds are there before it is finished.
      while ((await store.builds.find(1)) === undefined && child.ended() === undefined) await sleep(1);
      child.signal('SIGKILL');
      expect(await child.end).toEqual({ code: null, signal: 'SIGKILL' });
      expect(await store.repos.list({ after: undefined, limit: 5 })).toEqual([]);
      expect(await store.repos.findByName('manual', NAME)).toBeUndefined();
      await store.close();
      const again = await run('import', to, '--from', out);
      expect(again).toMatchObject({ code: 0, stderr: expect.stringContaining('Every build keeps its id') });
      const there = await serve(to);
      const { total } = await there.store.views.list({
        repoId: (await there.store.repos.findByName('manual', NAME))?.id ?? 0,
        branch: undefined,
        offset: 0,
        limit: 1,
      });
      expect(total).toBe(24);
    },
    120_000,
  );
});

test('an export that is killed is no export, and its folder is refused', async () => {
  const [from, out] = [`sqlite:${large}/a.db`, join(folder, 'out')];
  const child = begin('export', from, ['--repo', NAME, '--to', out]);
  while (!existsSync(join(out, 'reports')) && child.ended() === undefined) await sleep(1);
  child.signal('SIGKILL');
  expect(await child.end).toEqual({ code: null, signal: 'SIGKILL' });
  const to = `sqlite:${folder}/b.db`;
  expect(await run('import', to, '--from', out, '--make-database')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('has no manifest.json, so it is not an export, or an incomplete one'),
  });
  expect(existsSync(`${folder}/b.db`)).toBe(false);
  expect(await run('export', from, '--repo', NAME, '--to', out)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('contains an incomplete export'),
  });
}, 60_000);

test('a damaged folder is refused before a database is opened, and so is a text that unpacks to too much', async () => {
  const [from, out, to] = [`sqlite:${folder}/a.db`, join(folder, 'out'), `sqlite:${folder}/none.db`];
  const here = await serve(from);
  const { repo } = await fillRepo(here);
  await run('export', from, '--repo', repo.name, '--to', out);
  await mkdir(join(out, 'sources/aa'), { recursive: true });
  await writeFile(join(out, `sources/aa/${'a'.repeat(64)}.gz`), gzipSync(Buffer.alloc(2 ** 28 + 1), { level: 1 }));
  await reseal(out);
  const bomb = await run('import', to, '--from', out, '--make-database');
  expect(bomb).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('larger than 268435456 bytes') });
  await rm(join(out, 'facts.jsonl'));
  const refused = await run('import', to, '--from', out, '--make-database');
  expect(refused).toEqual({ code: 1, stdout: '', stderr: expect.stringMatching(/^facts\.jsonl is missing/) });
  expect(existsSync(`${folder}/none.db`)).toBe(false);
}, 60_000);

test.each([
  ['export', [], 2, 'Say which repo: --repo <owner>/<name>.'],
  ['export', ['--repo', 'acme/shop'], 2, 'Name the folder to write: --to <folder>.'],
  ['export', ['--repo', 'acme/shop', '--to', 'x'], 1, 'There is no database'],
  ['export', ['--help'], 0, ''],
  ['import', [], 2, 'Name the folder to import: --from <folder>.'],
  ['import', ['--from', '/nowhere'], 1, 'There is no folder /nowhere to import'],
  ['import', ['--form', 'x'], 2, "Unknown option '--form'"],
  ['import', ['--help'], 0, ''],
] as const)('%s %j exits with %d', async (name, args, code, sentence) => {
  const outcome = await run(name, `sqlite:${folder}/none.db`, ...args);
  expect(outcome).toMatchObject({ code, stderr: expect.stringContaining(sentence) });
  expect(`${outcome.stdout}${outcome.stderr}`.includes(`npm run ${name} -- `)).toBe(code !== 1);
});
