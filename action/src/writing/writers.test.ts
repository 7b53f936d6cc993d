import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { reportInMemory } from '../../../test/support/report-in-memory.ts';
import { cobertura } from '../formats/cobertura.ts';
import type { CoverageFormat } from '../formats/coverage-format.ts';
import { coverallsJson } from '../formats/coveralls-json.ts';
import { FileHits } from '../formats/file-hits.ts';
import { lcov } from '../formats/lcov.ts';
import { coberturaWriter, coverallsWriter, lcovWriter, type ReportWriter } from './writers.ts';

const noWarning = (line: string): never => {
  throw new Error(line);
};
const written = (writer: ReportWriter, files: readonly FileHits[], warn: (line: string) => void = noWarning): string =>
  [...writer.write(files, { now: 1_900_000_000_000, warn })].join('');
const readBack = (format: CoverageFormat, text: string): readonly FileHits[] =>
  format.parse(reportInMemory('report', text)).files;
const stated = (files: readonly FileHits[]) =>
  files.map((file) => ({ name: file.name, coverage: file.coverage(), branches: file.branches() }));

const hits = fc.oneof(fc.nat(3), fc.maxSafeNat());
const name = fc
  .array(fc.constantFrom('a', 'Ü', '&', '<', '"', "'", ' x', '/', '…', '💛', '%', '\\', ':'), {
    minLength: 1,
    maxLength: 8,
  })
  .map((parts) => `f${parts.join('')}.ts`);
const fileOf = (branchLines: 'any' | 'relevant') =>
  fc
    .record({
      name,
      lines: fc.array(fc.option(hits, { freq: 3 }), { minLength: 1, maxLength: 30 }),
      branches: fc.array(fc.tuple(fc.nat(40), fc.nat(5), fc.nat(2_000_000_000), hits), { maxLength: 12 }),
    })
    .map(({ name, lines, branches }) => {
      const file = new FileHits(name);
      lines.forEach((count, index) => {
        if (count !== null) file.addLine(index + 1, count);
      });
      for (const [line, block, branch, taken] of branches)
        if (branchLines === 'any' || (lines[line] ?? null) !== null) file.addBranch(line + 1, block, branch, taken);
      return file;
    });
const filesOf = (branchLines: 'any' | 'relevant') =>
  fc.uniqueArray(fileOf(branchLines), { selector: (file) => file.name, maxLength: 4 });

test.each([
  [lcovWriter, lcov],
  [coverallsWriter, coverallsJson],
] as const)('what $name holds is read back as it was', (writer, format) => {
  fc.assert(
    fc.property(filesOf('any'), (files) => {
      fc.pre(files.length > 0);
      expect(stated(readBack(format, written(writer, files)))).toEqual(stated(files));
    }),
  );
});

describe('cobertura', () => {
  test('every line is read back as it was, and of each line how many branches were taken', () => {
    fc.assert(
      fc.property(filesOf('relevant'), (files) => {
        const back = readBack(cobertura, written(coberturaWriter, files));
        const byName = new Map(back.map((file) => [file.name, file]));
        for (const file of files) {
          const same = byName.get(file.name);
          expect(same?.coverage()).toEqual(file.coverage());
          expect(armsByLine(same)).toEqual(armsByLine(file));
        }
        expect(back).toHaveLength(files.length);
      }),
    );
  });

  test('what was read of it is written again as it was', () => {
    fc.assert(
      fc.property(filesOf('any'), (files) => {
        const once = readBack(
          cobertura,
          written(coberturaWriter, files, () => undefined),
        );
        expect(stated(readBack(cobertura, written(coberturaWriter, once)))).toEqual(stated(once));
      }),
    );
  });

  test('branches on a line without hits count on the line before, and the total stays', () => {
    const file = new FileHits('a.ts');
    file.addLine(2, 1);
    file.addBranch(4, 0, 0, 1);
    file.addBranch(4, 0, 1, 0);
    const [back] = readBack(cobertura, written(coberturaWriter, [file]));
    expect(back?.countBranches()).toEqual({ covered: 1, all: 2 });
    expect(back?.branches()).toEqual([2, 0, 0, 1, 2, 0, 1, 0]);
  });

  test('what XML cannot hold is replaced, and what it can is not', () => {
    const text = written(coberturaWriter, [covered('a\u0000\ud800<b>\n.ts')]);
    expect(text).toContain('filename="a\ufffd\ufffd&lt;b&gt;&#10;.ts"');
  });
});

test('a name with a line break is refused in LCOV, where it would be a record of its own', () => {
  expect(() => written(lcovWriter, [covered('a\nend_of_record')])).toThrow(/line break cannot be written in LCOV/);
});

test('LCOV of nothing, one line and branches that were never reached', () => {
  const file = covered('src/a.ts');
  file.addLine(2, 0);
  file.addBranch(2, 0, 0, 0);
  file.addBranch(2, 0, 1, 0);
  expect(written(lcovWriter, [])).toBe('');
  expect(written(lcovWriter, [file]).split('\n')).toEqual([
    'TN:',
    'SF:src/a.ts',
    'DA:1,1',
    'DA:2,0',
    'BRDA:2,0,0,-',
    'BRDA:2,0,1,-',
    'BRF:2',
    'BRH:0',
    'LF:2',
    'LH:1',
    'end_of_record',
    '',
  ]);
});

function covered(name: string): FileHits {
  const file = new FileHits(name);
  file.addLine(1, 1);
  return file;
}

function armsByLine(file: FileHits | undefined): Record<number, string> {
  const groups = file?.branches() ?? [];
  const arms = new Map<number, { taken: number; all: number }>();
  for (let at = 0; at < groups.length; at += 4) {
    const line = groups[at] as number;
    const { taken, all } = arms.get(line) ?? { taken: 0, all: 0 };
    arms.set(line, { taken: taken + ((groups[at + 3] as number) > 0 ? 1 : 0), all: all + 1 });
  }
  return Object.fromEntries([...arms].map(([line, { taken, all }]) => [line, `${taken}/${all}`]));
}
