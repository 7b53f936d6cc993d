import type { Column } from '../../core/coverage/column.ts';
import type { BranchColumns, FileCoverage } from '../../core/coverage/file-coverage.ts';
import type { CoverageTotals } from '../../core/coverage/totals.ts';
import { packBranches, unpackBranches } from './branch-columns.ts';
import type { ByteWriter } from './byte-writer.ts';
import {
  createStreams,
  readStream,
  STREAM_NAMES,
  type StreamName,
  type StreamReaders,
  type StreamWriters,
} from './chunk-streams.ts';
import { packHits, unpackHits } from './hits-column.ts';
import { PartPages } from './part-pages.ts';

/** Where the parts of the streams begin: they stand one behind the other. */
interface PackedParts {
  readonly bytes: Uint8Array;
  readonly at: number;
  readonly values: number;
  readonly large: number;
}

/** The hits of a file as its streams have them: `runs`, `values` and `large`, with the bytes of each. */
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

/** For one column after the other: four buffers of each took a third of the time of packing. */
const scratch = createStreams(4_096);
const MAX_SCRATCH_BYTES = 2 ** 20;

export function packHitsColumn(hits: Column, pages?: PartPages): PackedHits {
  return packWith(hits.length, (streams) => {
    const { relevantLines: relevant, coveredLines: covered } = packHits(hits, streams);
    const { runs, values, large } = streams;
    const lengths = { runs: runs.length, values: values.length, large: large.length };
    return { ...join([runs, values, large], pages), ...lengths, lines: hits.length, relevant, covered };
  });
}

export function packBranchColumns(branches: BranchColumns, pages?: PartPages): PackedBranches {
  return packWith(branches.hits.length, (streams) => {
    const covered = packBranches(branches, streams);
    const { keys, values, large } = streams;
    const lengths = { keys: keys.length, values: values.length, large: large.length };
    return { ...join([keys, values, large], pages), ...lengths, covered };
  });
}

/** A long column gets streams of its own, so that no thread keeps their buffers. */
function packWith<T>(length: number, pack: (streams: StreamWriters) => T): T {
  if (length > MAX_SCRATCH_BYTES) return pack(createStreams(length));
  for (const name of STREAM_NAMES) scratch[name].clear();
  return pack(scratch);
}

/** One behind the other: in `pages`, or in a buffer of their own. */
function join(streams: readonly ByteWriter[], pages = new PartPages(0)): Pick<PackedParts, 'bytes' | 'at'> {
  pages.reserve(streams.reduce((all, { length }) => all + length, 0));
  const { page: bytes, at } = pages;
  let to = at;
  for (const stream of streams) {
    bytes.set(stream.view(), to);
    to += stream.length;
  }
  return { bytes, at };
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
