import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { fixtures, listFixtureReports, readFixtureReport } from '../../../test/support/fixture-reports.ts';
import { reportInMemory } from '../../../test/support/report-in-memory.ts';
import { ActionFailure } from '../runner/failure.ts';
import type { FileHits } from './file-hits.ts';
import { formatNamed, recognize } from './formats.ts';
import { readHead } from './report-bytes.ts';

/** For each format that a real tool wrote here the first report. */
const reports = new Map<string, Buffer>();
for (const name of await listFixtureReports()) {
  const { expected } = await readFixtureReport(name);
  const bytes = readFileSync(join(fixtures, 'reports', name, expected.report));
  if (!reports.has(expected.format)) reports.set(expected.format, bytes);
}

const shown = (file: FileHits) => [file.name, file.coverage(), file.branches()] as const;

describe.each([...reports])('%s', (format, bytes) => {
  const isPacked = bytes[0] === 0x1f;
  const read = (content: Uint8Array) => formatNamed(format)?.parse(reportInMemory('r', content)).files.map(shown);
  const readOrRefused = (content: Uint8Array) => {
    try {
      return read(content);
    } catch (error) {
      expect(error).toBeInstanceOf(ActionFailure);
      return undefined;
    }
  };

  test.skipIf(isPacked)('a byte order mark changes nothing', () => {
    const marked = Buffer.concat([Buffer.from('\ufeff'), bytes]);
    expect(recognize(readHead(reportInMemory('r', marked))).format?.name).toBe(format);
    expect(read(marked)).toEqual(read(bytes));
  });

  test('UTF-16 is refused, with what to do', () => {
    const wide = Buffer.from(`\ufeff${bytes.toString()}`, 'utf16le');
    expect(recognize(readHead(reportInMemory('r', wide)))).toEqual({
      format: undefined,
      reason: 'it is UTF-16 text; write it as UTF-8',
    });
    expect(readOrRefused(wide) ?? []).toEqual([]);
  });

  test('a file that is given in short pieces reads the same', () => {
    const whole = reportInMemory('r', bytes);
    const slow = {
      ...whole,
      read: (target: Uint8Array, at: number, length: number, from: number) =>
        whole.read(target, at, Math.min(length, 301), from),
    };
    expect(recognize(readHead(slow)).format?.name).toBe(recognize(readHead(whole)).format?.name);
    expect(formatNamed(format)?.parse(slow).files.map(shown)).toEqual(read(bytes));
  });

  test('names in Latin-1 are read, or refused', () => {
    const latin = Buffer.from(bytes.toString('latin1').replaceAll(/(?<=[a-z])[aeiou](?=[a-z]*\.)/g, '\xe9'), 'latin1');
    readOrRefused(latin);
  });

  test('cut at any of a hundred places it is refused, or read as no more than the whole', () => {
    const whole = read(bytes)?.length ?? 0;
    for (let part = 0; part < 100; part += 1) {
      const files = readOrRefused(bytes.subarray(0, Math.floor((bytes.length * part) / 100)));
      expect(files?.length ?? 0).toBeLessThanOrEqual(whole);
    }
  });
});
