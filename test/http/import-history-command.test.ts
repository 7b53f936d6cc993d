import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { job, shaOf, sourceFile } from '../support/coverage-api.ts';
import { writeScene } from '../support/history/write-scene.ts';
import { type Service, startService } from '../support/service.ts';
import { run, settingsOf } from '../support/transfers/transfer-scene.ts';

/** `npm run import` beside a running server. */

let folder = '';
let url = '';
let service: Service;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'import-history-'));
  url = `sqlite:${folder}/a.db`;
  service = await startService({ env: settingsOf(url) });
});
afterEach(async () => {
  await service.stop();
  await rm(folder, { recursive: true });
});

const NAME = 'manual/acme/shop';
const counts = { coveredLines: 3, relevantLines: 4, coveredBranches: 0, branches: 0 };
const bring = (from: string, ...args: readonly string[]) => run('import', url, '--from', join(folder, from), ...args);

test('a history is checked, added, and added once', async () => {
  const repo = await service.newRepo({ name: 'acme/shop' });
  await service.uploadAlone(
    job({ repo_token: repo.token, commit_sha: shaOf('own'), source_files: [sourceFile('src/cart.js', [1])] }),
  );
  writeScene(join(folder, 'a'), NAME, [
    { name: 'own', days: 1, shown: 90 },
    { name: 'newest', days: 2, shown: 76.51, hits: [1, 1, 0], flag: 'unit' },
    { name: 'older', days: 3, shown: 75, totals: counts },
    { name: 'oldest', days: 4, shown: 60 },
  ]);
  const trial = await bring('a', '--dry-run');
  expect(trial).toMatchObject({ code: 0, stdout: '' });
  expect(trial.stderr).toContain(`The history of ${NAME} has 4 builds, from Codecov (acme/shop).`);
  expect(trial.stderr).toMatch(/The oldest is of \d{4}-\d\d-\d\d, the newest of \d{4}-\d\d-\d\d\./);
  expect(trial.stderr).toContain('1 with lines, 1 with counts only, 2 with a percentage only.');
  expect(trial.stderr).toContain('Flags: unit.');
  expect((await service.api.buildJson(shaOf('newest'))).status).toBe(404);

  const done = await bring('a');
  expect(done).toMatchObject({ code: 0, stdout: '' });
  expect(done.stderr).toContain('3 builds imported. They are not announced.');
  expect(done.stderr).toContain('1 commit already had a build of this server, which stays.');
  expect(await service.build(shaOf('own'))).not.toHaveProperty('imported');
  expect(await service.build(shaOf('older'))).toMatchObject({ imported: { detail: 'counts' }, covered_percent: 75 });
  expect((await bring('a')).stderr).toContain('3 commits had been imported before.');

  // Older ones may come later, newer ones not: numbers go down with time.
  writeScene(join(folder, 'b'), NAME, [
    { name: 'between', days: 2.5, shown: 70 },
    { name: 'before all', days: 9, shown: 50 },
  ]);
  const second = await bring('b');
  expect(second.stderr).toContain('1 build imported.');
  expect(second.stderr).toContain('1 build left out: newer than what was imported before.');
  const log = await service.store.audit.list({ newestFirst: true, limit: 9 });
  expect(log.filter(({ action }) => action === 'history.imported').map(({ after }) => after)).toEqual([
    { from: 'codecov', builds: 1 },
    { from: 'codecov', builds: 0 },
    { from: 'codecov', builds: 3 },
  ]);
});

test('a repo has to be there, and may have another name here', async () => {
  writeScene(join(folder, 'a'), 'github/acme/elsewhere', [{ name: 'one', days: 1, shown: 50 }]);
  const missing = await bring('a');
  expect(missing).toMatchObject({ code: 1 });
  expect(missing.stderr).toContain('no repo github/acme/elsewhere here');
  await service.newRepo({ name: 'acme/shop' });
  expect(await bring('a', '--as', NAME)).toMatchObject({ code: 0 });
  writeScene(join(folder, 'b'), 'nowhere/acme/shop', [{ name: 'two', days: 2, shown: 50 }]);
  expect((await bring('b')).stderr).toContain('manifest.json is not as an export writes it');
});

