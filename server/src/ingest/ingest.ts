import type { CoverageTotals } from '../domain/coverage/totals.ts';

/** A request body as it came off the wire, bounded already. */
export interface UploadBody {
  readonly bytes: Uint8Array;
  /** The Content-Type header, `''` without one. */
  readonly contentType: string;
  /** The Content-Encoding header, `''` without one. */
  readonly contentEncoding: string;
}

/** A job, checked: its envelope as JSON values, its source files encoded. */
export interface IngestedJob {
  /** The top-level keys that the service knows, but for source_files: plain JSON values, not yet checked. */
  readonly envelope: Readonly<Record<string, unknown>>;
  readonly report: Uint8Array;
  readonly totals: CoverageTotals;
  readonly files: number;
  /** Files that came without `source`. */
  readonly filesWithoutSource: number;
  /** Hex SHA-256 over names, digests, sources and columns: equal contents, equal digest. */
  readonly contentDigest: string;
  readonly sources: readonly { readonly digest: string; readonly bytes: Uint8Array }[];
  readonly warnings: readonly string[];
}
