import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyComparison } from '../../../../test/support/diffs.ts';
import { numRuns } from '../../../../test/support/property-runs.ts';
import { aFile, aReport } from '../../../../test/support/records.ts';
import { composeReport } from '../../core/builds/build-report.ts';
import type { Report } from '../../core/coverage/file-coverage.ts';
import { addTotals, type CoverageTotals, NO_TOTALS } from '../../core/coverage/totals.ts';
import { encodeReport } from '../codec/encode-report.ts';
import { composeEncoded, mergeEncoded, splitEncoded } from './compose-encoded.ts';

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

test('what was merged before changes nothing of what a close finds', () => {
  const anyReport = anyComparison.map(({ head }) => head);
  const anyJobs = fc.array(fc.record({ flag: fc.constantFrom(undefined, 'api', 'ui'), report: anyReport }), {
    maxLength: 14,
  });
  fc.assert(
    fc.property(anyJobs, anyComparison, fc.infiniteStream(fc.nat(2)), (jobs, { base, diff }, groups) => {
      const encoded = jobs.map(({ flag, report }) => ({ flag, report: encodeReport(report) }));
      const grouped = Map.groupBy(encoded, ({ flag }) => JSON.stringify([flag ?? null, groups.next().value]));
      const pieces = [...grouped.values()].map((same) => ({
        flag: same[0]?.flag,
        report: mergeEncoded(same.map(({ report }) => report)),
      }));
      const rest = { carried: [], base: encodeReport(base), diffs: { base: diff } };
      const { mergedJobs, ...composed } = composeEncoded({ jobs: encoded, ...rest });
      const { mergedJobs: _, ...again } = composeEncoded({ jobs: pieces.toReversed(), ...rest });
      expect(again).toEqual(composed);
      expect(Buffer.compare(again.report, composed.report)).toBe(0);
      for (const { places, report } of mergedJobs)
        expect(Buffer.compare(report, mergeEncoded(places.map((at) => encoded[at]?.report as Uint8Array)))).toBe(0);
    }),
    { numRuns: numRuns(60) },
  );
});
