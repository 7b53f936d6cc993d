import { gzipSync } from 'node:zlib';
import { addTotals, type CoverageTotals, NO_TOTALS } from '../server/src/core/coverage/totals.ts';
import { encodePacked } from '../server/src/reports/codec/encode-report.ts';
import { packedFileTotals } from '../server/src/reports/codec/packed-file.ts';
import { buildReport } from '../server/src/reports/ingest/build-report.ts';
import { parseJob, parseSlowly, type ReadJob } from '../server/src/reports/ingest/parse-job.ts';
import { generateJob, type JobShape, SHAPES } from './generate-job.ts';
import type { BenchResult, Goal } from './goals.ts';
import { compare, medianOf, processorTime } from './measure.ts';

const LIMIT = 2 ** 28;

/** From the bytes of a job to its checked columns, against JSON.parse of the same bytes, which checks nothing. */
export function benchIngest(): BenchResult[] {
  return [SHAPES.S, SHAPES.M, SHAPES.L].map(benchShape);
}

/** For columns that are packed as they are read: none is made in another form. */
function totalsOf({ job }: ReadJob): CoverageTotals {
  return buildReport(job).report.files.reduce((sum, file) => addTotals(sum, packedFileTotals(file)), NO_TOTALS);
}

function benchShape(shape: JobShape): BenchResult {
  const body = Buffer.from(JSON.stringify(generateJob(shape)));
  const candidates = [
    { name: 'JSON.parse', run: () => JSON.parse(body.toString()) },
    { name: 'scan, checked', run: () => parseJob(body, LIMIT) },
    { name: 'scan, columns and totals', run: () => totalsOf(parseJob(body, LIMIT)) },
    {
      name: 'scan, columns, totals, encoded for the store',
      run: () => encodePacked(buildReport(parseJob(body, LIMIT).job).report),
    },
    { name: 'slow way, columns and totals', run: () => totalsOf(parseSlowly(body, LIMIT)) },
  ];
  const small = shape.name === 'S';
  const timings = compare(candidates, { rounds: 25, warmup: 6, repeat: small ? 20 : 1, now: processorTime });
  const parse = medianOf(timings, 'JSON.parse');
  const ratio = (name: string, goal: number): Goal => ({
    what: `${name} / JSON.parse`,
    measured: medianOf(timings, name) / parse,
    wanted: 'below',
    goal,
    unit: 'x',
  });
  return {
    title:
      `ingest ${shape.name}: ${shape.files} files, ${(body.length / 1e6).toFixed(2)} MB of JSON, ` +
      `${(gzipSync(body).length / 1e6).toFixed(2)} MB gzipped`,
    timings,
    goals: [
      ratio('scan, columns and totals', small ? 1.2 : 0.8),
      ratio('scan, columns, totals, encoded for the store', small ? 1.2 : 1.4),
      ratio('slow way, columns and totals', 1.8),
    ],
    notes: [],
  };
}
