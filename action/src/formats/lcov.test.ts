import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { reportInMemory } from '../../../test/support/report-in-memory.ts';
import type { ParsedReport } from './coverage-format.ts';
import { lcov } from './lcov.ts';
import { branchKey } from './lcov-branch.ts';

const parse = (text: string): ParsedReport => lcov.parse(reportInMemory('lcov.info', text));
const record = (...lines: string[]): string => ['SF:a.c', ...lines, 'end_of_record', ''].join('\n');
const only = (text: string) => {
  const { files, warnings } = parse(text);
  expect(files).toHaveLength(1);
  const [file] = files;
  return { name: file?.name, coverage: file?.coverage(), branches: file?.branches(), warnings };
};

describe('lines', () => {
  test('a line is relevant when it is named', () => {
    expect(only(record('DA:2,5', 'DA:4,0'))).toMatchObject({ name: 'a.c', coverage: [null, 5, null, 0], warnings: [] });
  });

  test('LF and LH do not count', () => {
    expect(only(record('DA:1,1', 'LF:90', 'LH:80', 'BRF:7', 'BRH:6'))).toMatchObject({ coverage: [1], branches: [] });
  });

  test('a checksum behind the hits is skipped', () => {
    expect(only(record('DA:1,3,1e0eb0bacf319a3dda5952c229e557ae')).coverage).toEqual([3]);
  });

  test('records of one file are merged, hits summed (lcov -a keeps one record for each test name)', () => {
    const text = `TN:one\n${record('DA:1,1', 'DA:2,0')}TN:two\n${record('DA:1,2', 'DA:3,4')}`;
    expect(only(text).coverage).toEqual([3, 0, 4]);
  });

  test('a line named twice in one record is summed too', () => {
    expect(only(record('DA:1,1', 'DA:1,2')).coverage).toEqual([3]);
  });

  test.each([
    ['3000000000', 3_000_000_000],
    ['1e+06', 1_000_000],
    ['9007199254740993', Number.MAX_SAFE_INTEGER],
    ['99999999999999999999999', Number.MAX_SAFE_INTEGER],
  ])('hits of %s', (text, hits) => {
    expect(only(record(`DA:1,${text}`)).coverage).toEqual([hits]);
  });

  test('sums saturate at 2^53-1', () => {
    expect(only(record('DA:1,9007199254740991', 'DA:1,5')).coverage).toEqual([Number.MAX_SAFE_INTEGER]);
  });

  test('a negative count is 0, with one warning that says where', () => {
    const { coverage, warnings } = only(record('DA:1,-3', 'DA:2,-1'));
    expect(coverage).toEqual([0, 0]);
    expect(warnings).toEqual(['lcov.info: 2 negative hit counts taken as 0, the first at line 2']);
  });

  test('line 0 does not exist', () => {
    const { coverage, warnings } = only(record('DA:0,7', 'DA:1,1'));
    expect(coverage).toEqual([1]);
    expect(warnings[0]).toContain('line 0');
  });
});

describe('branches', () => {
  test('hits by line, block and branch; - is 0', () => {
    expect(only(record('BRDA:1,0,0,-', 'BRDA:1,0,1,7')).branches).toEqual([1, 0, 0, 0, 1, 0, 1, 7]);
  });

  test('repeated keys are summed and put in order', () => {
    expect(only(record('BRDA:2,0,0,1', 'BRDA:1,1,0,1', 'BRDA:1,0,0,2', 'BRDA:2,0,0,3')).branches).toEqual([
      1, 0, 0, 2, 1, 1, 0, 1, 2, 0, 0, 4,
    ]);
  });

  test('exception arms of lcov 2 are arms of their own', () => {
    const block = branchKey('e0');
    expect(only(record('BRDA:7,0,0,1', 'BRDA:7,e0,1,-')).branches).toEqual([7, 0, 0, 1, 7, block, 1, 0]);
  });

  test('text keys, with commas and blanks', () => {
    const key = branchKey('$a, $b or die');
    expect(only(record('BRDA:3,0,$a, $b or die,2')).branches).toEqual([3, 0, key, 2]);
  });

  test('hits of any size, saturated', () => {
    expect(only(record('BRDA:1,0,0,3000000000', 'BRDA:1,0,1,99999999999999999999')).branches).toEqual([
      1,
      0,
      0,
      3_000_000_000,
      1,
      0,
      1,
      Number.MAX_SAFE_INTEGER,
    ]);
  });

  test('line 0 does not exist', () => {
    const { branches, warnings } = only(record('BRDA:0,0,0,1', 'BRDA:1,0,0,1'));
    expect(branches).toEqual([1, 0, 0, 1]);
    expect(warnings[0]).toContain('1 record for line 0 left out');
  });

  test('a negative count is 0 with a warning', () => {
    expect(only(record('DA:1,1', 'BRDA:1,0,0,-2'))).toMatchObject({
      branches: [1, 0, 0, 0],
      warnings: [expect.stringContaining('1 negative')],
    });
  });
});

