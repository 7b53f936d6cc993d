import { cp, mkdir, mkdtemp, readdir, readFile, rename, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkExport } from '../../server/src/storage/transfer/check-export.ts';
import { exportRepo } from '../../server/src/storage/transfer/export-repo.ts';
import { openFolder } from '../../server/src/storage/transfer/read-folder.ts';
import { startService } from '../support/service.ts';
import { digest, reseal, sign } from '../support/transfers/reseal.ts';
import { fillRepo } from '../support/transfers/transfer-scene.ts';

let root = '';
let good = '';
let copies = 0;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'hostile-exports-'));
  good = join(root, 'good');
  const service = await startService();
  const { repo } = await fillRepo(service);
  const stored = await service.store.repos.find(repo.id);
  if (stored === undefined) throw new Error('no repo');
  await exportRepo(service.store, { repo: stored, folder: good, emails: false, by: '0', now: Date.now() });
  await service.stop();
});
afterAll(() => rm(root, { recursive: true }));

type Harm = (folder: string) => Promise<unknown>;

/** Changes a file of lines, one by one. */
function lines(path: string, change: (record: Record<string, unknown>) => object | string): Harm {
  return async (folder) => {
    const file = join(folder, path);
    const packed = path.endsWith('.gz');
    const bytes = await readFile(file);
    const all = (packed ? gunzipSync(bytes) : bytes).toString('utf8').trim().split('\n');
    const changed = all.map((line) => change(JSON.parse(line) as Record<string, unknown>));
    const text = changed.map((one) => (typeof one === 'string' ? one : `${JSON.stringify(one)}\n`)).join('');
    await writeFile(file, packed ? gzipSync(text) : text);
    await reseal(folder);
  };
}

const builds = (change: object): Harm => lines('builds.jsonl', (build) => ({ ...build, ...change }));
const inResult = (change: object): Harm =>
  lines('builds.jsonl', (build) => ({ ...build, result: { ...(build.result as object), ...change } }));
const repo = (change: object): Harm => lines('repo.json', (one) => ({ ...one, ...change }));
const sums =
  (text: string): Harm =>
  (folder) =>
    sign(folder, text);
const manifest =
  (change: object): Harm =>
  (folder) =>
    reseal(folder, change);

