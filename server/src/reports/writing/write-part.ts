import type { FileCoverage } from '../../core/coverage/file-coverage.ts';
import { listCounts, openReport } from '../codec/decode-report.ts';
import type { ReportReader, WritingPlace, WrittenFormat, WrittenPart } from '../report-reader.ts';
import { openCobertura } from './cobertura.ts';
import { openLcov } from './lcov.ts';
import type { OpenWriter, WrittenFile } from './report-writer.ts';

const WRITERS: Readonly<Record<WrittenFormat, OpenWriter>> = { lcov: openLcov, cobertura: openCobertura };
/** Characters of a part: it is held until its client has read it. */
const MIN_PART = 2 ** 20;
/** Each part reads the table of all files again, which must not be most of the work. */
const PART_PER_FILE = 16;
/** Rows that are written before the length is looked at again. */
const ROWS_AT_ONCE = 4_096;

/** ReportReader.writePart, on this thread. */
export function writeReportPart({ report, format, closedAt, from }: Asked): WrittenPart {
  // The bytes may be shared with the thread that asks, and not every reader takes those.
  const bytes = report.slice();
  const writer = WRITERS[format](listCounts(bytes), closedAt);
  const find = openReport(bytes);
  const max = Math.max(MIN_PART, PART_PER_FILE * writer.files.length);
  let text = from === undefined ? writer.begin : '';
  for (let { file, row }: WritingPlace = from ?? FIRST; file < writer.files.length; file += 1, row = 0) {
    if (text.length >= max) return partOf(text, { file, row });
    const { name } = writer.files[file] as WrittenFile;
    const rows = writer.rows(find(name) as FileCoverage);
    if (row === 0) text += writer.open(file);
    for (; row < rows.count; row += ROWS_AT_ONCE) {
      if (text.length >= max && row > 0) return partOf(text, { file, row });
      text += rows.write(row, Math.min(row + ROWS_AT_ONCE, rows.count));
    }
    text += writer.close(file);
  }
  return partOf(text + writer.end, undefined);
}

type Asked = Parameters<ReportReader['writePart']>[0];

const FIRST: WritingPlace = { file: 0, row: 0 };

function partOf(text: string, next: WritingPlace | undefined): WrittenPart {
  return { text: new TextEncoder().encode(text), next };
}