describe('what other writers add', () => {
  test.each([
    'VER:b15dbc44f0753e4c3f25eb4f5012e975',
    'FN:4,P::P(int)',
    'FNDA:1,a,b:c',
    'FNL:0,4,8',
    'FNA:0,1,main',
    'MCDC:5,2,t,1,0,a&&b',
    'MRF:2',
    '# a comment',
    '',
  ])('%j is skipped without a word', (line) => {
    expect(only(record(line, 'DA:1,1'))).toMatchObject({ coverage: [1], warnings: [] });
  });

  test('a byte order mark and Windows line ends', () => {
    expect(
      only(`\ufeffTN:\r\n${record('DA:1,1,abc', 'DA:2,0', 'BRDA:1,0,0,1').replaceAll('\n', '\r\n')}`),
    ).toMatchObject({
      name: 'a.c',
      coverage: [1, 0],
      branches: [1, 0, 0, 1],
      warnings: [],
    });
  });

  test('no newline at the end of the file', () => {
    expect(only('SF:größe.c\nDA:1,1\nend_of_record')).toMatchObject({ name: 'größe.c', coverage: [1] });
  });

  test('unknown text gives one warning, and the lines count', () => {
    const { coverage, warnings } = only(record('FN:1,operator', 'new line in a name', 'and more', 'DA:1,1'));
    expect(coverage).toEqual([1]);
    expect(warnings).toEqual(['lcov.info: skipped 2 lines that no LCOV record begins with, the first is line 3']);
  });
});

describe('of each writer', () => {
  test('lcov 2: functions by index, MC/DC and exception arms beside plain ones', () => {
    const { coverage, branches, warnings } = only(
      'TN:\nSF:a.c\nFNL:0,1,9\nFNA:0,2,f(int, char)\nFNF:1\nFNH:1\nBRDA:3,0,0,2\nBRDA:3,0,1,0\nBRDA:4,e1,0,-\n' +
        'BRF:3\nBRH:1\nMCDC:3,2,t,1,0,a, b\nMCDC:3,2,f,0,0,a\nMCF:2\nDA:1,2\nDA:3,2\nLF:2\nLH:2\nend_of_record\n',
    );
    expect({ coverage, warnings }).toEqual({ coverage: [2, null, 2], warnings: [] });
    expect(branches).toEqual([3, 0, 0, 2, 3, 0, 1, 0, 4, branchKey('e1'), 0, 0]);
  });

  test('perl2lcov: the expression is the arm, and the same one twice is one arm', () => {
    const arms = [
      'BRDA:2,0,$a, $b || die "x,y",1',
      'BRDA:2,0,! ($a, $b || die "x,y"),-',
      'BRDA:2,0,$a, $b || die "x,y",2',
    ];
    const { branches, warnings } = only(record(...arms, 'DA:2,3'));
    expect(warnings).toEqual([]);
    expect(branches?.filter((_, at) => at % 4 === 3).sort()).toEqual([0, 3]);
  });

  test('llvm-cov: arms of several instances of one function are one by their key', () => {
    const instance = ['BRDA:5,0,0,1', 'BRDA:5,0,1,0'];
    expect(only(record('FN:5,a', 'FN:5,b', 'DA:5,2', ...instance, ...instance, 'BRF:2', 'BRH:1')).branches).toEqual([
      5, 0, 0, 2, 5, 0, 1, 0,
    ]);
  });

  test('excoveralls: records without a test name, names that begin with a slash', () => {
    expect(only('SF:/lib/a.ex\nDA:2,1\nDA:3,0\nLF:2\nLH:1\nend_of_record\n')).toMatchObject({
      name: '/lib/a.ex',
      coverage: [null, 1, 0],
    });
  });

  test('tarpaulin: functions behind the name, lines in any order', () => {
    expect(
      only('TN:\nSF:/r/src/a.rs\nFN:1,a::b\nFNF:1\nFNDA:2,a::b\nDA:4,1\nDA:1,2\nLF:2\nLH:2\nend_of_record\n').coverage,
    ).toEqual([2, null, null, 1]);
  });

  test('lcov -a of several: each test name has its own record, and none counts twice', () => {
    const { files } = parse(
      ['one', 'two', 'three'].map((name) => `TN:${name}\n${record('DA:1,1', 'BRDA:1,0,0,1')}`).join(''),
    );
    expect(files.map((file) => [file.countLines().all, file.countBranches().all, file.coverage()])).toEqual([
      [1, 1, [3]],
    ]);
  });
});

test('cut anywhere it is damage, or whole records', () => {
  const whole = record('DA:1,12', 'BRDA:1,0,0,-', 'BRDA:1,0,jump, to,3');
  for (let length = 4; length < whole.length - 1; length += 1)
    expect(() => parse(whole.slice(0, length)), whole.slice(0, length)).toThrow(/lcov\.info, line \d: expected/);
});

