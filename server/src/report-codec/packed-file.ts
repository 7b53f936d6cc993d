import type { Column } from '../domain/coverage/column.ts';
import type { BranchColumns, FileCoverage } from '../domain/coverage/file-coverage.ts';
import type { CoverageTotals } from '../domain/coverage/totals.ts';
import { packBranches, unpackBranches } from './branch-columns.ts';
import { createStreams, readStream, type StreamName, type StreamReaders } from './chunk-streams.ts';
import { packHits, unpackHits } from './hits-column.ts';

/** Where the parts of the streams begin: they stand one behind the other. */
interface PackedParts {
  readonly bytes: Uint8Array;
  readonly at: number;
  readonly values: number;
  readonly large: number;
}

/** The hits of a file as its streams have them: `runs`, `values` and `large`, of so many bytes each. */
export interface PackedHits extends PackedParts {
  readonly runs: number;
  readonly lines: number;
  readonly relevant: number;
  readonly covered: number;
}

/** The branches of a file in the same way: `keys`, one byte for each, `values` and `large`. */
export interface PackedBranches extends PackedParts {
  readonly keys: number;
  readonly covered: number;
}

/** A file of a job that was read, ready for encode-report.ts: no column of it is ever made. */
export interface PackedFile extends Pick<FileCoverage, 'name' | 'digest' | 'source'> {
  readonly hits: PackedHits;
  readonly branches: PackedBranches;
}

/** In order of name, each once (rule 7). */
export interface PackedReport {
  readonly files: readonly PackedFile[];
}

const NOTHING = new Uint8Array(0);

export const NO_PACKED_HITS: PackedHits = {
  bytes: NOTHING,
  at: 0,
  runs: 0,
  values: 0,
  large: 0,
  lines: 0,
  relevant: 0,
  covered: 0,
};

export const NO_PACKED_BRANCHES: PackedBranches = { bytes: NOTHING, at: 0, keys: 0, values: 0, large: 0, covered: 0 };

export function packHitsColumn(hits: Column): PackedHits {
  const streams = createStreams(hits.length);
  const { relevantLines: relevant, coveredLines: covered } = packHits(hits, streams);
  const { runs, values, large } = streams;
  const bytes = Buffer.concat([runs.view(), values.view(), large.view()]);
  const lengths = { runs: runs.length, values: values.length, large: large.length };
  return { bytes, at: 0, ...lengths, lines: hits.length, relevant, covered };
}

export function packBranchColumns(branches: BranchColumns): PackedBranches {
  const streams = createStreams(branches.hits.length);
  const covered = packBranches(branches, streams);
  const { keys, values, large } = streams;
  const bytes = Buffer.concat([keys.view(), values.view(), large.view()]);
  return { bytes, at: 0, keys: keys.length, values: values.length, large: large.length, covered };
}

/** The columns of a packed file. */
export function unpackColumns({ name, digest, source, hits, branches }: PackedFile): FileCoverage {
  return {
    name,
    digest,
    source,
    hits: unpackHits(hits.lines, readersOf(hits, ['runs', 'values', 'large'])),
    branches: unpackBranches(branches.keys, readersOf(branches, ['keys', 'values', 'large'])),
  };
}

export function packedFileTotals({ hits, branches }: PackedFile): CoverageTotals {
  return {
    coveredLines: hits.covered,
    relevantLines: hits.relevant,
    coveredBranches: branches.covered,
    branches: branches.keys,
  };
}

function readersOf<T extends PackedParts & Partial<Record<StreamName, number>>>(
  part: T,
  names: readonly StreamName[],
): StreamReaders {
  let { at } = part;
  const readers = names.map((name) => {
    const start = at;
    at += part[name] ?? 0;
    return [name, readStream(name, part.bytes.subarray(start, at))] as const;
  });
  return Object.fromEntries(readers) as unknown as StreamReaders;
}
