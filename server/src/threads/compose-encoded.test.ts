import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyComparison } from '../../../test/support/diffs.ts';
import { numRuns } from '../../../test/support/property-runs.ts';
import { aFile, aReport } from '../../../test/support/records.ts';
import { composeReport } from '../domain/builds/build-report.ts';
import type { Report } from '../domain/coverage/file-coverage.ts';
import { addTotals, type CoverageTotals, NO_TOTALS } from '../domain/coverage/totals.ts';
import { encodeReport } from '../report-codec/encode-report.ts';
import { splitEncoded } from './compose-encoded.ts';

const sum = (...parts: readonly CoverageTotals[]): CoverageTotals => parts.reduce(addTotals, NO_TOTALS);

/** The flag's counts, as the close of a build with these jobs finds them. */
function countsOf(reports: readonly Report[]): CoverageTotals {
  const jobs = reports.map((report) => ({ flag: 'ui', report }));
  return composeReport({ jobs, carried: [], base: undefined }).flags[0]?.totals ?? NO_TOTALS;
}

test('a flag of several jobs: the split is of the counts that both closes found, and adds up exactly', () => {
  fc.assert(
    fc.property(fc.array(anyComparison, { minLength: 1, maxLength: 4 }), (compared) => {
      const diff = compared[0]?.diff ?? { files: [], complete: true };
      const [before, after] = [compared.map(({ base }) => base), compared.map(({ head }) => head)];
      const [baseReports, reports] = [before.map(encodeReport), after.map(encodeReport)];
      const [found] = splitEncoded({ flags: [{ flag: 'ui', reports, baseReports }], diffs: { base: diff } });
      if (found === undefined) throw new Error('no split');
      const { base, head, removed, changed, outside, untouched, unexplained } = found.split;
      expect([base, head]).toEqual([countsOf(before), countsOf(after)]);
      expect(sum(removed, outside.before, untouched.before, unexplained.before)).toEqual(base);
      expect(sum(changed, outside.after, untouched.after, unexplained.after)).toEqual(head);
    }),
    { numRuns: numRuns(200) },
  );
});

test('flags are answered in the order asked for, each by its own reports', () => {
  const [one, two] = [encodeReport(aReport(aFile('a.ts', [0]))), encodeReport(aReport(aFile('a.ts', [1])))];
  const flags = [
    { flag: 'b', reports: [two], baseReports: [one] },
    { flag: 'a', reports: [one], baseReports: [two] },
  ];
  const splits = splitEncoded({ flags, diffs: { base: { files: [], complete: true } } });
  expect(splits.map(({ flag, split }) => [flag, split.untouched.gainedLines, split.untouched.lostLines])).toEqual([
    ['b', 1, 0],
    ['a', 0, 1],
  ]);
});
