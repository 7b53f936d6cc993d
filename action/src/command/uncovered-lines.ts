import type { JobDiff } from '@coverage/shared';
import type { FileHits } from '../formats/file-hits.ts';
import type { Checkout } from '../report/checkout.ts';
import { counted } from '../runner/words.ts';
import { type Paint, safeText } from './shell/terminal-text.ts';
import { linesOfCheckout, uncoveredOf } from './show-lines.ts';

/** A run of lines without hits, with their text where the file is there. */
export interface UncoveredRange {
  /** From 1, both included. */
  readonly first: number;
  readonly last: number;
  /** How many of them have no hits; others of the run are not relevant. */
  readonly lines: number;
  /** One for each line; undefined if the text is not here. */
  readonly text: readonly string[] | undefined;
}

/** What still needs a test in one file. */
export interface UncoveredFile {
  readonly name: string;
  readonly ranges: readonly UncoveredRange[];
  /** Lines that were reached, with a branch that was not. */
  readonly branches: readonly UncoveredRange[];
}

/** Among these files; where a change is given, only of the lines that it put in. Files without any are left out. */
export function findUncovered(
  files: readonly FileHits[],
  checkout: Checkout,
  change?: JobDiff,
): readonly UncoveredFile[] {
  const changed = change && new Map(change.files.map((file) => [file.name, newLines(file)]));
  const linesOf = linesOfCheckout(checkout);
  return files.flatMap((file) => {
    const counts = changed === undefined ? everyLine : changed.get(file.name);
    if (counts === undefined) return [];
    const { lines, partial } = uncoveredOf(file);
    const missed = lines.filter(counts);
    const half = partial.map(({ line }) => line).filter(counts);
    if (missed.length + half.length === 0) return [];
    const text = linesOf(file.name);
    return [
      {
        name: file.name,
        ranges: runsOf(missed, file.coverage()).map((run) => withText(run, text)),
        branches: half.map((line) => withText({ first: line, last: line, lines: 1 }, text)),
      },
    ];
  });
}

const everyLine = (): boolean => true;

type Counts = (line: number) => boolean;

function newLines({ kind, hunks }: JobDiff['files'][number]): Counts | undefined {
  if (kind === 'added') return everyLine;
  if (kind === 'removed' || hunks === null) return undefined;
  return (line) => hunks.some(([, , start, lines]) => line >= start && line < start + lines);
}

type Run = Omit<UncoveredRange, 'text'>;

/** Lines between two that are not relevant do not break a run. */
function runsOf(missed: readonly number[], coverage: readonly (number | null)[]): readonly Run[] {
  const runs: Run[] = [];
  for (const line of missed) {
    const before = runs.at(-1);
    const isNext = before !== undefined && coverage.slice(before.last, line - 1).every((hits) => hits === null);
    if (isNext) runs[runs.length - 1] = { ...before, last: line, lines: before.lines + 1 };
    else runs.push({ first: line, last: line, lines: 1 });
  }
  return runs;
}

function withText(run: Run, text: readonly string[] | undefined): UncoveredRange {
  return { ...run, text: text?.slice(run.first - 1, run.last) };
}

/** Each file with its lines and their text, then how many there are. */
export function uncoveredText(files: readonly UncoveredFile[], paint: Paint): string {
  const blocks = files.map((file) => {
    const rows = [
      ...file.ranges.flatMap((range) => rowsOf(range, paint.bad('-'))),
      ...file.branches.flatMap((range) => rowsOf(range, paint.middling('~'))),
    ].sort((one, other) => one.line - other.line);
    const width = String(rows.at(-1)?.line ?? 0).length;
    const lines = rows.map(({ line, mark, text }) => `${mark} ${paint.faint(String(line).padStart(width))}  ${text}`);
    return [paint.bold(safeText(file.name)), ...lines.map((line) => `  ${line.trimEnd()}`)].join('\n');
  });
  return `${[...blocks, summaryOf(countUncovered(files))].join('\n\n')}\n`;
}

interface Row {
  readonly line: number;
  readonly mark: string;
  readonly text: string;
}

function rowsOf({ first, last, text }: UncoveredRange, mark: string): readonly Row[] {
  return Array.from({ length: last - first + 1 }, (_, at) => ({
    line: first + at,
    mark,
    text: safeText((text?.[at] ?? '').replaceAll('\t', '  ')),
  }));
}

export function countUncovered(files: readonly UncoveredFile[]) {
  const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0);
  return {
    files: files.length,
    lines: sum(files.flatMap((file) => file.ranges.map(({ lines }) => lines))),
    branches: sum(files.map((file) => file.branches.length)),
  };
}

function summaryOf({ lines, branches, files }: Readonly<Record<'lines' | 'branches' | 'files', number>>): string {
  const ofBranches = branches === 0 ? '' : ` and ${counted(branches, 'line')} with a branch`;
  return `${counted(lines, 'line')}${ofBranches} without a test in ${counted(files, 'file')}.`;
}
