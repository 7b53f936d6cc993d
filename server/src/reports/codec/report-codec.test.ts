import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyText } from '../../../../test/support/any-text.ts';
import { packReport } from '../../../../test/support/packed-reports.ts';
import { numRuns } from '../../../../test/support/property-runs.ts';
import { toColumn } from '../../../../test/support/records.ts';
import { MAX_HITS } from '../../core/coverage/column.ts';
import type { FileCoverage, Report } from '../../core/coverage/file-coverage.ts';
import { branchesFromGroups, compareNames, mergeReports } from '../../core/coverage/merge.ts';
import { fileTotals, reportTotals } from '../../core/coverage/totals.ts';
import { Failure } from '../../core/failure.ts';
import { decodeReport, listFiles, openReport } from './decode-report.ts';
import { encodePacked, encodeReport } from './encode-report.ts';

const contentDigest = (report: Report): string => encodePacked(packReport(report)).contentDigest;

const hits = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: -1, max: 3 }) },
  { weight: 2, arbitrary: fc.integer({ min: 250, max: 400 }) },
  { weight: 1, arbitrary: fc.constantFrom(0x7fff_ffff, 0x8000_0000, MAX_HITS) },
  { weight: 1, arbitrary: fc.maxSafeNat() },
);
/** Runs, so that the long form of a run is met too. */
const column = fc
  .array(fc.tuple(hits, fc.oneof(fc.integer({ min: 1, max: 4 }), fc.constantFrom(62, 63, 64, 127, 128, 2_000))), {
    maxLength: 8,
  })
  .map((runs) => toColumn(runs.flatMap(([value, length]) => Array<number>(length).fill(value))));
const key = fc.oneof({ weight: 4, arbitrary: fc.nat(3) }, { weight: 1, arbitrary: fc.maxSafeInteger() });
const branch = fc.tuple(
  key.map(Math.abs),
  key,
  key,
  hits.map((value) => Math.max(0, value)),
);
const hex = (length: number) => fc.stringMatching(new RegExp(`^[0-9a-f]{${length}}$`));
const digest = fc.oneof(
  fc.constant(undefined),
  hex(32),
  hex(64),
  hex(128),
  fc.string({ minLength: 1, maxLength: 64, unit: 'grapheme' }),
  fc.constant('ABC'),
);

const file: fc.Arbitrary<FileCoverage> = fc.record(
  {
    name: anyText({ minLength: 1, maxLength: 30 }).map((name) => name.toWellFormed()),
    digest,
    source: fc.option(hex(64), { nil: undefined }),
    hits: column,
    branches: fc.array(branch, { maxLength: 8 }).map((all) => branchesFromGroups(all.flat())),
  },
  { noNullPrototype: true },
);

const report: fc.Arbitrary<Report> = fc
  .uniqueArray(file, { maxLength: 6, selector: ({ name }) => name })
  .map((files) => ({ files: files.toSorted((a, b) => compareNames(a.name, b.name)) }));

const manyFiles = (count: number): Report =>
  mergeReports([
    {
      files: Array.from({ length: count }, (_, index) => ({
        name: `src/file-${index}.ts`,
        digest: undefined,
        source: undefined,
        hits: toColumn([index, -1, 0]),
        branches: branchesFromGroups([index, 0, 0, 1, index, 1, 0, 0]),
      })),
    },
  ]);

/** A Failure of code internal, or a report that is valid. Anything else fails the test. */
function expectFailureOrReport(bytes: Uint8Array): 'failure' | 'report' {
  try {
    const decoded = decodeReport(bytes);
    expect(decodeReport(encodeReport(decoded))).toEqual(decoded);
    return 'report';
  } catch (error) {
    expect(error).toBeInstanceOf(Failure);
    expect(error).toMatchObject({ code: 'internal', message: expect.stringContaining('damaged') });
    return 'failure';
  }
}

