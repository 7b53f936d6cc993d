import { execFileSync } from 'node:child_process';
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { shaOf } from '../support/coverage-api.ts';
import { type WrittenCommit, writeScene } from '../support/history/write-scene.ts';
import { newPerson, signedIn } from '../support/people.ts';
import { type Service, startService } from '../support/service.ts';
import { waitFor } from '../support/wait-for.ts';

let service: Service;
let folder = '';
let repos = 0;
let name = '';
beforeAll(async () => {
  service = await startService();
});
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'history-page-'));
  repos += 1;
  name = `acme/past-${repos}`;
  await service.newRepo({ name });
});
afterEach(() => rm(folder, { recursive: true }));
afterAll(() => service.stop());

const COMMITS: readonly WrittenCommit[] = [
  { name: 'newest', days: 2, shown: 76.51, hits: [1, 1, 0], flag: 'unit' },
  { name: 'older', days: 3, shown: 75 },
];
const admin = () => ({ authorization: `token ${service.adminToken}` });
const address = () => `/manual/${name}/settings/import`;
const page = async (headers: Record<string, string> = admin()) => service.api.send<unknown>(address(), { headers });

function pack(commits: readonly WrittenCommit[] = COMMITS, repo = `manual/${name}`): Promise<Buffer> {
  const history = join(folder, 'history');
  writeScene(history, repo, commits);
  return tarOf(history);
}

async function tarOf(path: string, ...more: readonly string[]): Promise<Buffer> {
  const archive = join(folder, 'history.tgz');
  execFileSync('tar', ['-czf', archive, '-C', path, '.', ...more]);
  return readFile(archive);
}

async function upload(archive: Buffer | undefined, headers: Record<string, string> = admin(), csrf?: string) {
  const body = new FormData();
  if (csrf !== undefined) body.set('csrf', csrf);
  if (archive !== undefined) body.set('file', new Blob([new Uint8Array(archive)]), 'history.tgz');
  else body.set('other', 'x');
  return service.api.send<unknown>(address(), { method: 'POST', redirect: 'manual', headers, body });
}

function act(action: string) {
  const headers = { ...admin(), 'content-type': 'application/x-www-form-urlencoded' };
  const body = new URLSearchParams({ do: action }).toString();
  return service.api.send<unknown>(address(), { method: 'POST', redirect: 'manual', headers, body });
}

const builds = async () => {
  const repo = await service.store.repos.findByName('manual', name);
  return (await service.store.builds.list({ repoId: repo?.id ?? 0, branch: undefined, offset: 0, limit: 99 })).builds;
};

