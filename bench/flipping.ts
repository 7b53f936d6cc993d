import type { Report } from '../server/src/core/coverage/file-coverage.ts';
import { beginLedger, extendLedger, type FlipLedger } from '../server/src/core/flipping/flip-ledger.ts';
import { packLedger, unpackLedger } from '../server/src/core/flipping/packed-ledger.ts';
import { decodeReport } from '../server/src/reports/codec/decode-report.ts';
import { encodeReport } from '../server/src/reports/codec/encode-report.ts';
import { unpackColumns } from '../server/src/reports/codec/packed-file.ts';
import { buildReport } from '../server/src/reports/ingest/build-report.ts';
import { parseJob } from '../server/src/reports/ingest/parse-job.ts';
import { composeEncoded } from '../server/src/reports/threads/compose-encoded.ts';
import { generateJob, SHAPES } from './generate-job.ts';
import type { BenchResult } from './goals.ts';
import { compare, medianOf, processorTime } from './measure.ts';

const JOBS = 10;
const BUILDS = 64;
/** Every so many files have a line that flips; of 1,000 files. */
const EVERY = 5;

/** What lines that flip add to a close: the ledger is read, followed, compared, and written again. */
export function benchFlipping(): BenchResult[] {
  const reports = Array.from({ length: JOBS }, (_, index) => encodedJob(index + 1));
  const jobs = reports.map((report) => ({ flag: undefined, report }));
  const { report: base } = composeEncoded({ jobs, carried: [], base: undefined });
  const ledger = growLedger(decodeReport(base));
  const stored = JSON.stringify(packLedger(ledger));
  const composition = { jobs, carried: [], base, diffs: { base: { files: [], complete: true } } };
  const next = { ...buildAt(BUILDS), jobs: JOBS };
  const timings = compare(
    [
      { name: 'close without a ledger', run: () => composeEncoded(composition) },
      {
        name: 'close with one',
        run: () => {
          const flips = { ledger: unpackLedger(JSON.parse(stored)), newer: 0, now: BUILDS, next };
          const { nextLedger } = composeEncoded({ ...composition, flips });
          return nextLedger && JSON.stringify(packLedger(nextLedger));
        },
      },
    ],
    { rounds: 25, warmup: 6, now: processorTime },
  );
  const records = [...ledger.files.values()].reduce((sum, some) => sum + some.length, 0);
  return [
    {
      title: `flipping: ${JOBS} x M and their base, ${records} records of ${BUILDS} builds`,
      timings,
      goals: [
        {
          what: 'close with a ledger / without one',
          measured: medianOf(timings, 'close with one') / medianOf(timings, 'close without a ledger'),
          wanted: 'below',
          goal: 1.05,
          unit: 'x',
        },
      ],
      notes: [`the ledger is ${Math.ceil(stored.length / 1_024)} KiB as it is stored`],
    },
  ];
}

function encodedJob(seed: number) {
  const body = Buffer.from(JSON.stringify(generateJob(SHAPES.M, seed)));
  return encodeReport({ files: buildReport(parseJob(body, 2 ** 28).job).report.files.map(unpackColumns) });
}

function buildAt(at: number) {
  return { id: at + 1, number: `${at}`, commit: `c${at}`, at, jobs: 1, flags: [] };
}

/** A line of some files is missed in every third build. */
function growLedger(report: Report): FlipLedger {
  const missed = missSome(report);
  let ledger = beginLedger(buildAt(0));
  for (let at = 1; at < BUILDS; at += 1)
    ledger = extendLedger(ledger, {
      build: buildAt(at),
      before: (at - 1) % 3 === 1 ? missed : report,
      report: at % 3 === 1 ? missed : report,
      diff: { files: [], complete: true },
    });
  return ledger;
}

function missSome({ files }: Report): Report {
  return {
    files: files.map((file, index) => {
      const line = index % EVERY === 0 ? file.hits.findIndex((hits) => hits > 0) : -1;
      return line < 0 ? file : { ...file, hits: file.hits.with(line, 0) };
    }),
  };
}
