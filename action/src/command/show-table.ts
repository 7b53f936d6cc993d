import type { Counts, FileHits } from '../formats/file-hits.ts';
import { TABLE } from '../messages/command/show.ts';
import { percentText } from '../percent-text.ts';
import { type Paint, shownText } from './terminal-text.ts';

/** One row per file and their total: files, lines, branches, and the coverage of both (rules.md, rule 2). */
export function fileTable(files: readonly FileHits[], paint: Paint): string {
  const rows = files.map((file) => rowOf(shownText(file.name), file.countLines(), file.countBranches()));
  const total = rowOf(TABLE.total, sumOf(rows.map((row) => row.lines)), sumOf(rows.map((row) => row.branches)));
  const heads = [TABLE.file, TABLE.lines, TABLE.branches, TABLE.percent] as const;
  const all = [...rows, total];
  const widths = heads.map((head, column) =>
    Math.max(head.length, ...all.map((row) => row.texts[column]?.length ?? 0)),
  );
  const line = (texts: readonly string[]): string =>
    texts
      .map((text, column) =>
        column === 0 ? text.padEnd(widths[0] as number) : text.padStart(widths[column] as number),
      )
      .join('  ');
  const painted = all.map((row) => paintShare(line(row.texts), row.share, paint));
  return `${[paint.bold(line(heads)), ...painted.slice(0, -1), paint.bold(painted.at(-1) as string)].join('\n')}\n`;
}

interface Row {
  readonly texts: readonly [name: string, lines: string, branches: string, percent: string];
  readonly lines: Counts;
  readonly branches: Counts;
  /** 0 to 1; null where nothing is relevant. */
  readonly share: number | null;
}

function rowOf(name: string, lines: Counts, branches: Counts): Row {
  const share = shareOf(lines, branches);
  const texts = [
    name,
    countText(lines),
    countText(branches),
    share === null ? TABLE.none : `${percentText(share * 100)}%`,
  ] as const;
  return { texts, lines, branches, share };
}

/** Rule 2: lines and branches together. */
function shareOf(lines: Counts, branches: Counts): number | null {
  const all = lines.all + branches.all;
  return all === 0 ? null : (lines.covered + branches.covered) / all;
}

function countText({ covered, all }: Counts): string {
  return all === 0 ? TABLE.none : `${covered}/${all}`;
}

function paintShare(text: string, share: number | null, paint: Paint): string {
  if (share === null) return paint.faint(text);
  if (share >= 0.9) return paint.good(text);
  return share >= 0.6 ? paint.middling(text) : paint.bad(text);
}

function sumOf(counts: readonly Counts[]): Counts {
  return counts.reduce((sum, one) => ({ covered: sum.covered + one.covered, all: sum.all + one.all }), {
    covered: 0,
    all: 0,
  });
}