describe('damage is an error with the file, the line and what was expected', () => {
  test.each([
    ['hits missing', record('DA:1,1', 'DA:2'), 3, 'expected DA:<line>,<hits>, got "DA:2"'],
    ['hits empty', record('DA:1,'), 2, 'expected DA:<line>,<hits>'],
    ['hits are text', record('DA:1,many'), 2, 'expected DA:<line>,<hits>'],
    ['line is text', record('DA:x,1'), 2, 'expected DA:<line>,<hits>'],
    ['line negative', record('DA:-1,1'), 2, 'expected DA:<line>,<hits>'],
    ['line beyond any file', record('DA:99999999999,1'), 2, 'expected a line number up to'],
    ['branch beyond any file', record('BRDA:99999999,0,0,1'), 2, 'expected a line number up to'],
    ['branch without hits', record('BRDA:1,0,0'), 2, 'expected BRDA:<line>,<block>,<branch>,<hits or ->'],
    ['branch with text for hits', record('BRDA:1,0,0,x'), 2, 'expected BRDA:'],
    ['line before any file', 'TN:\nDA:1,1\n', 2, 'expected SF:<source file> before DA:'],
    ['branch before any file', 'TN:\nBRDA:1,0,0,1\n', 2, 'expected SF:<source file> before BRDA:'],
    ['end before any file', 'TN:\nend_of_record\n', 2, 'expected SF:<source file> before end_of_record'],
    ['file without a name', 'TN:\nSF:\n', 2, 'expected the name of a source file'],
    [
      'a record inside another',
      'SF:a.c\nDA:1,1\nSF:b.c\n',
      3,
      'expected end_of_record before the next SF:, for the record that begins at line 1',
    ],
    [
      'cut off',
      'TN:\nSF:a.c\nDA:1,1\n',
      3,
      'expected end_of_record for the record that begins at line 2, but the file ends',
    ],
  ])('%s', (_, text, line, expected) => {
    expect(() => parse(text)).toThrow(`lcov.info, line ${line}: ${expected}`);
  });
});

describe('recognized by content', () => {
  test.each(['TN:\nSF:a', 'SF:a.c\n', '# lcov 2\nTN:x', '\n\nSF:a'])('%j is', (head) =>
    expect(lcov.matches(head)).toBe(true),
  );
  test.each(['', 'hello', '<coverage>', '{"a":1}', 'mode: set\nSF:', 'x\nSF:a'])('%j is not', (head) =>
    expect(lcov.matches(head)).toBe(false),
  );
});

test('what is written comes back, whatever the layout', () => {
  const count = fc.oneof(fc.nat(20), fc.nat(2 ** 31), fc.maxSafeNat());
  const file = fc.record({
    name: fc.stringMatching(/^[a-zé/ ]*[a-zé]$/),
    lines: fc.uniqueArray(fc.tuple(fc.integer({ min: 1, max: 400 }), count), {
      selector: ([line]) => line,
      maxLength: 30,
    }),
    branches: fc.array(fc.tuple(fc.integer({ min: 1, max: 400 }), fc.nat(3), fc.nat(3)), { maxLength: 10 }),
  });
  const files = fc.uniqueArray(file, { selector: ({ name }) => name.trim(), maxLength: 5 });
  fc.assert(
    fc.property(files, fc.constantFrom('\n', '\r\n'), fc.boolean(), (written, newline, checksums) => {
      const text = written.map(({ name, lines, branches }) =>
        [
          `SF:${name}`,
          ...lines.map(([line, hits]) => `DA:${line},${hits}${checksums ? ',abc' : ''}`),
          ...branches.map(([line, block, branch]) => `BRDA:${line},${block},${branch},1`),
          `end_of_record${newline}`,
        ].join(newline),
      );
      const read = parse(text.join('')).files.map((file) => ({
        name: file.name,
        coverage: file.coverage(),
        branches: file.branches(),
      }));
      expect(read).toEqual(
        written.map(({ name, lines, branches }) => ({
          name: name.trim(),
          coverage: dense(lines),
          branches: groups(branches),
        })),
      );
    }),
  );
});

function dense(lines: [number, number][]): (number | null)[] {
  const byLine = new Map(lines);
  return Array.from({ length: Math.max(0, ...byLine.keys()) }, (_, index) => byLine.get(index + 1) ?? null);
}

function groups(branches: [number, number, number][]): number[] {
  const byKey = new Map<string, number[]>();
  for (const key of branches) byKey.set(key.join(), [...key, (byKey.get(key.join())?.[3] ?? 0) + 1]);
  const inOrder = (a: number[], b: number[]): number =>
    a.map((part, index) => part - (b[index] ?? 0)).find((order) => order !== 0) ?? 0;
  return [...byKey.values()].sort(inOrder).flat();
}
