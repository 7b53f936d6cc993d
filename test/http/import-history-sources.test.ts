import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { deflateSync, gunzipSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { checkHistory } from '../../server/src/storage/transfer/check-history.ts';
import { openFolder } from '../../server/src/storage/transfer/read-folder.ts';
import { startSonarqube } from '../support/coverage-service-stand-in/sonarqube.ts';
import { createGitRepo, type GitRepo } from '../support/git-repo.ts';
import { startRestServer } from '../support/rest-stand-in/rest-server.ts';
import { runCommand } from '../support/run-command.ts';

/** The built command reads old reports and other services; what it writes is read as a server reads it. */

let clone: GitRepo;
let commits: readonly string[];
beforeAll(() => {
  clone = createGitRepo();
  const cart = (lines: number) => ({ 'src/cart.js': 'one();\n'.repeat(lines), 'src/page.js': 'one();\n'.repeat(4) });
  commits = [3, 4, 5].map((lines) => clone.commit(`Lines ${lines}`, cart(lines)));
});
beforeEach(() => put('.git/info/exclude', 'old\ncoverage-history*\n'));
afterEach(async () => {
  for (const name of ['old', 'coverage-history', 'coverage-history.part'])
    await rm(join(clone.directory, name), { recursive: true, force: true });
});
afterAll(() => clone.remove());

async function put(path: string, bytes: string | Uint8Array): Promise<void> {
  const file = join(clone.directory, path);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, bytes);
}

const lcov = (file: string, hits: readonly number[]): string =>
  `SF:${file}\n${hits.map((count, index) => `DA:${index + 1},${count}\n`).join('')}end_of_record\n`;

function bring(...args: readonly string[]) {
  return runCommand(['import-history', '--repo=github/acme/shop', ...args], { folder: clone.directory });
}

async function written() {
  const folder = join(clone.directory, 'coverage-history');
  const checked = await checkHistory(await openFolder(folder));
  const lines = (await readFile(join(folder, 'builds.jsonl'), 'utf8')).trim().split('\n');
  const builds = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  const report = async (id: number) => {
    const text = gunzipSync(await readFile(join(folder, `reports/job-${id}.jsonl.gz`))).toString('utf8');
    return text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { name: string; coverage: (number | null)[]; branches: number[] });
  };
  return { checked, builds, report };
}

describe('a folder of old reports', () => {
  test('is read by commit, with dates, names and order from git', async () => {
    const [first = '', second = '', third = ''] = commits;
    await put(`old/${first}/lcov.info`, lcov('/home/runner/shop/src/cart.js', [1, 0, 0]));
    await put(`old/${second.slice(0, 10)}/unit/lcov.info.gz`, gzipSync(lcov('src/cart.js', [1, 1, 0, 0])));
    await put(`old/${second.slice(0, 10)}/pages/lcov.info`, lcov('src/page.js', [2, 0]));
    await put(
      `old/lcov-${third}.info`,
      zstdCompressSync(lcov('src/cart.js', [1, 1, 1, 0, 0]) + lcov('dist/app.js', [1])),
    );
    await put(`old/${'f'.repeat(40)}/lcov.info`, lcov('src/cart.js', [1]));
    await put('old/notes.txt', 'nothing');
    const { code, stdout, stderr } = await bring('--from=folder', '--in=old', '--flags', '--lines=2');
    expect({ code, stderr }).toMatchObject({ code: 0 });
    expect(stdout).toContain('Builds   3 of main');
    expect(stdout).toContain('Left out 1: git has no such commit on main (fffffff)');
    expect(stderr).toContain('1 file of reports are not in the commit of their report, and are left out.');
    const { checked, builds, report } = await written();
    expect(checked).toMatchObject({ from: 'folder', withLines: 2, withCounts: 1, flags: ['pages', 'unit'] });
    expect(builds.map(({ commit, message, branch }) => [commit, message, branch])).toEqual([
      [third, 'Lines 5', 'main'],
      [second, 'Lines 4', 'main'],
      [first, 'Lines 3', 'main'],
    ]);
    expect(builds[2]).toMatchObject({
      at: Number(clone.git('log', '-1', '--format=%ct', first)) * 1_000,
      totals: { coveredLines: 1, relevantLines: 3, coveredBranches: 0, branches: 0 },
      reports: [],
    });
    expect(await report(1)).toEqual([{ name: 'src/cart.js', coverage: [1, 1, 1, 0, 0], branches: [] }]);
  });

  test('without a clone, without a named report, and with a damaged one it says what to do', async () => {
    await put('old/a/lcov.info', lcov('src/cart.js', [1]));
    expect((await bring('--from=folder', '--in=old')).stderr).toContain(
      'has no coverage report with a commit in its path',
    );
    expect((await bring('--from=folder', '--in=nowhere')).stderr).toContain('There is no folder');
    expect((await bring('--from=folder')).stderr).toContain('--from=folder reads files: give them as --in=<path>.');
    await put(`old/${commits[0]}/lcov.info`, lcov('src/cart.js', [1]));
    expect((await bring('--from=folder', '--in=old', '--branch=gone')).stderr).toContain(
      'not a clone with a branch gone',
    );
    await put(`old/${commits[0]}/lcov.info.gz`, gzipSync(lcov('src/cart.js', [1])).subarray(0, 30));
    expect((await bring('--from=folder', '--in=old')).stderr).toContain('cannot be unpacked: it is damaged');
  });
});

