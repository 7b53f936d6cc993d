import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import type { Column } from '../../core/coverage/column.ts';
import type { FileSummary } from '../../reports/report-reader.ts';
import type { ListedFiles } from '../list-source-files.ts';
import { listPieces } from './json-pieces.ts';
import { percentJson } from './percentages.ts';

/** Lines that become JSON in one go; a longer file is written piece by piece, between other requests. */
const PIECE = 16_384;

/**
 * `GET /builds/<x>/source_files.json`, in pieces. The list is JSON within a text: that is how the tools that read it
 * expect it.
 */
export function* presentFileList({ page, pages, total, files }: ListedFiles): Generator<string> {
  yield `{"page":${page},"total_pages":${pages},"total":${total},"source_files":"[`;
  for (const piece of listPieces(files.map(presentFile))) yield JSON.stringify(piece).slice(1, -1);
  yield ']"}';
}

function presentFile({ name, lines, totals }: FileSummary): object {
  return {
    name,
    covered_percent: percentJson(totals),
    line_count: lines,
    relevant_line_count: totals.relevantLines,
    covered_line_count: totals.coveredLines,
    missed_line_count: totals.relevantLines - totals.coveredLines,
    branch_count: totals.branches,
    covered_branch_count: totals.coveredBranches,
    missed_branch_count: totals.branches - totals.coveredBranches,
  };
}

/** `GET /builds/<x>/source.json`: hits per line, null if a line is not relevant, as JSON text or a stream of it. */
export function presentHits(hits: Column): string | Readable {
  return hits.length <= PIECE ? [...hitsJson(hits)].join('') : Readable.from(inTurns(hitsJson(hits)));
}

/** A client that reads as fast as pieces are made would otherwise have all of them before others are answered. */
async function* inTurns(pieces: Iterable<string>): AsyncGenerator<string> {
  for (const piece of pieces) {
    yield piece;
    await setImmediate();
  }
}

function* hitsJson(hits: Column): Generator<string> {
  yield '[';
  for (let start = 0; start < hits.length; start += PIECE) {
    const piece = Array.from(hits.subarray(start, start + PIECE), (count) => (count < 0 ? 'null' : String(count))).join(
      ',',
    );
    yield start === 0 ? piece : `,${piece}`;
  }
  yield ']';
}
