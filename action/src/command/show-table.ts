import type { Counts, FileHits } from '../formats/file-hits.ts';
import { percentText } from '../step/outputs.ts';
import { type Paint, safeText } from './shell/terminal-text.ts';

export const TABLE = {
  file: 'File',
  lines: 'Lines',
  branches: 'Branches',
  percent: 'Coverage',
  total: 'Total',
  none: '—',
} as const;

/** One row: a file, a folder or the total. */
export interface CoverageRow {
  readonly name: string;
  readonly lines: Counts;
  readonly branches: Counts;
}

export type TableOrder = 'name' | 'coverage' | 'missed';

/** What a file comes to. */
export function fileRow(file: FileHits): CoverageRow {
  return { name: safeText(file.name), lines: file.countLines(), branches: file.countBranches() };
}

/** Several rows together, under another name. */
export function sumRows(name: string, rows: readonly CoverageRow[]): CoverageRow {
  return { name, lines: sumOf(rows.map(({ lines }) => lines)), branches: sumOf(rows.map(({ branches }) => branches)) };
}

/** 0 to 1 of lines and branches together (rules.md, rule 2); null if nothing is relevant. */
function shareOf({ lines, branches }: CoverageRow): number | null {
  const all = lines.all + branches.all;
  return all === 0 ? null : (lines.covered + branches.covered) / all;
}

export function rowPercent(row: CoverageRow): string {
  const { lines, branches } = row;
  const share = shareOf(row);
  // From whole numbers, since a share may be a hair below what it stands for.
  return share === null
    ? TABLE.none
    : `${percentText((100 * (lines.covered + branches.covered)) / (lines.all + branches.all))}%`;
}

/** One row per file and their total. */
export function fileTable(files: readonly FileHits[], order: TableOrder, paint: Paint): string {
  const rows = inOrder(files.map(fileRow), order);
  return rowTable(rows, sumRows(TABLE.total, rows), paint);
}

/** Rows under each other, the total below them. */
export function rowTable(rows: readonly CoverageRow[], total: CoverageRow, paint: Paint): string {
  const heads = [TABLE.file, TABLE.lines, TABLE.branches, TABLE.percent];
  const texts = [...rows, total].map((row) => [
    row.name,
    countText(row.lines),
    countText(row.branches),
    rowPercent(row),
  ]);
  const widths = heads.map((head, column) =>
    Math.max(...[head, ...texts.map((row) => row[column] ?? '')].map(widthOf)),
  );
  const line = (row: readonly string[]): string => row.map((text, column) => aligned(text, column, widths)).join('  ');
  const painted = texts.slice(0, -1).map((row, index) => paintShare(line(row), rows[index] as CoverageRow, paint));
  return `${[paint.bold(line(heads)), ...painted, paint.bold(line(texts.at(-1) ?? []))].join('\n')}\n`;
}

function paintShare(text: string, row: CoverageRow, paint: Paint): string {
  const share = shareOf(row);
  if (share === null) return paint.faint(text);
  if (share >= 0.9) return paint.good(text);
  return share >= 0.6 ? paint.middling(text) : paint.bad(text);
}

function inOrder(rows: readonly CoverageRow[], order: TableOrder): readonly CoverageRow[] {
  if (order === 'name') return rows;
  const missed = ({ lines, branches }: CoverageRow): number =>
    lines.all - lines.covered + branches.all - branches.covered;
  return rows.toSorted((a, b) => (order === 'missed' ? missed(b) - missed(a) : (shareOf(a) ?? 2) - (shareOf(b) ?? 2)));
}

function aligned(text: string, column: number, widths: readonly number[]): string {
  const gap = ' '.repeat(Math.max(0, (widths[column] ?? 0) - widthOf(text)));
  return column === 0 ? text + gap : gap + text;
}

/** In characters as a reader counts them; wide ones are taken for one column. */
function widthOf(text: string): number {
  return [...text].length;
}

function countText({ covered, all }: Counts): string {
  return all === 0 ? TABLE.none : `${covered}/${all}`;
}

function sumOf(counts: readonly Counts[]): Counts {
  return counts.reduce((sum, one) => ({ covered: sum.covered + one.covered, all: sum.all + one.all }), {
    covered: 0,
    all: 0,
  });
}
