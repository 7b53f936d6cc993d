import type { FileCoverage } from '../../core/coverage/file-coverage.ts';
import type { OpenWriter, Rows, WrittenFile } from './report-writer.ts';

/** What some reader takes for the end of a line: it would begin a record that the name wrote. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these end lines
const LINE_BREAK = /[\n\v\f\r\u001c-\u001e\u0085\u2028\u2029]/g;

/** An LCOV tracefile (geninfo(1)), with branches; functions are in no report of ours. */
export const openLcov: OpenWriter = (files) => {
  const at = (place: number): WrittenFile => files[place] as WrittenFile;
  return {
    files,
    begin: '',
    end: '',
    open: (place) => `TN:\nSF:${at(place).name.toWellFormed().replace(LINE_BREAK, '\ufffd')}\n`,
    close(place) {
      const { branches, coveredBranches, relevantLines, coveredLines } = at(place).totals;
      const ofBranches = branches > 0 ? `BRF:${branches}\nBRH:${coveredBranches}\n` : '';
      return `${ofBranches}LF:${relevantLines}\nLH:${coveredLines}\nend_of_record\n`;
    },
    rows: rowsOf,
  };
};

/** Its lines, then its branches. */
function rowsOf({ hits, branches }: FileCoverage): Rows {
  const lines = hits.length;
  return {
    count: lines + branches.line.length,
    write(from, to) {
      let text = '';
      for (let index = from; index < Math.min(to, lines); index += 1)
        if ((hits[index] as number) >= 0) text += `DA:${index + 1},${hits[index]}\n`;
      return text + writeBranches({ hits, branches }, Math.max(from - lines, 0), to - lines);
    },
  };
}

/** `to` may lie within the branches of a line, and `from` too. */
function writeBranches({ hits, branches }: Pick<FileCoverage, 'hits' | 'branches'>, from: number, to: number): string {
  const { line, block, branch } = branches;
  let text = '';
  for (let index = from; index < to; ) {
    const at = line[index] as number;
    const isReached = (hits[at - 1] ?? 0) > 0 || isTaken(branches, index);
    for (; index < to && line[index] === at; index += 1) {
      // No tool takes a line 0, which a report of another format may have; its key stays one of its own.
      const key = at === 0 ? `1,${block[index]},line 0 branch ` : `${at},${block[index]},`;
      // "-" says that the decision was never reached.
      text += `BRDA:${key}${branch[index]},${isReached ? branches.hits[index] : '-'}\n`;
    }
  }
  return text;
}

/** Whether any branch is, of the line that this one is of. */
function isTaken({ line, hits }: FileCoverage['branches'], index: number): boolean {
  const at = line[index];
  let first = index;
  while (line[first - 1] === at) first -= 1;
  for (let other = first; line[other] === at; other += 1) if ((hits[other] as number) > 0) return true;
  return false;
}
