import type { Report } from '../../server/src/core/coverage/file-coverage.ts';
import {
  type PackedReport,
  packBranchColumns,
  packHitsColumn,
  unpackColumns,
} from '../../server/src/reports/codec/packed-file.ts';

/** A report as reading a job leaves it. */
export function packReport({ files }: Report): PackedReport {
  return {
    files: files.map(({ hits, branches, ...texts }) => ({
      ...texts,
      hits: packHitsColumn(hits),
      branches: packBranchColumns(branches),
    })),
  };
}

export function unpackReport({ files }: PackedReport): Report {
  return { files: files.map(unpackColumns) };
}

/** Every byte and every count of it, without the pages in which they lie. */
export function describePacked({ files }: PackedReport): unknown {
  return files.map(({ hits, branches, ...texts }) => ({
    ...texts,
    hits: { ...hits, ...partsOf(hits, hits.runs) },
    branches: { ...branches, ...partsOf(branches, branches.keys) },
  }));
}

function partsOf(part: { bytes: Uint8Array; at: number; values: number; large: number }, first: number) {
  const bytes = part.bytes.subarray(part.at, part.at + first + part.values + part.large);
  return { at: 0, bytes: Buffer.from(bytes).toString('hex') };
}