describe('the page by which a history is imported', () => {
  test('says what to run, checks what is uploaded, imports it, and takes it away again', async () => {
    const before = await page();
    expect(before.text).toContain(`import-history --from=codecov --repo=manual/${name} --dry-run`);
    expect(before.text).toContain('What is imported');

    expect(await upload(await pack())).toMatchObject({ status: 303 });
    const checked = await page();
    expect(checked.text).toContain('2 builds of main can be imported from');
    expect(checked.text).toContain('76.51%');
    expect(checked.text).toMatch(/The same, counted here<\/dt><dd>66\.66%<small>−9\.84 points<\/small>/);
    expect(checked.text).toMatch(/With a percentage only<\/td><td [^>]*>1<\/td><td [^>]*lead[^>]*>1<\/td>/);
    expect(await builds()).toEqual([]);

    expect(await act('start')).toMatchObject({ status: 303 });
    const isDone = async () => (await page()).text.includes('Imported from Codecov');
    await waitFor(isDone, { what: 'the import', meanwhile: () => void service.time.pass(1_000) });
    expect((await builds()).map(({ sequence, commit }) => [sequence, commit])).toEqual([
      [0, shaOf('newest')],
      [-1, shaOf('older')],
    ]);
    expect(await service.build((await builds())[0]?.id.toString() ?? '')).toMatchObject({
      covered_lines: 2,
      flags: [{ name: 'unit' }],
    });
    expect(await act('start')).toMatchObject({ status: 409 });
    const log = (await page()).text;
    for (const step of ['Uploaded and checked', 'Started', 'Imported']) expect(log).toContain(step);
    expect(log).toContain('by ADMIN_TOKEN');

    // What is there already would stay out.
    expect(await act('discard')).toMatchObject({ status: 303 });
    await upload(await pack());
    const again = await page();
    expect(again.text).toContain('None of its 2 builds can be imported');
    expect(again.text).toContain('2 were imported before');
    expect(again.text).not.toContain('Import 0 builds');
    const repo = await service.store.repos.findByName('manual', name);
    await service.store.histories.change(repo?.id ?? 0, (was) => ({ ...was, state: 'done' }));
    expect(await act('remove')).toMatchObject({ status: 303 });
    await waitFor(async () => (await builds()).length === 0, {
      what: 'the builds to go',
      meanwhile: () => void service.time.pass(1_000),
    });
    const entries = await service.store.audit.list({ newestFirst: true, limit: 9 });
    expect(entries.map(({ action }) => action)).toEqual(
      expect.arrayContaining(['history.imported', 'history.removed']),
    );
  });

  test('an import is paused, continues, and counts as its own what it has added before', async () => {
    const many = Array.from({ length: 3_000 }, (_, at) => ({ name: `commit ${at}`, days: 1 + at, shown: 50 }));
    await upload(await pack(many));
    expect(await act('pause')).toMatchObject({ status: 409 });
    await act('start');
    const repoId = (await service.store.repos.findByName('manual', name))?.id ?? 0;
    const current = () => service.store.histories.find(repoId);
    const meanwhile = () => void service.time.pass(1_000);
    await waitFor(async () => ((await current())?.added ?? 0) > 0, { what: 'the first builds', meanwhile });
    expect(await act('pause')).toMatchObject({ status: 303 });
    const paused = await page();
    expect(paused.text).toContain('Import from Codecov paused');
    expect(paused.text).toContain('started by ADMIN_TOKEN');
    expect(paused.text).toContain('Continue');
    expect(paused.text).not.toContain('You can close this page');
    expect((await current())?.added).toBeLessThan(3_000);

    expect(await act('start')).toMatchObject({ status: 303 });
    await waitFor(async () => (await current())?.state === 'done', { what: 'the import', meanwhile });
    expect(await current()).toMatchObject({ added: 3_000, again: 0 });
    expect((await current())?.log?.map(({ what }) => what)).toEqual([
      'uploaded',
      'started',
      'paused',
      'started',
      'done',
    ]);
  });

  test('what the command left out is said beside what comes', async () => {
    const history = join(folder, 'history');
    writeScene(history, `manual/${name}`, COMMITS, Date.now(), {
      leftOut: [{ why: 'still <pending> at Codecov', commits: 27 }],
      requests: 14,
      notes: ['3 files are not in commit 19d1ccb.'],
    });
    await upload(await tarOf(history));
    const { text } = await page();
    expect(text).toContain('27: still &lt;pending> at Codecov');
    expect(text).toMatch(/Commits with coverage<\/td><td [^>]*>29<\/td><td [^>]*lead[^>]*>2<\/td>/);
    expect(text).toContain('14 requests');
    expect(text).toContain('3 files are not in commit 19d1ccb.');
  });

  test('an upload that is not wanted is discarded', async () => {
    await upload(await pack());
    expect(await act('discard')).toMatchObject({ status: 303 });
    expect((await page()).text).toContain('What is imported');
    const stale = await act('start');
    expect([stale.status, stale.text.includes('the page was out of date.')]).toEqual([409, true]);
  });

  test('another process takes up what was left, and leaves out what is there', async () => {
    await upload(await pack());
    const repo = await service.store.repos.findByName('manual', name);
    const repoId = repo?.id ?? 0;
    const leaseUntil = service.time.clock.now() + 60_000;
    await service.store.histories.change(repoId, (was) => ({ ...was, state: 'running', leaseUntil }));
    expect((await page()).text).toContain('You can close this page:');
    const busy = await upload(await pack());
    expect([busy.status, busy.text.includes('Wait until that is done.')]).toEqual([409, true]);
    const isDone = async () => (await service.store.histories.find(repoId))?.state === 'done';
    await waitFor(isDone, { what: 'the import', meanwhile: () => void service.time.pass(61_000) });
    await service.store.histories.change(repoId, (was) => ({ ...was, state: 'checked' }));
    await upload(await pack([...COMMITS, { name: 'oldest', days: 9, shown: 50 }]));
    await act('start');
    const isThere = async () => (await builds()).length === 3;
    await waitFor(isThere, { what: 'the third build', meanwhile: () => void service.time.pass(1_000) });
  });

  test('an upload that is damaged in the meantime fails with its sentence, and may be tried again', async () => {
    await upload(await pack());
    const repo = await service.store.repos.findByName('manual', name);
    const repoId = repo?.id ?? 0;
    const found = await service.store.histories.find(repoId);
    if (found === undefined) throw new Error('nothing was uploaded');
    const damaged = async function* () {
      yield Buffer.from('no archive').toString('base64');
    };
    await service.store.histories.begin(found, damaged());
    await act('start');
    const hasFailed = async () => (await page()).text.includes('The import from Codecov failed');
    await waitFor(hasFailed, { what: 'the failure', meanwhile: () => void service.time.pass(1_000) });
    expect((await page()).text).toContain('The file is not a packed history');
    expect((await page()).text).toContain('Try again');
  });
});

