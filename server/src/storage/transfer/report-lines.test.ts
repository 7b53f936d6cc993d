import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { packReport } from '../../../../test/support/packed-reports.ts';
import { numRuns } from '../../../../test/support/property-runs.ts';
import { toColumn } from '../../../../test/support/records.ts';
import { MAX_HITS } from '../../core/coverage/column.ts';
import { branchesFromGroups } from '../../core/coverage/merge.ts';
import { encodePacked } from '../../reports/codec/encode-report.ts';
import { readReportLines, writeReportLines } from './report-lines.ts';

async function* parsed(lines: Iterable<string>): AsyncGenerator<unknown> {
  for (const line of lines) yield JSON.parse(line);
}

const read = (...lines: readonly unknown[]) => readReportLines(parsed(lines.map((line) => JSON.stringify(line))));
const FILE = { name: 'a', coverage: [1, null], branches: [1, 0, 0, 4] };

const hits = fc.oneof(fc.integer({ min: -1, max: 3 }), fc.constantFrom(2 ** 31, MAX_HITS));
const group = fc.tuple(fc.nat(), fc.maxSafeInteger(), fc.integer(), fc.maxSafeNat());
const file = fc.record({
  name: fc.string({ unit: 'grapheme', minLength: 1 }),
  digest: fc.option(fc.stringMatching(/^[0-9a-f]{32}$/), { nil: undefined }),
  source: fc.option(fc.stringMatching(/^[0-9a-f]{64}$/), { nil: undefined }),
  hits: fc.array(hits).map(toColumn),
  branches: fc.array(group).map((groups) => branchesFromGroups(groups.flat())),
});

describe('lines of a report', () => {
  it('make the same report, byte by byte', async () => {
    const reports = fc.uniqueArray(file, { selector: ({ name }) => name, maxLength: 70 });
    await fc.assert(
      fc.asyncProperty(reports, async (some) => {
        const files = some.toSorted((a, b) => (a.name < b.name ? -1 : 1));
        const { bytes, totals, contentDigest } = encodePacked(packReport({ files }));
        const again = await readReportLines(parsed(writeReportLines(bytes)));
        expect(again).toEqual({ bytes, totals, contentDigest, files: files.length });
      }),
      { numRuns: numRuns(30) },
    );
  });

  it('are source files of the upload API', () => {
    const branches = branchesFromGroups(FILE.branches);
    const { bytes } = encodePacked(
      packReport({ files: [{ name: 'a', digest: 'd', source: undefined, hits: toColumn([1, -1, 0]), branches }] }),
    );
    expect([...writeReportLines(bytes)]).toEqual([
      '{"name":"a","source_digest":"d","coverage":[1,null,0],"branches":[1,0,0,4]}',
    ]);
  });

  it.each([
    [{ ...FILE, name: '' }],
    [{ ...FILE, name: '\ud800' }],
    [{ ...FILE, name: 'x'.repeat(5_000) }],
    [{ ...FILE, source_digest: 'x'.repeat(200) }],
    [{ ...FILE, source_sha256: '../../etc/passwd' }],
    [{ ...FILE, coverage: [-1] }],
    [{ ...FILE, coverage: [0.5] }],
    [{ ...FILE, coverage: ['1'] }],
    [{ ...FILE, coverage: [2 ** 60] }],
    [{ ...FILE, coverage: { length: 5 } }],
    [{ ...FILE, branches: [1, 0, 0] }],
    [{ ...FILE, branches: [-1, 0, 0, 1] }],
    [{ ...FILE, branches: [1, 0, 0, -1] }],
    [{ ...FILE, more: 1 }],
    [[]],
    [null],
  ])('are refused, case %#', async (line) => {
    await expect(read(line)).rejects.toThrow();
  });

  it('are in order of name, each once', async () => {
    await expect(read(FILE, FILE)).rejects.toThrow('not in order');
    await expect(read({ ...FILE, name: 'b' }, FILE)).rejects.toThrow('not in order');
    expect(await read(FILE, { ...FILE, name: 'b' })).toMatchObject({ files: 2, totals: { branches: 2 } });
  });
});
