import type { SentRules } from '../../core/builds/sent-rules.ts';
import type { CoverageTotals } from '../../core/coverage/totals.ts';
import type { SentDiff } from '../../core/diff/sent-diff.ts';

/** A request body as it came off the wire, bounded already. */
export interface UploadBody {
  readonly bytes: Uint8Array;
  /** The Content-Type header, `''` without one. */
  readonly contentType: string;
  /** The Content-Encoding header, `''` without one. */
  readonly contentEncoding: string;
}

/** Where an upload waits among those that need a thread. */
export interface UploadQueueKey {
  /** Whether its token is known here. Others come last, and large ones have their own queue. */
  readonly known: boolean;
  /** Turns go round between shares: the repo of a known caller, the address of an unknown one. */
  readonly share: string;
  /** Milliseconds since all of it arrived. */
  readonly spent?: number;
}

/** How much one upload may unpack to. */
export interface IngestLimits {
  /** Bytes of the decoded job (MAX_REPORT_BYTES). */
  readonly reportBytes: number;
  /**
   * Bytes of a job that the fast path does not understand: only such a job becomes a string, which V8 limits to 512
   * MiB, and objects of up to 22 times their size. At most 256 MiB.
   */
  readonly unusualBytes: number;
}

export const DEFAULT_INGEST_LIMITS: IngestLimits = { reportBytes: 256 * 2 ** 20, unusualBytes: 16 * 2 ** 20 };

/** A repo's own file as an upload includes it, with its text as stored. */
export interface BroughtRules extends SentRules {
  readonly bytes: Uint8Array;
}

/** A job, checked: its envelope as JSON values, its source files encoded. */
export interface IngestedJob {
  /**
   * The top-level keys that the service knows, except for source_files: plain JSON values, not yet checked. Objects and
   * arrays are emptied, except for `git` (`head` and `branch` are kept) and `environment` (`commit_sha` is kept).
   */
  readonly envelope: Readonly<Record<string, unknown>>;
  readonly report: Uint8Array;
  readonly totals: CoverageTotals;
  readonly files: number;
  /** Files that came without `source`. */
  readonly filesWithoutSource: number;
  /** Hex SHA-256 over names, digests, sources and columns: equal contents, equal digest. */
  readonly contentDigest: string;
  /** What it says changed; its text is among the sources. */
  readonly diff: SentDiff | undefined;
  /** The repo's own file, null: it says that there is none; undefined: it says nothing usable. */
  readonly rules: BroughtRules | null | undefined;
  /**
   * Distinct source texts: hex SHA-256 of the UTF-8 text, and the text compressed with zstd; and the diff's text under
   * its own digest.
   */
  readonly sources: readonly { readonly digest: string; readonly bytes: Uint8Array }[];
  readonly warnings: readonly string[];
  /** What is wrong with the keys of its source files, for the person who set up its client. */
  readonly keyWarnings: readonly string[];
}
