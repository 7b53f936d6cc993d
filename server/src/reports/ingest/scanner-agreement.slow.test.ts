import { expect, it } from 'vitest';
import { describePacked } from '../../../../test/support/packed-reports.ts';
import { buildReport } from './build-report.ts';
import { scanJob } from './job-scanner.ts';
import { parseJob, parseSlowly } from './parse-job.ts';

it('the scanner agrees with JSON.parse on arrays many times longer than its buffer', () => {
  const file = { name: 'a', coverage: Array.from({ length: 300_000 }, (_, index) => (index % 3 === 0 ? null : index)) };
  const wide = { name: 'b', coverage: Array.from({ length: 5_000 }, () => 2 ** 40) };
  const bytes = Buffer.from(JSON.stringify({ source_files: [file, wide, file] }));
  expect(scanJob(bytes)).toBeDefined();
  const packed = [parseJob, parseSlowly].map((read) => describePacked(buildReport(read(bytes, 2 ** 24).job).report));
  expect(packed[0]).toEqual(packed[1]);
});