test('a repo with imported builds goes to another server as it is', async () => {
  await service.newRepo({ name: 'acme/shop' });
  writeScene(join(folder, 'a'), NAME, [
    { name: 'newest', days: 2, shown: 76.51, partialLines: 4, hits: [1, 1, 0] },
    { name: 'older', days: 3, shown: 75 },
  ]);
  await bring('a');
  const out = join(folder, 'out');
  expect(await run('export', url, '--repo', NAME, '--to', out)).toMatchObject({ code: 0 });
  expect(JSON.parse(await readFile(join(out, 'manifest.json'), 'utf8'))).toMatchObject({ version: 2 });
  const there = `sqlite:${folder}/b.db`;
  expect(await run('import', there, '--make-database', '--from', out)).toMatchObject({ code: 0 });
  const other = await startService({ env: settingsOf(there) });
  const [here, moved] = [await service.build(shaOf('newest')), await other.build(shaOf('newest'))];
  const repo = await other.store.repos.findByName('manual', 'acme/shop');
  const { builds } = await other.store.builds.list({ repoId: repo?.id ?? 0, branch: 'main', offset: 0, limit: 9 });
  await other.stop();
  const imported = { from: 'codecov', detail: 'lines', shown_percent: 76.51, partial_lines: 4 };
  for (const build of [here, moved]) expect(build).toMatchObject({ imported });
  expect(builds.map(({ sequence }) => sequence)).toEqual([0, -1]);
});

test("addresses of Coveralls' shape answer for imported builds, as tools call them", async () => {
  await service.newRepo({ name: 'acme/shop' });
  writeScene(join(folder, 'a'), NAME, [
    { name: 'newest', days: 2, shown: 76.51, hits: [1, 1, 0], flag: 'unit' },
    { name: 'older', days: 3, shown: 75, totals: counts },
  ]);
  expect((await bring('a')).code).toBe(0);
  const headers = { authorization: `token ${service.adminToken}` };
  const get = async (path: string) => (await service.api.send<Record<string, unknown>>(path, { headers })).json;
  const [newest, older] = [shaOf('newest'), shaOf('older')];
  expect(await get(`/builds/${newest}.json`)).toMatchObject({ commit_sha: newest, branch: 'main', covered_lines: 2 });
  expect(await get(`/${NAME}.json`)).toMatchObject({ commit_sha: newest });
  expect(await get(`/${NAME}.json?page=1`)).toMatchObject({
    total: 2,
    builds: [{ commit_sha: newest }, { commit_sha: older, covered_percent: 75 }],
  });
  expect(await get(`/builds/${newest}/source.json?filename=src%2Fcart.js`)).toEqual([1, 1, 0]);
  expect(JSON.stringify(await get(`/builds/${newest}/source_files.json`))).toContain('src/cart.js');
  const [{ id } = { id: 0 }] = (await service.store.builds.ofCommits(1, [newest])).slice(0, 1);
  const [job] = await service.store.jobs.ofBuild(id);
  expect(await get(`/jobs/${job?.id}.json`)).toMatchObject({ covered_percent: (100 * 2) / 3 });
});

test('a page says where a build comes from, and why the numbers differ', async () => {
  await service.newRepo({ name: 'acme/shop' });
  writeScene(join(folder, 'a'), NAME, [
    { name: 'partial', days: 1, shown: 40, partialLines: 2, hits: [1, 1, 0] },
    { name: 'counted', days: 2, shown: 50, partialLines: 1, totals: counts },
    { name: 'same', days: 3, shown: 75, totals: counts },
    { name: 'percentage', days: 4, shown: 61.5 },
    { name: 'otherwise', days: 5, shown: 61.5, totals: counts },
  ]);
  await bring('a');
  const pageOf = async (name: string) => {
    const { id } = await service.build(shaOf(name));
    const headers = { authorization: `token ${service.adminToken}` };
    return (await service.api.send<unknown>(`/builds/${id}`, { headers })).text;
  };
  const partial = await pageOf('partial');
  expect(partial).toContain('Imported from Codecov.');
  expect(partial).toContain(
    'Codecov showed 40.00%; counted here it is 66.66%. Codecov counts 2 partly covered lines as missed; here each is ' +
      'a covered line with one of two branches covered.',
  );
  expect(await pageOf('counted')).toContain('here each is a covered line.');
  expect(await pageOf('counted')).toContain('Its lines were not imported');
  expect(await pageOf('same')).toContain('Codecov showed the same, 75.00%.');
  expect(await pageOf('percentage')).toContain('Only its percentage is known');
  expect(await pageOf('otherwise')).toContain('count lines and branches differently');
});

test('a base without lines is a base for its number, and that is said', async () => {
  const repo = await service.newRepo({ name: 'acme/shop' });
  writeScene(join(folder, 'a'), NAME, [{ name: 'counted', days: 2, shown: 75, totals: counts }]);
  await bring('a');
  const build = await service.uploadAlone(
    job({
      repo_token: repo.token,
      service_pull_request: '7',
      commit_sha: shaOf('head'),
      git: { branch: 'topic', head: { id: shaOf('head') } },
      source_files: [sourceFile('src/cart.js', [1, 1, 0, 0])],
    }),
  );
  expect(build).toMatchObject({
    base: { commit_sha: shaOf('counted') },
    verdict: { state: 'failure', rule: 'no-decrease' },
  });
  expect(build.warnings).toContain(
    'The base was imported from Codecov as a number without lines, so the lines that moved the total are unknown.',
  );
});