describe("one's own Codecov, by its bucket", () => {
  const HASH = 'ABCDEF0123456789ABCDEF0123456789';
  const raw = (commit: string, name: string): string => `old/v4/raw/2030-01-01/${HASH}/${commit}/r/${name}.txt`;
  const upload = (name: string, text: string): string =>
    JSON.stringify({
      path_fixes: { format: 'legacy', value: {} },
      network_files: ['src/cart.js'],
      coverage_files: [
        { filename: name, format: 'base64+compressed', data: deflateSync(text).toString('base64'), labels: '' },
      ],
    });
  const reportOf = (commit: string): string =>
    `old/v4/repos/${HASH}/commits/${commit}/json_data/commits/report/${commit}.json`;
  const session = (path: string | undefined, flag: string, type = 'uploaded') => ({ a: path, f: [flag], st: type });

  test('uploads are read as they were sent, by flag', async () => {
    const [first = '', second = ''] = commits;
    await put(raw(second, 'u1'), zstdCompressSync(upload('coverage/lcov.info', lcov('src/cart.js', [1, 1, 0, 0]))));
    await put(raw(second, 'u2'), upload('lcov.info', lcov('src/page.js', [1, 0])));
    await put(raw(second, 'u3'), upload('lcov.info', lcov('src/page.js', [9, 9, 9])));
    const path = (name: string) => raw(second, name).slice('old/'.length);
    const sessions = {
      0: session(path('u1'), 'unit'),
      1: session(path('u2'), 'pages'),
      2: session(path('u3'), 'e2e', 'carriedforward'),
    };
    await put(reportOf(second), JSON.stringify({ files: {}, sessions, totals: {} }));
    const legacy = `src/cart.js\n<<<<<< network\n# path=lcov.info\n${lcov('src/cart.js', [1, 0])}<<<<<< EOF\n`;
    await put(raw(first, 'u1'), legacy);
    const { code, stdout, stderr } = await bring('--from=codecov', '--in=old');
    expect({ code, stderr }).toMatchObject({ code: 0 });
    expect(stdout).toContain('Flags    pages, unit');
    const { builds, report } = await written();
    expect(builds.map(({ commit }) => commit)).toEqual([second, first]);
    expect(await report(1)).toEqual([{ name: 'src/cart.js', coverage: [1, 1, 0, 0], branches: [] }]);
    expect(await report(2)).toEqual([{ name: 'src/page.js', coverage: [1, 0], branches: [] }]);
    expect(await report(3)).toEqual([{ name: 'src/cart.js', coverage: [1, 0], branches: [] }]);
  });

  test('chunks are read where the uploads are gone', async () => {
    const [, second = ''] = commits;
    const chunks = [
      '{}\n<<<<< end_of_header >>>>>\n{"present_sessions":[0,1]}',
      '[2,null,[[0,2],[1,1]]]',
      '',
      '["1/2","b",[[0,"1/2",["0:jump"]]]]',
      '[true,null,[[1,true]]]\n<<<<< end_of_chunk >>>>>\nnull\n[0,null,[[0,0]]]',
    ].join('\n');
    await put(`old/v4/repos/${HASH}/commits/${second}/chunks.txt`, gzipSync(chunks));
    const json = {
      files: { 'src/cart.js': [0, [1, 4]], 'src/page.js': [1, [1, 1]] },
      sessions: { 0: session(undefined, 'unit'), 1: session(undefined, 'pages') },
    };
    await put(reportOf(second), JSON.stringify(json));
    const { code, stderr } = await bring('--from=codecov', '--in=old');
    expect({ code, stderr }).toMatchObject({ code: 0 });
    const { builds, report } = await written();
    expect(builds).toMatchObject([{ commit: second, reports: [{ flag: 'unit' }, { flag: 'pages' }] }]);
    expect(await report(1)).toEqual([
      { name: 'src/cart.js', coverage: [2, null, 1], branches: [3, 0, 0, 1, 3, 0, 1, 0] },
      { name: 'src/page.js', coverage: [0], branches: [] },
    ]);
    expect(await report(2)).toEqual([
      { name: 'src/cart.js', coverage: [1, null, null, 1], branches: [4, 0, 0, 1, 4, 0, 1, 0] },
    ]);
    await put(
      `old/v4/repos/${HASH.toLowerCase().toUpperCase().replace('A', 'B')}/commits/${second}/chunks.txt`,
      chunks,
    );
    expect((await bring('--from=codecov', '--in=old', '--to=other')).stderr).toContain('Choose one with --repo-hash.');
  });
});

