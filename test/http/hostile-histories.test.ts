import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { writeHistory } from '../../action/src/command/history/write-history.ts';
import { FileHits } from '../../action/src/formats/file-hits.ts';
import { checkExport } from '../../server/src/storage/transfer/check-export.ts';
import { checkHistory } from '../../server/src/storage/transfer/check-history.ts';
import { openFolder } from '../../server/src/storage/transfer/read-folder.ts';
import { shaOf } from '../support/coverage-api.ts';
import { reseal } from '../support/transfers/reseal.ts';

let root = '';
let good = '';
let copies = 0;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'hostile-histories-'));
  good = join(root, 'good');
  const writer = writeHistory(good);
  const file = new FileHits('src/a.ts');
  file.addLine(1, 1);
  writer.add({ commit: shaOf('new'), branch: 'main', at: 2_000, shown: 50 }, [{ flag: 'unit', files: [file] }]);
  writer.add({ commit: shaOf('old'), branch: 'main', at: 1_000, shown: 40 }, []);
  writer.finish({ from: 'codecov', address: 'acme/shop', repo: 'github/acme/shop', by: 'test', now: 0 });
});
afterAll(() => rm(root, { recursive: true }));

type Harm = (folder: string) => Promise<unknown>;
type Line = Record<string, unknown>;

function builds(change: (line: Line, at: number) => object | undefined): Harm {
  return async (folder) => {
    const lines = (await readFile(join(folder, 'builds.jsonl'), 'utf8')).trim().split('\n');
    const changed = lines.flatMap((line, at) => change(JSON.parse(line) as Line, at) ?? []);
    await writeFile(join(folder, 'builds.jsonl'), changed.map((one) => `${JSON.stringify(one)}\n`).join(''));
    await reseal(folder);
  };
}

const first = (change: object): Harm => builds((line, at) => (at === 0 ? { ...line, ...change } : line));

function report(change: (line: Line) => object): Harm {
  return async (folder) => {
    const path = join(folder, 'reports/job-1.jsonl.gz');
    const line = JSON.parse(gunzipSync(await readFile(path)).toString('utf8')) as Line;
    await writeFile(path, gzipSync(`${JSON.stringify(change(line))}\n`));
    await reseal(folder);
  };
}

const HARMS: readonly (readonly [name: string, harm: Harm, sentence: RegExp])[] = [
  ['no commit', first({ commit: 'main' }), /^builds\.jsonl:1 holds what no export writes/],
  ['a commit twice', builds((line) => ({ ...line, commit: shaOf('new') })), /^builds\.jsonl is not/],
  ['oldest first', builds((line, at) => ({ ...line, at: at * 5_000 })), /^builds\.jsonl is not/],
  ['a time of no sense', first({ at: 1e300 }), /^builds\.jsonl:1 holds/],
  ['more than everything covered', first({ shown: 101 }), /^builds\.jsonl:1 holds/],
  ['nothing known', builds((line) => ({ ...line, shown: undefined, reports: [] })), /^builds\.jsonl:1 holds/],
  [
    'more covered than there is',
    first({ totals: { coveredLines: 9, relevantLines: 1, coveredBranches: 0, branches: 0 } }),
    /^builds\.jsonl:1 holds/,
  ],
  ['a key more', first({ due: [] }), /^builds\.jsonl:1 holds/],
  ['a build of an export', first({ verdict: { state: 'failure' } }), /^builds\.jsonl:1 holds/],
  ['a report that is not there', first({ reports: [{ id: 2 }] }), /^reports\/job-2\.jsonl\.gz is missing/],
  ['a report twice', builds((line) => ({ ...line, reports: [{ id: 1 }] })), /^builds\.jsonl is not/],
  ['a path for a report', first({ reports: [{ id: '../../etc/passwd' }] }), /^builds\.jsonl:1 holds/],
  ['negative hits', report((line) => ({ ...line, coverage: [-1] })), /job-1\.jsonl\.gz holds what no/],
  ['a build less', builds((line, at) => (at === 0 ? line : undefined)), /another number of records/],
  [
    'an unknown source',
    (folder) => reseal(folder, { history: { from: 'nobody', address: 'x' } }),
    /^manifest\.json is not/,
  ],
  ['no history', (folder) => reseal(folder, { history: undefined }), /^manifest\.json is not/],
];

test('a history that nobody touched can be read, and is no export of a repo', async () => {
  const folder = await openFolder(good);
  expect(await checkHistory(folder)).toMatchObject({ builds: 2, withLines: 1, withCounts: 0, flags: ['unit'] });
  await expect(checkExport(folder)).rejects.toThrow('manifest.json is not as an export writes it');
});

test.each(HARMS)('a history is refused: %s', async (_, harm, sentence) => {
  copies += 1;
  const folder = join(root, String(copies));
  await cp(good, folder, { recursive: true });
  await harm(folder);
  const read = async () => checkHistory(await openFolder(folder));
  await expect(read()).rejects.toMatchObject({ name: 'Failure', message: expect.stringMatching(sentence) });
});
