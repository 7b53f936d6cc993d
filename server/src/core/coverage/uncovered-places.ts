import type { BranchColumns, FileCoverage } from './file-coverage.ts';

/** Neighboring lines that no test ran (`missed`), or of which some branch was not taken (`partly`). */
export interface UncoveredPlace {
  readonly kind: 'missed' | 'partly';
  readonly first: number;
  readonly last: number;
}

/**
 * The uncovered places of a file in order. Lines between two missed ones that are not relevant do not part them,
 * covered and partly covered lines do.
 */
export function* uncoveredPlaces({
  hits,
  branches,
}: Pick<FileCoverage, 'hits' | 'branches'>): Generator<UncoveredPlace> {
  const partly = linesWithMissedBranch(branches);
  let open: { kind: UncoveredPlace['kind']; first: number; last: number } | undefined;
  for (let line = 1; line <= hits.length; line += 1) {
    const value = hits[line - 1] as number;
    const kind = value === 0 ? 'missed' : partly.has(line) ? 'partly' : undefined;
    if (kind === undefined && value < 0 && open?.kind === 'missed') continue;
    if (kind !== undefined && open?.kind === kind && (kind === 'missed' || open.last === line - 1)) open.last = line;
    else {
      if (open !== undefined) yield open;
      open = kind && { kind, first: line, last: line };
    }
  }
  if (open !== undefined) yield open;
}

function linesWithMissedBranch({ line, hits }: BranchColumns): ReadonlySet<number> {
  const lines = new Set<number>();
  for (let index = 0; index < line.length; index += 1) if (hits[index] === 0) lines.add(line[index] as number);
  return lines;
}
