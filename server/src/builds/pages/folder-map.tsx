import type { VNode } from 'preact';
import type { TreeRow } from '../../core/coverage/file-tree.ts';
import { ratioToNumber, showPercent, totalPercent } from '../../core/coverage/percent.ts';
import { printable } from '../../core/printable.ts';
import { grouped } from '../../platform/web/page-parts.tsx';

interface Column {
  readonly name: string;
  readonly label: string;
  readonly href: string;
  /** In percent of the picture. */
  readonly left: number;
  readonly width: number;
  readonly covered: number;
}

/** Narrower columns have no room for a name. */
const NAMED = 8;
/** For the picture's width; less is a line that nobody can point at. */
const NARROWEST = 0.4;

/**
 * How large the folders are and how well covered: width is lines and height is percent, so that the area above is what
 * is missed. The table below it says the same, so no key stops here. Nothing for fewer than two.
 */
export function FolderMap(props: {
  readonly rows: readonly TreeRow[];
  readonly link: (row: TreeRow) => string;
}): VNode | null {
  const columns = columnsOf(props.rows, props.link);
  if (columns.length < 2) return null;
  return (
    <svg class="folders" role="group" aria-label="By size and coverage, as in the table below">
      <defs>
        <pattern id="hatch" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
          <path class="hatching" d="M0 0V6" />
        </pattern>
      </defs>
      {columns.map(({ name, label, href, left, width, covered }) => (
        <a href={href} aria-label={name} tabIndex={-1}>
          <title>{name}</title>
          <rect class="missed" fill="url(#hatch)" x={`${left}%`} y="0" width={`${width}%`} height="100%" />
          <rect class="covered" x={`${left}%`} y={`${100 - covered}%`} width={`${width}%`} height={`${covered}%`} />
          {width >= NAMED && (
            <text x={`${left}%`} y="100%" dx="6" dy="-8">
              {label}
            </text>
          )}
        </a>
      ))}
    </svg>
  );
}

function columnsOf(rows: readonly TreeRow[], link: (row: TreeRow) => string): readonly Column[] {
  const top = rows.filter(({ depth, totals }) => depth === 0 && totals.relevantLines > 0);
  const all = top.reduce((sum, { totals }) => sum + totals.relevantLines, 0);
  let left = 0;
  return top.map((row) => {
    const { label, totals } = row;
    const percent = totalPercent(totals);
    const share = (100 * totals.relevantLines) / all;
    const column = {
      name: `${printable(label, 100)}: ${showPercent(percent)} of ${grouped(totals.relevantLines)} lines`,
      label: printable(label, Math.max(4, Math.floor(share / 1.2))),
      href: link(row),
      left: rounded(left),
      width: rounded(Math.max(NARROWEST, share)),
      covered: percent === undefined ? 0 : rounded(ratioToNumber(percent)),
    };
    left += share;
    return column;
  });
}

function rounded(value: number): number {
  return Math.round(value * 100) / 100;
}
