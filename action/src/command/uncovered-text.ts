import { counted } from '../messages/counted.ts';
import { type Paint, safeText } from './shell/terminal-text.ts';
import type { UncoveredFile, UncoveredRange } from './uncovered-lines.ts';

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
