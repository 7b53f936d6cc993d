import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { someOf } from '../../../test/support/property-runs.ts';
import { reportInMemory } from '../../../test/support/report-in-memory.ts';
import { ActionFailure } from '../runner/failure.ts';
import type { CoverageFormat, ParsedReport } from './coverage-format.ts';
import { coveragePy } from './coverage-py.ts';
import { recognize } from './formats.ts';
import { branchKey } from './lcov-branch.ts';

/** For each format a small report and what is in it, by file: hits by line, branches as (line, block, branch, hits). */
interface Sample {
  readonly format: string;
  readonly report: unknown;
  readonly files: Readonly<Record<string, { coverage: (number | null)[]; branches?: number[] }>>;
}

const at = (line: number) => ({ start: { line, column: 0 }, end: { line, column: 9 } });
const segment = (line: number, count: number, rest: readonly boolean[]) => [line, 1, count, ...rest];
const [BEGINS, ENDS, OUTSIDE, GAP] = [
  [true, true, false],
  [true, false, false],
  [false, false, false],
  [true, false, true],
];
const CONDITION = '[:if, 0, 2, 4, 2, 51]';
const ARM = '[:then, 1, 2, 4, 2, 9]';
const OTHER_ARM = '[:else, 2, 2, 4, 2, 51]';