describe('an upload is refused', () => {
  const refused = async (archive: Buffer | undefined, status: number, sentence: string) => {
    const answer = await upload(archive);
    expect([answer.status, answer.text]).toEqual([status, expect.stringContaining(sentence)]);
    expect(await builds()).toEqual([]);
  };

  test('that is no archive, or holds anything else than a history', async () => {
    await refused(undefined, 422, 'made from the folder coverage-history');
    await refused(Buffer.from('hello'), 422, 'The file is not a packed history');
    await refused(await pack([]), 422, 'The history has no builds. Look at what coverage import-history said');
    await rm(join(folder, 'history'), { recursive: true });
    await refused(gzipSync('hello'), 422, 'The file is not a packed history');
    writeScene(join(folder, 'history'), `manual/${name}`, COMMITS);
    await writeFile(join(folder, 'history', 'evil.sh'), 'x');
    await refused(await tarOf(join(folder, 'history')), 422, 'evil.sh');
    await rm(join(folder, 'history', 'evil.sh'));
    await symlink('/etc/passwd', join(folder, 'history', 'facts.jsonl'));
    await refused(await tarOf(join(folder, 'history')), 422, 'facts.jsonl');
    await rm(join(folder, 'history', 'facts.jsonl'));
    const upwards = await tarOf(join(folder, 'history'), '--transform', 's,builds.jsonl,../../builds.jsonl,');
    await refused(upwards, 422, 'builds.jsonl');
    await writeFile(join(folder, 'history', 'builds.jsonl'), '{}\n');
    await refused(await tarOf(join(folder, 'history')), 422, 'builds.jsonl is not as an export writes it');
  });

  test('of another repo, and by anybody who may not administer this one', async () => {
    await refused(
      await pack(COMMITS, 'github/acme/other'),
      422,
      'This is the history of github/acme/other, not of manual/',
    );
    expect((await page({})).status).toBe(404);
    const reader = await service.tokenOf('reader');
    expect((await upload(await pack(), { authorization: `token ${reader}` })).status).toBe(404);
    await newPerson(service, 'mona', true);
    const mona = await signedIn(service, 'mona');
    expect(await mona.get(address())).toMatchObject({ status: 200 });
    const cookie = [...mona.cookies].map((pair) => pair.join('=')).join('; ');
    const browser = { cookie, accept: 'text/html', 'sec-fetch-site': 'same-origin' };
    expect(await upload(await pack(), browser, 'another')).toMatchObject({ status: 403 });
    const elsewhere = { ...browser, 'sec-fetch-site': 'cross-site' };
    expect(await upload(await pack(), elsewhere, mona.csrf())).toMatchObject({ status: 401 });
    expect(await upload(await pack(), browser, mona.csrf())).toMatchObject({ status: 303 });
  });
});