test("gocov's uploads come as its database gives them", async () => {
  const [first = ''] = commits;
  const data = Buffer.from('mode: set\nsrc/cart.js:1.1,2.1 1 1\nsrc/cart.js:3.1,3.9 1 0\n').toString('base64');
  await put('old', `${JSON.stringify({ commit: first, part: 'unit', format: 'go', data })}\n`);
  expect(await bring('--from=gocov', '--in=old')).toMatchObject({ code: 0 });
  const { builds, report, checked } = await written();
  expect(checked).toMatchObject({ from: 'gocov', flags: ['unit'] });
  expect(builds).toMatchObject([{ commit: first, reports: [{ flag: 'unit' }] }]);
  expect(await report(1)).toMatchObject([{ name: 'src/cart.js', coverage: [1, 1, 0] }]);
  await put('old', '{"commit":"x"}\n');
  expect((await bring('--from=gocov', '--in=old', '--to=other')).stderr).toContain(
    'old:1 is not an upload: each line needs "commit" and "data"',
  );
});

test('SonarQube has counts of each analysis that are ours, and lines of the newest', async () => {
  const [first = '', second = ''] = commits;
  const counts = (lines: number, missed: number) => ({
    coverage: '70.0',
    lines_to_cover: String(lines),
    uncovered_lines: String(missed),
    conditions_to_cover: '4',
    uncovered_conditions: '1',
  });
  const sonar = await startSonarqube(
    [
      { revision: second, date: '2030-02-01T10:00:00+0100', measures: counts(6, 2) },
      { revision: first, date: '2030-01-01T10:00:00+0100', measures: counts(4, 2) },
      { revision: 'e'.repeat(40), date: '2029-01-01T10:00:00+0100', measures: {} },
    ],
    {
      'src/cart.js': [
        { line: 1 },
        { line: 2, lineHits: 3, conditions: 2, coveredConditions: 1 },
        { line: 3, lineHits: 0 },
      ],
    },
  );
  const asked = ['--from=sonarqube', `--url=${sonar.url}`, '--requests-per-minute=60000'];
  expect((await bring(...asked)).stderr).toContain("Give SonarQube's key of the repo: --project=<key>.");
  const { code, stdout } = await bring(...asked, '--project=shop');
  await sonar.close();
  expect(code).toBe(0);
  expect(stdout).toContain('SonarQube has no coverage of it (eeeeeee)');
  const { builds, report } = await written();
  expect(builds).toMatchObject([
    { commit: second, branch: 'main', at: Date.parse('2030-02-01T09:00:00Z'), reports: [{ id: 1 }] },
    { commit: first, totals: { coveredLines: 2, relevantLines: 4, coveredBranches: 3, branches: 4 }, shown: 70 },
  ]);
  expect(await report(1)).toEqual([
    { name: 'src/cart.js', coverage: [null, 3, 0], branches: [2, 0, 0, 1, 2, 0, 1, 0] },
  ]);
});

test('an answer that is not understood is named, and lines of no sense are left out', async () => {
  const [first = ''] = commits;
  const page = (results: unknown) => ({ count: 1, next: null, previous: null, results, total_pages: 1 });
  const totals = { lines: 2, hits: 1, misses: 1, partials: 0, coverage: 50 };
  let listed: unknown = page([{ commitid: first, timestamp: '2030-01-01T00:00:00Z', state: 'complete', totals }]);
  const answers = (path: string): unknown => {
    if (path.includes('/uploads/')) return page([]);
    if (path.includes('/report/'))
      return { files: [{ name: 'src/cart.js', line_coverage: [[1, 0], [2, 1], [-5, 0], [3, 7], 'x', [4, null]] }] };
    return path.includes('/commits/') ? listed : { branch: 'main' };
  };
  const server = await startRestServer({
    now: Date.now,
    answer: (request) => ({ status: 200, body: answers(request.url ?? '') }),
  });
  const asked = ['--from=codecov', `--url=${server.url}`, '--requests-per-minute=60000'];
  const { code, stderr } = await bring(...asked);
  expect(code).toBe(0);
  expect(stderr).toContain('3 lines of reports at Codecov were not understood and are left out.');
  expect(await (await written()).report(1)).toEqual([{ name: 'src/cart.js', coverage: [1, 0], branches: [] }]);
  listed = { commits: [] };
  const odd = await bring(...asked, '--to=other');
  await server.close();
  expect(odd).toMatchObject({ code: 3 });
  expect(odd.stderr).toContain('The list of commits is not a list. The service may have changed its responses');
});

test.each([
  [['--from=codecov', '--repo=shop'], 'Give the repo as <service>/<owner>/<name>'],
  [['--from=codecov', '--since=yesterday'], 'Option --since: expected a day as 2024-01-31, got "yesterday".'],
  [['--from=codecov', '--lines=201'], 'Option --lines: expected a number from 0 to 200, got "201".'],
  [['--from=sonarqube'], 'Give the address of SonarQube as --url=https://…, got "".'],
  [['--from=codecov', '--url=http://127.0.0.1:1', '--requests-per-minute=60000'], 'Codecov cannot be reached at'],
  [[], 'Say where the history is: --from=<codecov|coveralls|sonarqube|gocov|folder>.'],
])('%j is refused', async (args, sentence) => {
  expect((await bring(...args)).stderr).toContain(sentence);
});