describe('encodeReport and decodeReport', () => {
  it('gives back what it was given, in the narrowest columns', () => {
    fc.assert(
      fc.property(report, (value) => void expect(decodeReport(encodeReport(value))).toStrictEqual(value)),
      { numRuns: numRuns(100) },
    );
  });

  it('gives equal bytes and digests for equal reports', () => {
    fc.assert(
      fc.property(report, (value) => {
        expect(encodeReport(structuredClone(value))).toEqual(encodeReport(value));
        expect(contentDigest(structuredClone(value))).toBe(contentDigest(value));
      }),
      { numRuns: numRuns(100) },
    );
  });

  it('gives different digests for different reports', () => {
    fc.assert(
      fc.property(report, report, (a, b) => {
        const same = JSON.stringify(decodeReport(encodeReport(a))) === JSON.stringify(decodeReport(encodeReport(b)));
        expect(contentDigest(a) === contentDigest(b)).toBe(same);
      }),
      { numRuns: numRuns(100) },
    );
  });

  it.each([0, 1, 63, 64, 65, 200])('holds %i files', (count) => {
    expect(decodeReport(encodeReport(manyFiles(count)))).toStrictEqual(manyFiles(count));
  });

  it('packed file by file, has the same stored form', () => {
    fc.assert(
      fc.property(report, (value) => void expect(encodePacked(packReport(value)).bytes).toEqual(encodeReport(value))),
      { numRuns: numRuns(100) },
    );
  });

  it('counts the totals on the way', () => {
    fc.assert(
      fc.property(report, (value) => void expect(encodePacked(packReport(value)).totals).toEqual(reportTotals(value))),
      { numRuns: numRuns(100) },
    );
  });

  it('refuses what no report can hold, with the limit', () => {
    const [file] = manyFiles(1).files as [FileCoverage];
    expect(() => encodeReport({ files: [{ ...file, name: 'x'.repeat(4097) }] })).toThrow(/4096/);
    expect(() => encodeReport({ files: [{ ...file, hits: new Int32Array(2 ** 24 + 1) }] })).toThrow(/16777216/);
  });
});

describe('openReport and listFiles', () => {
  it('opens every file of a report alone', () => {
    const value = manyFiles(130);
    const bytes = encodeReport(value);
    for (const file of value.files) expect(openReport(bytes)(file.name)).toStrictEqual(file);
    expect(openReport(bytes)('src/file-1')).toBeUndefined();
    expect(openReport(bytes)('src/file-1.tsx')).toBeUndefined();
    expect(openReport(encodeReport({ files: [] }))('a')).toBeUndefined();
  });

  it('finds any name, and lists names with their totals', () => {
    fc.assert(
      fc.property(report, (value) => {
        const bytes = encodeReport(value);
        for (const file of value.files) expect(openReport(bytes)(file.name)).toStrictEqual(file);
        expect(listFiles(bytes)).toStrictEqual(
          value.files.map((file) => ({
            name: file.name,
            digest: file.digest,
            source: file.source,
            lines: file.hits.length,
            differing: 0,
            totals: fileTotals(file),
          })),
        );
      }),
      { numRuns: numRuns(100) },
    );
  });
});

describe('damaged bytes', () => {
  const bytes = encodeReport(manyFiles(70));

  it('cut anywhere are a Failure', () => {
    for (let length = 0; length < bytes.length; length += 1)
      expect(() => decodeReport(bytes.subarray(0, length))).toThrow(Failure);
  });

  it('with something behind are a Failure', () => {
    expect(() => decodeReport(Uint8Array.of(...bytes, 0))).toThrow(Failure);
  });

  it('of another version are a Failure that says so', () => {
    const other = Uint8Array.from(bytes);
    other[3] = 2;
    expect(() => decodeReport(other)).toThrow(/version is 2/);
  });

  it('with any bit flipped are a Failure', () => {
    for (let at = 0; at < bytes.length; at += 1) {
      const flipped = Uint8Array.from(bytes);
      flipped[at] = (flipped[at] as number) ^ (1 << (at % 8));
      expect(expectFailureOrReport(flipped)).toBe('failure');
    }
  });

  it('of any kind are a Failure', () => {
    const head = fc.uint8Array({ maxLength: 200 }).map((tail) => Uint8Array.of(...bytes.subarray(0, 8), ...tail));
    fc.assert(
      fc.property(fc.oneof(fc.uint8Array({ maxLength: 200 }), head), (value) => void expectFailureOrReport(value)),
    );
  });
});
