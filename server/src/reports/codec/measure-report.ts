import type { ChunkEntry } from './chunk-streams.ts';
import { openContainer, type TableBound } from './container.ts';
import { allNames, findName } from './name-columns.ts';

/** What a report holds, by its table and directory alone: no column is made. */
export interface ReportSize {
  readonly files: number;
  readonly lines: number;
  readonly branches: number;
  /** Branches of the file that has the most. */
  readonly maxBranches: number;
  /** UTF-8 bytes of all names. */
  readonly nameBytes: number;
  /** Whether a number may need more than 31 bits, so that columns take twice the room. */
  readonly wide: boolean;
  /** Bytes of its table and of its largest chunk, while it is read file by file. */
  readonly openBytes: number;
}

/** The place of `large` among a chunk's streams: it holds every number from 255 on. */
const LARGE_STREAM = 3;

/** For each file, without its name: two digests and seven columns of numbers. */
const TABLE_BYTES = 80;

/** Throws a Failure of code internal for a damaged report, and for one that is beyond the bound. */
export function measureReport(bytes: Uint8Array, bound?: TableBound): ReportSize {
  const { table, chunks } = openContainer(bytes, bound);
  const { names, lines, branches } = table;
  const nameBytes = sum(names.shared) + sum(names.rest);
  return {
    files: table.count,
    lines: sum(lines),
    branches: sum(branches),
    maxBranches: branches.reduce((max, count) => Math.max(max, count), 0),
    nameBytes,
    wide: chunks.some(({ entry }) => (entry.plain[LARGE_STREAM] ?? 0) > 0),
    openBytes: TABLE_BYTES * table.count + nameBytes + Math.max(0, ...chunks.map(({ entry }) => plainBytes(entry))),
  };
}

/** Lines and branches of some of its files together; a file that it does not have counts nothing. */
export function measureSome(bytes: Uint8Array, names: readonly string[]): number {
  const { table } = openContainer(bytes);
  return names.reduce((all, name) => {
    const index = findName(table.names, name);
    return index < 0 ? all : all + (table.lines[index] as number) + (table.branches[index] as number);
  }, 0);
}

/** The length of each file's columns. */
export interface FileSize {
  readonly name: string;
  readonly lines: number;
  readonly branches: number;
}

/** measureReport file by file. */
export function* measureFiles(bytes: Uint8Array): Generator<FileSize> {
  const { table } = openContainer(bytes);
  const names = allNames(table.names);
  for (const [index, name] of names.entries())
    yield { name, lines: table.lines[index] as number, branches: table.branches[index] as number };
}

function plainBytes({ plain }: ChunkEntry): number {
  return plain.reduce((all, bytes) => all + bytes, 0);
}

function sum(values: Uint32Array): number {
  return values.reduce((all, value) => all + value, 0);
}
