import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cobertura } from '../../action/src/formats/cobertura.ts';
import type { FileHits } from '../../action/src/formats/file-hits.ts';
import { lcov } from '../../action/src/formats/lcov.ts';
import { encodeReport } from '../../server/src/reports/codec/encode-report.ts';
import { job, shaOf, sourceFile } from '../support/coverage-api.ts';
import { putLargeBuild } from '../support/large-build.ts';
import { aFile, aReport } from '../support/records.ts';
import { reportInMemory } from '../support/report-in-memory.ts';
import { type Service, startService } from '../support/service.ts';

let service: Service;
let token: string;
beforeAll(async () => {
  service = await startService();
  ({ token } = await service.newRepo());
});
afterAll(() => service.stop());

const asAdmin = (): RequestInit => ({ headers: { authorization: `token ${service.adminToken}` } });
const read = (path: string) => service.api.send(path, asAdmin());
const FORMATS = [
  ['lcov.info', lcov],
  ['cobertura.xml', cobertura],
] as const;
let number = 100;

/** The counts of a build's files by name, as it lists them. */
async function listed(build: number | string) {
  const { json } = await service.api.send<{ source_files: string }>(
    `/builds/${build}/source_files.json?per_page=2000`,
    asAdmin(),
  );
  const files = JSON.parse(json.source_files) as Record<string, number | string>[];
  return files.map((file) => [
    file.name,
    { covered: file.covered_line_count, all: file.relevant_line_count },
    { covered: file.covered_branch_count, all: file.branch_count },
  ]);
}

async function exported(build: number | string, [name, format]: (typeof FORMATS)[number]) {
  const { status, text } = await read(`/builds/${build}/${name}`);
  expect(status).toBe(200);
  const files: readonly FileHits[] = format.parse(reportInMemory(name, text)).files;
  return files.map((file) => [file.name, file.countLines(), file.countBranches()] as const);
}

const byName = (rows: readonly (readonly unknown[])[]) =>
  [...rows].sort(([a], [b]) => (String(a) < String(b) ? -1 : 1));

const aLine = fc.option(fc.oneof(fc.nat(3), fc.integer({ min: 2 ** 31, max: 2 ** 40 })), { freq: 3 });
const someBranches = fc.array(fc.tuple(fc.integer({ min: 0, max: 14 }), fc.nat(2), fc.nat(2), fc.nat(2)));
/** Files with a line that counts, since Cobertura has no place for the branches of the others. */
const someFiles = fc.uniqueArray(
  fc.record({
    name: fc.tuple(fc.constantFrom('', 'src/', 'src/a & "b"/', 'ü/<x>/'), fc.constantFrom('a.ts', 'b.ts', 'ç.ts')),
    coverage: fc.array(aLine, { minLength: 1, maxLength: 12 }).filter((lines) => lines.some((hits) => hits !== null)),
    branches: someBranches,
  }),
  { selector: ({ name }) => name.join(''), minLength: 1, maxLength: 8 },
);

