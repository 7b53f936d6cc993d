import type { FilePart } from '../../reports/report-reader.ts';
import type { ExportedReport } from '../export-report.ts';

/** What some reader takes for the end of a line: it would begin a record that the name wrote. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these end lines
const LINE_BREAK = /[\n\v\f\r\u001c-\u001e\u0085\u2028\u2029]/g;

/** `GET /builds/<x>/lcov.info`: an LCOV tracefile (geninfo(1)), with branches; functions are in no report of ours. */
export async function* lcovText({ files, read }: ExportedReport): AsyncGenerator<Iterable<string>> {
  for await (const file of read(files)) yield recordOf(file);
}

function* recordOf({ name, hits, branches, totals }: FilePart): Generator<string> {
  yield `TN:\nSF:${name.toWellFormed().replace(LINE_BREAK, '\ufffd')}\n`;
  for (let index = 0; index < hits.length; index += 1)
    if ((hits[index] as number) >= 0) yield `DA:${index + 1},${hits[index]}\n`;
  yield* branchRecords({ hits, branches });
  if (totals.branches > 0) yield `BRF:${totals.branches}\nBRH:${totals.coveredBranches}\n`;
  yield `LF:${totals.relevantLines}\nLH:${totals.coveredLines}\nend_of_record\n`;
}

function* branchRecords({ hits, branches }: Pick<FilePart, 'hits' | 'branches'>): Generator<string> {
  const { line, block, branch } = branches;
  for (let start = 0; start < line.length; ) {
    const at = line[start] as number;
    let end = start;
    // "-" says that the decision was never reached.
    let isReached = (hits[at - 1] ?? 0) > 0;
    for (; line[end] === at; end += 1) isReached ||= (branches.hits[end] as number) > 0;
    for (; start < end; start += 1) {
      // No tool takes a line 0, which a report of another format may have; its key stays one of its own.
      const key = at === 0 ? `1,${block[start]},line 0 branch ` : `${at},${block[start]},`;
      yield `BRDA:${key}${branch[start]},${isReached ? branches.hits[start] : '-'}\n`;
    }
  }
}
