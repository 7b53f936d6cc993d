import { gzipSync } from 'node:zlib';
import { reportTotals } from '../server/src/domain/coverage/totals.ts';
import { buildReport } from '../server/src/ingest/build-report.ts';
import { parseJob, parseSlowly } from '../server/src/ingest/parse-job.ts';
import { encodeWithTotals } from '../server/src/report-codec/encode-report.ts';
import { generateJob, type JobShape, SHAPES } from './generate-job.ts';
import type { BenchResult, Goal } from './goals.ts';
import { compare, medianOf } from './measure.ts';

const LIMIT = 2 ** 28;

/** From the bytes of a job to its checked columns, against JSON.parse of the same bytes, which checks nothing. */
export function benchIngest(): BenchResult[] {
  return [SHAPES.S, SHAPES.M, SHAPES.L].map(benchShape);
}

function benchShape(shape: JobShape): BenchResult {
  const body = Buffer.from(JSON.stringify(generateJob(shape)));
  const timings = compare([
    { name: 'JSON.parse', run: () => JSON.parse(body.toString()) },
    { name: 'scan, checked', run: () => parseJob(body, LIMIT) },
    { name: 'scan, columns and totals', run: () => reportTotals(buildReport(parseJob(body, LIMIT).job).report) },
    {
      name: 'scan, columns, totals, encoded for the store',
      run: () => encodeWithTotals(buildReport(parseJob(body, LIMIT).job).report),
    },
    { name: 'slow way, columns and totals', run: () => reportTotals(buildReport(parseSlowly(body, LIMIT).job).report) },
  ]);
  const parse = medianOf(timings, 'JSON.parse');
  const ratio = (name: string, goal: number): Goal => ({
    what: `${name} / JSON.parse`,
    measured: medianOf(timings, name) / parse,
    wanted: 'below',
    goal,
    unit: 'x',
  });
  const small = shape.name === 'S';
  return {
    title:
      `ingest ${shape.name}: ${shape.files} files, ${(body.length / 1e6).toFixed(2)} MB of JSON, ` +
      `${(gzipSync(body).length / 1e6).toFixed(2)} MB gzipped`,
    timings,
    goals: [
      ratio('scan, checked', small ? 1.3 : 1),
      ratio('scan, columns and totals', small ? 1.3 : 1),
      ratio('scan, columns, totals, encoded for the store', 2.6),
      ratio('slow way, columns and totals', small ? 3 : 1.8),
    ],
    notes: [],
  };
}
