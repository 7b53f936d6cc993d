/** An encoded report (reports/codec). */
export type ReportBytes = Uint8Array;

/**
 * Frees a report that is stored, where it has its buffer to itself; it is empty afterward. The collector would find
 * it later: 200 reports of a megabyte took 40 MiB more, and 4 pauses of the main thread.
 */
export function freeReport({ buffer, byteLength }: ReportBytes): void {
  if (buffer instanceof ArrayBuffer && byteLength > 0 && byteLength === buffer.byteLength) buffer.transfer(0);
}

/**
 * A source text, compressed with zstd, found by repo and hex SHA-256 of the plain text; or a diff that came with a job,
 * by its own digest.
 */
export interface StoredSource {
  readonly digest: string;
  readonly bytes: Uint8Array;
}
