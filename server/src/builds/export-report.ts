import { Failure, quoteValue } from '../core/failure.ts';
import type { Caller } from '../core/repo/caller.ts';
import type { WritingPlace, WrittenFormat } from '../reports/report-reader.ts';
import type { Services } from '../services/services.ts';
import { findReadableBuild } from './find-readable.ts';

/** A build's merged report in a format of others. */
export interface ExportedReport {
  /** Bytes that it takes as it is stored: held until it is written. */
  readonly size: number;
  /** UTF-8; each is written when it is asked for. */
  readonly parts: AsyncGenerator<Uint8Array>;
}

/** Throws the Failures of findReadableBuild, and `not-found` for a build without a report. */
export async function exportReport(
  services: Pick<Services, 'builds' | 'resolveAccess' | 'reader' | 'repos' | 'views'>,
  wanted: { readonly caller: Caller; readonly reference: string; readonly format: WrittenFormat },
): Promise<ExportedReport> {
  const { builds, reader } = services;
  const { format, ...asked } = wanted;
  const { id, number, result } = (await findReadableBuild(services, asked)).build;
  const stored = await builds.report(id);
  if (result === undefined || stored === undefined)
    throw new Failure(
      'not-found',
      `Build ${quoteValue(number).slice(1, -1)} has no report: ` +
        `${result === undefined ? 'it has not been closed yet' : 'its jobs could not be merged'}.`,
    );
  // Each part would copy it to the thread otherwise.
  const report = new Uint8Array(new SharedArrayBuffer(stored.length));
  report.set(stored);
  const write = async function* () {
    let from: WritingPlace | undefined;
    do {
      const { text, next } = await reader.writePart({ report, format, closedAt: result.closedAt, from });
      yield text;
      from = next;
    } while (from !== undefined);
  };
  return { size: report.length, parts: write() };
}
