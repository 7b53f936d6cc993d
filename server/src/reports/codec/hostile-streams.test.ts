import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { numRuns } from '../../../../test/support/property-runs.ts';
import { toColumn } from '../../../../test/support/records.ts';
import type { FileCoverage } from '../../core/coverage/file-coverage.ts';
import { branchesFromGroups } from '../../core/coverage/merge.ts';
import { Failure } from '../../core/failure.ts';
import { ByteWriter } from './byte-writer.ts';
import { createStreams, packStreams, STREAM_NAMES, type StreamName } from './chunk-streams.ts';
import { packContainer } from './container.ts';
import { decodeReport } from './decode-report.ts';
import { encodeReport } from './encode-report.ts';
import { type FileEntry, packTable } from './file-table.ts';

const ENTRY: FileEntry = {
  name: 'a.ts',
  digest: undefined,
  source: undefined,
  lines: 3,
  totals: { coveredLines: 1, relevantLines: 1, coveredBranches: 0, branches: 0 },
};

/** Bytes whose checksums are right and whose contents are made up: only the checks within can refuse them. */
function forge(entries: readonly FileEntry[], streams: Partial<Record<StreamName, readonly number[]>>): Uint8Array {
  const writers = createStreams();
  for (const name of STREAM_NAMES) writers[name].writeBytes(Uint8Array.from(streams[name] ?? []));
  const out = new ByteWriter();
  const chunks = entries.length === 0 ? [] : [packStreams(writers, out)];
  return packContainer({
    table: Uint8Array.from(packTable(entries)),
    entries: chunks,
    chunks: Uint8Array.from(out.view()),
  });
}

const run = (kind: number, length: number): number => (length << 2) | kind;

describe('a report with valid checksums', () => {
  it('is read when it is sound', () => {
    const file: FileCoverage = {
      name: 'a.ts',
      digest: undefined,
      source: undefined,
      hits: toColumn([-1, -1, 9]),
      branches: branchesFromGroups([]),
    };
    const bytes = forge([ENTRY], { runs: [run(0, 2), run(3, 1)], values: [9] });
    expect(decodeReport(bytes)).toStrictEqual({ files: [file] });
    expect(bytes).toEqual(encodeReport({ files: [file] }));
  });

  it.each([
    { name: 'a run beyond the file', streams: { runs: [run(0, 2), run(3, 9)], values: [9] } },
    { name: 'a run of nothing', streams: { runs: [0, 0] } },
    { name: 'no runs', streams: {} },
    { name: 'a missing value', streams: { runs: [run(0, 2), run(3, 1)] } },
    { name: 'a value too many', streams: { runs: [run(0, 2), run(3, 1)], values: [9, 9] } },
    { name: 'totals that do not fit', streams: { runs: [run(0, 3)] } },
    {
      name: 'a number of nine bytes',
      streams: { runs: [run(0, 2), run(3, 1)], values: [255], large: Array<number>(9).fill(0xff) },
    },
  ])('is refused with $name', ({ streams }) => expect(() => decodeReport(forge([ENTRY], streams))).toThrow(Failure));

  it.each([
    { name: 'names out of order', entries: [{ ...ENTRY, name: 'b' }, ENTRY] },
    { name: 'a name twice', entries: [ENTRY, ENTRY] },
    { name: 'more lines than a file can have', entries: [{ ...ENTRY, lines: 2 ** 25 }] },
    {
      name: 'more lines than a report can have',
      entries: Array.from({ length: 9 }, (_, at) => ({ ...ENTRY, name: `${at}`, lines: 2 ** 24 })),
    },
  ])('is refused with $name', ({ entries }) =>
    expect(() => decodeReport(forge(entries, { runs: [run(2, 3)] }))).toThrow(Failure),
  );

  it('is a Failure or a report, whatever its streams hold', () => {
    const bytes = fc.array(fc.nat(255), { maxLength: 12 });
    const totals = fc.record({
      coveredLines: fc.nat(2),
      relevantLines: fc.constant(2),
      coveredBranches: fc.nat(1),
      branches: fc.nat(2),
    });
    const entries = fc
      .record({ lines: fc.nat(6), totals })
      .map((some) => [{ ...ENTRY, ...some, lines: some.lines + 2 }]);
    const streams = fc.record({ runs: bytes, values: bytes, keys: bytes, large: bytes });
    fc.assert(
      fc.property(entries, streams, (table, contents) => {
        const forged = forge(table, contents);
        let decoded: ReturnType<typeof decodeReport> | undefined;
        try {
          decoded = decodeReport(forged);
        } catch (error) {
          expect(error).toBeInstanceOf(Failure);
        }
        if (decoded) expect(decodeReport(encodeReport(decoded))).toStrictEqual(decoded);
      }),
      { numRuns: numRuns(500) },
    );
  });
});