const HARMS: readonly (readonly [name: string, harm: Harm, sentence: RegExp])[] = [
  ['cut off', (folder) => rm(join(folder, 'manifest.json')), /has no manifest\.json/],
  ['manifest of something else', (folder) => writeFile(join(folder, 'manifest.json'), '[1]'), /^manifest\.json is not/],
  ['manifest a link', (folder) => linked(folder, 'manifest.json'), /has no manifest\.json/],
  ['later version', manifest({ version: 3 }), /A later version of the server wrote this export/],
  ['version of no sense', manifest({ version: 'x' }), /^manifest\.json is not/],
  ['counts', manifest({ counts: { builds: 1, jobs: 5, sources: 3, facts: 0 } }), /another number of records/],
  ['flipped byte', (folder) => writeFile(join(folder, 'repo.json'), '{}\n'), /^repo\.json is not/],
  ['truncated file', (folder) => truncate(join(folder, 'jobs.jsonl'), 100), /^jobs\.jsonl is not/],
  ['missing file', (folder) => rm(join(folder, 'facts.jsonl')), /^facts\.jsonl is missing/],
  ['digests changed', (folder) => writeFile(join(folder, 'SHA256SUMS'), ''), /^SHA256SUMS is not/],
  ['path upwards', sums(`${'0'.repeat(64)}  ../../etc/passwd\n`), /SHA256SUMS holds a line that no export writes/],
  ['absolute path', sums(`${'0'.repeat(64)}  /etc/passwd\n`), /SHA256SUMS holds a line/],
  ['path twice', sums(`${digest('')}  facts.jsonl\n`.repeat(2)), /^SHA256SUMS is not/],
  ['no path', sums('x\n'), /SHA256SUMS holds a line/],
  ['long line', sums('x'.repeat(1_000_000)), /longer than 1000 bytes/],
  ['no files', sums(''), /^repo\.json is missing/],
  [
    'link for a file',
    (folder) => linked(folder, 'jobs.jsonl'),
    /^jobs\.jsonl is missing in the export, or is no plain/,
  ],
  ['link for a folder', (folder) => linked(folder, 'reports'), /is missing in the export, or is no plain file/],
  ['folder for a file', (folder) => asFolder(folder, 'facts.jsonl'), /^facts\.jsonl is missing/],
  ['report not of its job', lines('reports/job-1.jsonl.gz', (one) => ({ ...one, coverage: [9] })), /is not what its/],
  ['report of no JSON', lines('reports/job-1.jsonl.gz', () => '{\n'), /job-1\.jsonl\.gz holds a line/],
  ['report of odd files', lines('reports/job-1.jsonl.gz', () => ({ name: 7 })), /job-1\.jsonl\.gz holds what no/],
  ['report not packed', plainReport, /job-1\.jsonl\.gz is not as/],
  ['text not of its digest', oddText, /is not what its record says/],
  [
    'line without an end',
    lines('jobs.jsonl', (one) => JSON.stringify(one).slice(0, 30)),
    /in the middle of a line|holds a/,
  ],
  ['id of no sense', builds({ id: -1 }), /^builds\.jsonl:1 holds what no export writes/],
  ['id beyond all', builds({ id: 2 ** 50 }), /^builds\.jsonl:1 holds/],
  ['same id twice', builds({ id: 3 }), /^(?:builds|jobs)\.jsonl is not/],
  ['sequence twice', builds({ sequence: 1 }), /^builds\.jsonl is not/],
  ['script as a link', builds({ buildUrl: 'javascript:alert(1)' }), /^builds\.jsonl:1 holds/],
  ['a key more', builds({ due: [{ kind: 'close', at: 0, by: 'job' }] }), /^builds\.jsonl:1 holds/],
  ['no result', builds({ result: null }), /^builds\.jsonl:1 holds/],
  ['totals as text', inResult({ totals: '<b>' }), /^builds\.jsonl:1 holds/],
  ['verdict of no sense', inResult({ verdict: { state: 'success' } }), /^builds\.jsonl:1 holds/],
  ['a job of another build', lines('jobs.jsonl', (one) => ({ ...one, buildId: 77 })), /^jobs\.jsonl is not/],
  ['jobs in no order', lines('jobs.jsonl', (one) => ({ ...one, number: 2 })), /^jobs\.jsonl is not/],
  ['the same job twice', lines('jobs.jsonl', (one) => ({ ...one, id: 1 })), /^jobs\.jsonl is not|is not what its/],
  ['name of no repo', repo({ name: '../x' }), /^repo\.json is not/],
  ['unknown host', repo({ service: 'importing' }), /^repo\.json:1 holds/],
  ['owner', repo({ owner: 'alice' }), /^repo\.json:1 holds/],
  ['newest build before the others', repo({ lastSequence: 1 }), /^builds\.jsonl is not/],
];

async function linked(folder: string, path: string): Promise<void> {
  await rename(join(folder, path), join(folder, `${path}-there`));
  await symlink(join(folder, `${path}-there`), join(folder, path));
}

async function asFolder(folder: string, path: string): Promise<void> {
  await rm(join(folder, path));
  await mkdir(join(folder, path));
}

async function plainReport(folder: string): Promise<void> {
  await writeFile(join(folder, 'reports/job-1.jsonl.gz'), '{}\n');
  await reseal(folder);
}

async function oddText(folder: string): Promise<void> {
  const [text = ''] = (await readdir(join(folder, 'sources'), { recursive: true })).filter((one) =>
    one.endsWith('.gz'),
  );
  await writeFile(join(folder, 'sources', text), gzipSync('another text'));
  await reseal(folder);
}

test('an export that nobody touched can be read', async () => {
  const { buildIds, repo: found } = await checkExport(await openFolder(good));
  expect({ builds: buildIds.length, name: found.name }).toEqual({ builds: 4, name: 'acme/moved' });
});

test.each(HARMS)('a folder is refused: %s', async (_, harm, sentence) => {
  copies += 1;
  const folder = join(root, String(copies));
  await cp(good, folder, { recursive: true });
  await harm(folder);
  const read = async () => checkExport(await openFolder(folder));
  await expect(read()).rejects.toMatchObject({ name: 'Failure', message: expect.stringMatching(sentence) });
});
