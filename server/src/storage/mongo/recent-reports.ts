import type { ReportBytes } from '../../reports/report-bytes.ts';

/**
 * Merged reports that were read a moment ago, by the ids under which they are stored: other bytes get another id. A
 * reader asks the build for the id first, so a report that was replaced or removed is not found.
 */
export interface RecentReports {
  /** A copy, which the caller can free. */
  find(id: string): ReportBytes | undefined;
  keep(id: string, report: ReportBytes): void;
  forget(id: string): void;
}

/** Bytes of one report, and of all (docs/performance.md "Memory"). */
const MAX_REPORT = 2 * 2 ** 20;
const MAX_ALL = 8 * 2 ** 20;
/** In ms. A reader goes from page to page; what another server removed does not stay in memory for longer. */
const KEPT = 60_000;

interface Kept {
  readonly bytes: Uint8Array;
  readonly timer: NodeJS.Timeout;
}

export function createRecentReports(): RecentReports {
  const kept = new Map<string, Kept>();
  let size = 0;
  const forget = (id: string): void => {
    const found = kept.get(id);
    if (found === undefined) return;
    clearTimeout(found.timer);
    kept.delete(id);
    size -= found.bytes.byteLength;
  };
  return {
    find: (id) => kept.get(id)?.bytes.slice(),
    keep(id, report) {
      if (report.byteLength > MAX_REPORT) return;
      forget(id);
      for (const [oldest] of kept) {
        if (size + report.byteLength <= MAX_ALL) break;
        forget(oldest);
      }
      const bytes = report.slice();
      kept.set(id, { bytes, timer: setTimeout(() => forget(id), KEPT).unref() });
      size += bytes.byteLength;
    },
    forget,
  };
}
