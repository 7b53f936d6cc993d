import { constants, gzipSync, zstdCompressSync } from 'node:zlib';
import type { Report } from '../server/src/core/coverage/file-coverage.ts';
import { decodeReport, listFiles, openReport } from '../server/src/reports/codec/decode-report.ts';
import { encodeReport } from '../server/src/reports/codec/encode-report.ts';
import { unpackColumns } from '../server/src/reports/codec/packed-file.ts';
import { buildReport } from '../server/src/reports/ingest/build-report.ts';
import { parseJob } from '../server/src/reports/ingest/parse-job.ts';
import { generateJob, SHAPES } from './generate-job.ts';
import type { BenchResult } from './goals.ts';
import { compare, medianOf, processorTime } from './measure.ts';

/** It takes a fortieth of the others: in one round with them the clock would hardly see it. */
const OPENING = { rounds: 15, warmup: 4, repeat: 40, now: processorTime };

/** The stored form of a large report, against JSON with zstd (size) and with gzip (time). */
export function benchStored(): BenchResult[] {
  return [benchReport(SHAPES.L.run, 0.75), benchReport(1.25, 1.2)];
}

function benchReport(run: number, bytesPerLine: number): BenchResult {
  const job = generateJob({ ...SHAPES.L, run });
  const json = Buffer.from(JSON.stringify(job));
  const report: Report = { files: buildReport(parseJob(json, 2 ** 28).job).report.files.map(unpackColumns) };
  const lines = report.files.reduce((all, file) => all + file.hits.length, 0);
  const bytes = encodeReport(report);
  const name = report.files[Math.floor(report.files.length / 2)]?.name ?? '';
  const zstd = zstdCompressSync(json, { params: { [constants.ZSTD_c_compressionLevel]: 3 } }).length;
  const timings = compare(
    [
      { name: 'JSON.stringify + gzip 6', run: () => gzipSync(JSON.stringify(job)) },
      { name: 'encode', run: () => encodeReport(report) },
      { name: 'decode', run: () => decodeReport(bytes) },
      { name: 'list all files with totals', run: () => listFiles(bytes) },
    ],
    { rounds: 15, warmup: 4, now: processorTime },
  );
  timings.push(...compare([{ name: 'open one file', run: () => openReport(bytes)(name) }], OPENING));
  const ratio = (a: string, b: string): number => medianOf(timings, a) / medianOf(timings, b);
  return {
    title: `stored form of L (${lines} lines, a run of equal lines has ${run} on average)`,
    timings,
    goals: [
      {
        what: 'stored bytes per source line',
        measured: bytes.length / lines,
        wanted: 'below',
        goal: bytesPerLine,
        unit: 'B',
      },
      {
        what: 'stored / JSON + zstd 3',
        measured: bytes.length / zstd,
        wanted: 'below',
        goal: run < 2 ? 0.71 : 0.42,
        unit: 'x',
      },
      {
        what: 'gzip 6 / encode',
        measured: ratio('JSON.stringify + gzip 6', 'encode'),
        wanted: 'above',
        goal: 5,
        unit: 'x',
      },
      {
        what: 'decode / open one file',
        measured: ratio('decode', 'open one file'),
        wanted: 'above',
        goal: 40,
        unit: 'x',
      },
    ],
    notes: [],
  };
}