const SAMPLES: readonly Sample[] = [
  {
    format: 'istanbul',
    report: {
      '/r/a.js': {
        path: '/r/a.js',
        statementMap: { '0': at(1), '1': at(1), '2': at(3) },
        branchMap: { '0': { loc: at(3), type: 'if', locations: [at(3), { start: {}, end: {} }] }, '1': { line: 1 } },
        s: { '0': 1, '1': 4, '2': 0 },
        b: { '0': [0, 2], '1': [5] },
      },
    },
    files: { '/r/a.js': { coverage: [4, null, 0], branches: [1, 1, 0, 5, 3, 0, 0, 0, 3, 0, 1, 2] } },
  },
  {
    format: 'coveragepy',
    report: {
      meta: { version: '7.17.3' },
      files: {
        'a.py': {
          executed_lines: [1, 2],
          missing_lines: [4],
          excluded_lines: [3],
          executed_branches: [[2, 4]],
          missing_branches: [[2, -1]],
        },
      },
    },
    files: { 'a.py': { coverage: [1, 1, null, 0], branches: [2, 0, 4, 1, 2, 0, branchKey('-1'), 0] } },
  },
  {
    format: 'simplecov',
    report: {
      RSpec: {
        coverage: { 'a.rb': { lines: [1, null, 0], branches: { [CONDITION]: { [ARM]: 1, [OTHER_ARM]: 0 } } } },
        timestamp: 1,
      },
      Minitest: {
        coverage: {
          'a.rb': { lines: [2, null, 1], branches: { [CONDITION]: { [ARM]: 2, [OTHER_ARM]: 0 } } },
          'b.rb': [0, null],
        },
        timestamp: 2,
      },
    },
    files: {
      'a.rb': {
        coverage: [3, null, 1],
        branches: [[OTHER_ARM, 0] as const, [ARM, 3] as const]
          .map(([arm, hits]) => [2, branchKey(CONDITION), branchKey(arm), hits])
          .sort((a, b) => (a[2] as number) - (b[2] as number))
          .flat(),
      },
      'b.rb': { coverage: [0] },
    },
  },
  {
    format: 'simplecov',
    report: {
      meta: { simplecov_version: '0.22.0' },
      coverage: {
        'a.rb': {
          lines: [1, 'ignored', 0],
          branches: [
            { type: 'then', start_line: 3, end_line: 3, coverage: 0 },
            { type: 'else', start_line: 3, end_line: 3, coverage: 'ignored' },
          ],
        },
      },
      groups: {},
    },
    files: { 'a.rb': { coverage: [1, null, 0], branches: [3, 0, 0, 0] } },
  },
  {
    format: 'simplecov',
    report: {
      meta: { schema_version: '1.1', simplecov_version: '1.3.2', root: '/r' },
      total: { lines: { covered: 1 } },
      coverage: { 'lib/a.rb': { source: ['x = 1', ''], lines: [1, null], branches: [] } },
      groups: { coverage: { lines: {}, files: ['lib/a.rb'] } },
    },
    files: { 'lib/a.rb': { coverage: [1] } },
  },
  {
    format: 'simplecov',
    report: { command_name: 'RSpec', files: [{ filename: '/r/a.rb', coverage: [null, 2] }], metrics: {} },
    files: { '/r/a.rb': { coverage: [null, 2] } },
  },
  {
    format: 'coveralls',
    report: { repo_token: 'x', source_files: [{ name: 'lib/a.ex', coverage: [null, 1, 0], branches: [2, 0, 1, 3] }] },
    files: { 'lib/a.ex': { coverage: [null, 1, 0], branches: [2, 0, 1, 3] } },
  },
  {
    format: 'gcovr',
    report: {
      'gcovr/format_version': '0.15',
      files: [
        {
          lines: [
            { line_number: 1, count: 2, branches: [], function_name: 'f' },
            { line_number: 1, count: 3, branches: [{ branchno: 4, count: 1 }] },
            { line_number: 2, count: 0, branches: [], 'gcovr/noncode': true },
          ],
          file: 'a.c',
        },
      ],
    },
    files: { 'a.c': { coverage: [5], branches: [1, branchKey(''), 4, 1] } },
  },
  {
    format: 'gcov-json',
    report: {
      gcc_version: '12.2.0',
      files: [
        { lines: [{ branches: [{ count: -1 }], count: 2, line_number: 2, function_name: '7' }], file: 'a.c' },
        { lines: [], file: '/usr/include/x.h' },
      ],
      format_version: '1',
      current_working_directory: '/r',
    },
    files: { '/r/a.c': { coverage: [null, 2], branches: [2, 7, 0, 0] } },
  },
  {
    format: 'llvm-cov',
    report: {
      data: [
        {
          files: [
            {
              branches: [[2, 3, 2, 9, 4, 0, 0, 0, 4]],
              filename: '/r/a.c',
              segments: [
                segment(1, 4, BEGINS as boolean[]),
                segment(2, 0, GAP as boolean[]),
                segment(3, 9, BEGINS as boolean[]),
                segment(3, 4, ENDS as boolean[]),
                segment(5, 0, OUTSIDE as boolean[]),
                segment(8, 0, BEGINS as boolean[]),
              ],
            },
          ],
        },
      ],
      type: 'llvm.coverage.json.export',
    },
    files: {
      '/r/a.c': {
        coverage: [4, 4, 9, 4, 4, null, null, 0],
        branches: [2, branchKey('3-2:9'), 0, 4, 2, branchKey('3-2:9'), 1, 0],
      },
    },
  },
  {
    format: 'tarpaulin',
    report: {
      files: [
        {
          path: ['/', 'r', 'src', 'a.rs'],
          content: 'fn',
          traces: [
            { line: 2, address: [], length: 1, stats: { Line: 3 } },
            { line: 3, address: [], length: 1, stats: 'None' },
          ],
        },
      ],
    },
    files: { '/r/src/a.rs': { coverage: [null, 3] } },
  },
  {
    format: 'codecov',
    report: { coverage: { 'a.x': { '1': 0, '2': 5, '3': '1/2', '4': null }, __proto: [null, 1, true, null, '0/1'] } },
    files: {
      'a.x': { coverage: [0, 5, 1], branches: [3, 0, 0, 1, 3, 0, 1, 0] },
      __proto: { coverage: [1, 1, null, 0], branches: [4, 0, 0, 0] },
    },
  },
  {
    format: 'xccov',
    report: {
      '/r/A.swift': [
        { line: 1, isExecutable: false },
        { line: 2, isExecutable: true, executionCount: 3, subranges: [{ column: 1, length: 2, executionCount: 0 }] },
      ],
    },
    files: { '/r/A.swift': { coverage: [null, 3] } },
  },
];

function formatOf(text: string): CoverageFormat {
  const { format } = recognize(text);
  if (format === undefined) throw new Error('not recognized');
  return format;
}

