import type { Counts, FileHits } from '../formats/file-hits.ts';
import type { Checkout } from '../report/checkout.ts';
import { createSourceReader } from '../report/source-reader.ts';
import { branchesByLine } from '../writing/writers.ts';
import { type Paint, safeText } from './shell/terminal-text.ts';
import { fileRow, rowPercent } from './show-table.ts';

const NOTHING_UNCOVERED = 'Every relevant line is covered.';

const TEXT_UNKNOWN = 'the text of this file is not here';

/** What of a file still needs a test. Lines count from 1. */
export interface Uncovered {
  readonly file: FileHits;
  readonly lines: readonly number[];
  /** Lines that were reached, but not all ways out of them. */
  readonly partial: readonly ({ readonly line: number } & Counts)[];
}

/** Lines of source text by file; undefined if the text is not at hand. */
export type LinesOf = (name: string) => readonly string[] | undefined;

export function uncoveredOf(file: FileHits): Uncovered {
  const coverage = file.coverage();
  const lines = coverage.flatMap((hits, index) => (hits === 0 ? [index + 1] : []));
  const missed = new Set(lines);
  const partial = [...branchesByLine(file)].flatMap(([line, branches]) => {
    const covered = branches.filter(([, , hits]) => hits > 0).length;
    return missed.has(line) || covered === branches.length ? [] : [{ line, covered, all: branches.length }];
  });
  return { file, lines, partial };
}

/** The texts of the checkout; of what cannot be read nothing. */
export function linesOfCheckout(checkout: Checkout): LinesOf {
  const reader = createSourceReader(checkout);
  return (name) => reader.read(name)?.toString('utf8').split(/\r?\n/);
}

/** Every line that needs a test, file by file, with its text. */
export function* uncoveredText(files: readonly FileHits[], linesOf: LinesOf, paint: Paint): Generator<string> {
  let isEmpty = true;
  for (const file of files) {
    const uncovered = uncoveredOf(file);
    if (uncovered.lines.length + uncovered.partial.length === 0) continue;
    yield `${isEmpty ? '' : '\n'}${textOf(uncovered, linesOf(file.name), paint)}`;
    isEmpty = false;
  }
  if (isEmpty) yield `${NOTHING_UNCOVERED}\n`;
}

function textOf({ file, lines, partial }: Uncovered, texts: readonly string[] | undefined, paint: Paint): string {
  const notes = new Map(partial.map((one) => [one.line, `${one.covered} of ${one.all} branches taken`]));
  const shown = [...lines, ...notes.keys()].sort((a, b) => a - b);
  const width = String(shown.at(-1) ?? 0).length;
  const rows = shown.flatMap((line, index) => {
    const gap = index > 0 && line > (shown[index - 1] as number) + 1 ? [paint.faint(`  ${'·'.padStart(width)}`)] : [];
    const note = notes.get(line);
    const text = safeText((texts?.[line - 1] ?? '').replaceAll('\t', '    '));
    const row = `  ${String(line).padStart(width)} │ ${text}`.trimEnd();
    return [...gap, note === undefined ? paint.bad(row) : `${paint.middling(row)}  ${paint.faint(note)}`];
  });
  const unknown = texts === undefined ? [paint.faint(`  ${TEXT_UNKNOWN}`)] : [];
  return [`${paint.bold(safeText(file.name))}  ${rowPercent(fileRow(file))}`, ...unknown, ...rows, ''].join('\n');
}
