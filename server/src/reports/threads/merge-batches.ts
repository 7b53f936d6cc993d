import { measureReport } from '../codec/measure-report.ts';
import type { ReportBytes } from '../report-bytes.ts';

/** Reports that are open at a time. */
const MAX_OPEN = 8;
/** Bytes that their open parts may take together: a report of few, very long files is open as a whole. */
const OPEN_BYTES = 32 * 2 ** 20;

/** Reports that are merged in one go, and their places. */
interface MergeBatch {
  readonly places: readonly number[];
  readonly reports: readonly ReportBytes[];
}

/** Reports in groups that can be open at a time, whatever they hold; in the order given. */
export function batchesOf(places: Iterable<number>, reportAt: (place: number) => ReportBytes): readonly MergeBatch[] {
  const batches: { readonly places: number[]; readonly reports: ReportBytes[] }[] = [];
  let open = 0;
  for (const place of places) {
    const report = reportAt(place);
    const { openBytes } = measureReport(report);
    open += openBytes;
    const batch = batches.at(-1);
    if (batch === undefined || batch.places.length === MAX_OPEN || open > OPEN_BYTES) {
      batches.push({ places: [place], reports: [report] });
      open = openBytes;
    } else {
      batch.places.push(place);
      batch.reports.push(report);
    }
  }
  return batches;
}