const shown = ({ files }: ParsedReport) =>
  Object.fromEntries(files.map((file) => [file.name, { coverage: file.coverage(), branches: file.branches() }]));
const expected = ({ files }: Sample) =>
  Object.fromEntries(Object.entries(files).map(([name, file]) => [name, { branches: [], ...file }]));
const parse = (text: string | Uint8Array, format: CoverageFormat) => format.parse(reportInMemory('r.json', text));

describe.each(SAMPLES.map((sample, index) => ({ ...sample, index })))('$format ($index)', (sample) => {
  const compact = JSON.stringify(sample.report);

  test.each([undefined, 2])('is known by its content and read, indented by %s', (indent) => {
    const text = JSON.stringify(sample.report, null, indent);
    const format = formatOf(text);
    expect(format.name).toBe(sample.format);
    expect(shown(parse(text, format))).toEqual(expected(sample));
  });

  test('says where it is damaged, wherever it is cut', () => {
    const format = formatOf(compact);
    for (const end of someOf(Array.from({ length: compact.length }, (_, end) => end))) {
      expect(() => parse(compact.slice(0, end), format)).toThrow(/^r\.json, line 1: expected /);
    }
  });

  test('no value of another kind is more than damage', () => {
    const format = formatOf(compact);
    const values = ['null', '-1', '1e400', '"x"', 'true', '[]', '{}', '[[1]]', '{"__proto__":{"lines":[1]}}'];
    for (const value of values) {
      for (const { index, 0: number } of compact.matchAll(/(?<=[[:,])\d+/g)) {
        const changed = compact.slice(0, index) + value + compact.slice(index + number.length);
        try {
          parse(changed, format);
        } catch (error) {
          expect(error).toBeInstanceOf(ActionFailure);
        }
      }
    }
  });
});

test('gcov JSON is unpacked, and a cut one is refused', () => {
  const sample = SAMPLES.find(({ format }) => format === 'gcov-json') as Sample;
  const packed = gzipSync(JSON.stringify(sample.report));
  const format = formatOf(packed.toString('latin1'));
  const parsed = parse(packed, format);
  expect(shown(parsed)).toEqual(expected(sample));
  expect(parsed.warnings).toEqual(['r.json: 1 negative hit count taken as 0']);
  expect(() => parse(packed.subarray(0, -9), format)).toThrow(/^r\.json, line 1: expected a whole gzip file/);
});

test("a name in gcov's JSON is relative to the folder that the compiler ran in, and to no other", () => {
  const names = (folder: string) => {
    const files = ['../src/a.c', '/usr/include/x.h'].map((file) => ({ file, lines: [{ line_number: 1, count: 1 }] }));
    const text = JSON.stringify({ gcc_version: '12.2.0', files, current_working_directory: folder });
    const parsed = parse(text, formatOf(text));
    return [...parsed.sources, ...parsed.files.map(({ name }) => name)];
  };
  expect(names('/opt/zlib/build')).toEqual(['/opt/zlib/src/a.c', '/usr/include/x.h']);
  expect(names('C:\\zlib\\build')).toEqual(['C:\\zlib\\build', '../src/a.c', '/usr/include/x.h']);
});

test('UTF-16 is named as what it is', () => {
  expect(recognize(Buffer.from('\ufeff{"a": 1}', 'utf16le').toString('latin1'))).toMatchObject({
    reason: 'it is UTF-16 text; write it as UTF-8',
  });
});

test('segments out of order would be lines without end', () => {
  const row = (line: number) => JSON.stringify(segment(line, 1, BEGINS as boolean[]));
  const text = `{"data":[{"files":[{"segments":[${row(9_000_000)},${row(1)}],"filename":"a"}]}]}`;
  expect(() => parse(text, formatOf(text))).toThrow('expected segments in the order of their lines, got "1"');
});

test('what coverage.py keeps while it runs is refused with the command that makes a report of it', () => {
  expect(() => parse('SQLite format 3\0', coveragePy)).toThrow('run "coverage lcov" or "coverage json" first');
});