describe('the report of a build in a format of others', () => {
  test('has the numbers of each of its files, by the readers of the action', { timeout: 60_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(someFiles, someFiles, async (one, two) => {
        number += 1;
        for (const files of [one, two]) {
          const source_files = files.map(({ name, coverage, branches }) =>
            sourceFile(name.join(''), coverage, { branches: branches.flat() }),
          );
          await service.upload(
            job({
              repo_token: token,
              parallel: true,
              service_number: `${number}`,
              commit_sha: shaOf(`${number}`),
              source_files,
            }),
          );
        }
        await service.close(token, number);
        const expected = await listed(shaOf(`${number}`));
        expect(expected.length).toBeGreaterThan(0);
        for (const format of FORMATS) expect(byName(await exported(shaOf(`${number}`), format))).toEqual(expected);
      }),
      { numRuns: 20 },
    );
  });

  test('is written whole where it has more files, lines and branches than are written at a time', async () => {
    const repo = await service.newRepo();
    // The branches of the last line are more than one part, and the last one alone is taken.
    const arms = 100_000;
    const ofLast = Array.from({ length: arms }, (_, arm) => [2 ** 18 + 5, 0, arm, arm === arms - 1 ? 1 : 0]);
    const long = {
      ...aFile('src/long.ts', [], { branches: ofLast.flat() }),
      hits: new Int32Array(2 ** 18 + 5).fill(1, 0, 2 ** 18),
    };
    const small = Array.from({ length: 150 }, (_, index) => aFile(`src/${index % 7}/${1000 + index}.ts`, [1, 0, 2]));
    const report = encodeReport(aReport(...[long, ...small].sort((a, b) => (a.name < b.name ? -1 : 1))));
    const { id } = await putLargeBuild(service.store, repo.id, { flags: 1, jobs: 1, report });
    const expected = byName(await listed(id));
    expect(expected).toHaveLength(151);
    for (const format of FORMATS) expect(byName(await exported(id, format))).toEqual(expected);
    const { text } = await read(`/builds/${id}/lcov.info`);
    expect(text.match(/^BRDA:262149,0,\d+,[01]$/gm)).toHaveLength(arms);
    expect(text).not.toContain(',-\n');
  });

  test('holds whatever a file is called', async () => {
    const names = [
      'a\nend_of_record\nSF:evil.ts\nDA:1,9',
      '"/><class name="x',
      'a&b<c>.ts',
      'nul\u0001\ud800.ts',
      '../up.ts',
    ];
    const source_files = names.map((name) => sourceFile(name, [1, 0], { branches: [0, -1, 2, 1, 9, 0, 0, 0] }));
    const { id } = await service.uploadAlone(job({ repo_token: token, commit_sha: shaOf('hostile'), source_files }));
    const counts = [
      { covered: 1, all: 2 },
      { covered: 1, all: 2 },
    ] as const;
    const shown = (rows: readonly (readonly unknown[])[]) => rows.map(([, ...rest]) => rest);
    for (const format of FORMATS) expect(shown(await exported(id, format))).toEqual(names.map(() => counts));
    const text = (await read(`/builds/${id}/lcov.info`)).text;
    expect(text).toContain('SF:a\ufffdend_of_record\ufffdSF:evil.ts\ufffdDA:1,9\n');
    expect((await read(`/builds/${id}/cobertura.xml`)).text).toContain('filename="a&amp;b&lt;c&gt;.ts"');
  });

  test('is a file to save, compressed where that is taken, and linked on the page of its build', async () => {
    const { id } = await service.uploadAlone(job({ repo_token: token, commit_sha: shaOf('linked') }));
    const plain = await read(`/builds/${id}/lcov.info`);
    expect(plain.text).toBe('TN:\nSF:src/a.ts\nDA:1,1\nDA:2,0\nLF:2\nLH:1\nend_of_record\n');
    expect(plain.headers.get('content-disposition')).toBe('attachment; filename="lcov.info"');
    const packed = await fetch(`${service.url}/builds/${id}/lcov.info`, {
      headers: { authorization: `token ${service.adminToken}`, 'accept-encoding': 'gzip' },
    });
    expect([packed.headers.get('content-encoding'), await packed.text()]).toEqual(['gzip', plain.text]);
    const page = (await read(`/builds/${id}`)).text;
    for (const [name] of FORMATS) expect(page).toContain(`href="/builds/${id}/${name}"`);
  });

  test('is a 404 that says why where there is none', async () => {
    const { build } = await service.upload(
      job({ repo_token: token, parallel: true, service_number: '99', commit_sha: shaOf('open') }),
    );
    const open = await read(`/builds/${build}/lcov.info`);
    expect([open.status, open.json]).toEqual([
      404,
      { message: 'Build 99 has no report: it has not been closed yet.', error: true },
    ]);
    const stranger = await service.api.send(`/builds/${build}/cobertura.xml`);
    expect(stranger.status).toBe(404);
    expect(stranger.text).not.toContain('99');
  });
});
