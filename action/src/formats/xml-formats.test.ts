import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { listFixtureReports, readFixtureReport } from '../../../test/support/fixture-reports.ts';
import { someOf } from '../../../test/support/property-runs.ts';
import { reportInMemory } from '../../../test/support/report-in-memory.ts';
import { XML_SAMPLES } from '../../../test/support/xml-samples.ts';
import { ActionFailure } from '../runner/failure.ts';
import type { CoverageFormat, ParsedReport } from './coverage-format.ts';
import { formatNamed, recognize } from './formats.ts';

const shown = ({ files, ...rest }: ParsedReport) => ({
  ...rest,
  files: files.map((file) => ({ name: file.name, coverage: file.coverage(), branches: file.branches() })),
});

const reports = await Promise.all((await listFixtureReports()).map(readFixtureReport));

test.each(
  reports.filter(({ expected }) => Object.hasOwn(XML_SAMPLES, expected.format)).map((report) => [report.name, report]),
)('%s holds what its tool counted', (_, { text, expected }) => {
  const found = recognize(text.slice(0, 1 << 16));
  expect(found.format?.name).toBe(expected.format);
  const parsed = found.format?.parse(reportInMemory(expected.report, text));
  const sum = { lines: { covered: 0, relevant: 0 }, branches: { covered: 0, total: 0 } };
  for (const file of parsed?.files ?? []) {
    const [lines, branches] = [file.countLines(), file.countBranches()];
    sum.lines.covered += lines.covered;
    sum.lines.relevant += lines.all;
    sum.branches.covered += branches.covered;
    sum.branches.total += branches.all;
  }
  const { lines, branches } = expected.reportHolds ?? expected;
  expect(sum).toEqual({ lines, branches });
  expect(parsed?.warnings).toEqual([]);
});

describe.each(Object.entries(XML_SAMPLES))('%s', (name, [start, piece, end]) => {
  const text = start + piece.repeat(3) + end;
  const read = (content: string | Uint8Array, atOnce?: number) =>
    shown((formatNamed(name) as CoverageFormat).parse(reportInMemory('r.xml', content, atOnce)));

  test('a name of JavaScript itself is a name like any other', () => {
    expect(recognize(text).format?.name).toBe(name);
    expect(read(text)).toMatchObject({
      files: [{ coverage: [null, null, null, null, null, null, expect.any(Number)] }],
    });
    expect(read(text).files[0]?.name).toMatch(/__proto__$/);
  });

  test('cut anywhere, it is damaged', () => {
    for (const length of someOf(Array.from({ length: text.length }, (_, length) => length)))
      expect(() => read(text.slice(0, length))).toThrow(ActionFailure);
  });

  test('entities are never opened, neither bombs nor files', () => {
    const lines = Array.from({ length: 12 }, (_, n) => `<!ENTITY e${n + 1} "${`&e${n};`.repeat(10)}">`).join('');
    const declared = `<!DOCTYPE a [<!ENTITY e0 "laugh"><!ENTITY file SYSTEM "file:///etc/passwd">${lines}]>`;
    for (const entity of ['&e12;', '&file;']) {
      const hostile = declared + text.replaceAll('__proto__', entity);
      expect(recognize(hostile).format?.name).toBe(name);
      const names = read(hostile).files.map((file) => file.name);
      expect(names).toEqual([expect.stringContaining(entity)]);
    }
  });

  test('it reads the same wherever it is cut into blocks', () => {
    const whole = read(text);
    fc.assert(
      fc.property(fc.integer({ min: 1, max: text.length }), (chunk) => {
        expect(read(text, chunk)).toEqual(whole);
      }),
    );
  });

  test('any byte may be another one: it is read, or damaged', () => {
    const bytes = new TextEncoder().encode(text);
    fc.assert(
      fc.property(fc.nat(bytes.length - 1), fc.nat(255), (at, byte) => {
        const changed = bytes.slice();
        changed[at] = byte;
        try {
          read(changed);
        } catch (error) {
          expect(error).toBeInstanceOf(ActionFailure);
        }
      }),
    );
  });
});
