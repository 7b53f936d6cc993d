import type { Links } from '../domain/announce/links.ts';
import type { BuildResult, FlagResult } from '../domain/builds/build.ts';
import { changeOf, showChange, showPercent, totalPercent } from '../domain/coverage/percent.ts';
import type { CoverageTotals } from '../domain/coverage/totals.ts';
import { describeCause } from './change-words.ts';
import { isoDay } from './iso-day.ts';
import { encodePath, link, prose } from './markdown.ts';
import { counted } from './phrases.ts';

const MAX_RANGE_LINKS = 8;

/** `coverage | change` of a flag or file. */
export function numberCells(row: {
  readonly totals: CoverageTotals | undefined;
  readonly baseTotals: CoverageTotals | undefined;
}): string {
  const change = changeOf(row.totals, row.baseTotals);
  return `${row.totals ? showPercent(totalPercent(row.totals)) : '—'} | ${change ? showChange(change) : '—'}`;
}

/** `78 of 100 lines and 5 of 8 branches` */
export function countsText(totals: CoverageTotals): string {
  const ofLines = `${totals.coveredLines} of ${counted(totals.relevantLines, 'line')}`;
  if (totals.branches === 0) return ofLines;
  return `${ofLines} and ${totals.coveredBranches} of ${counted(totals.branches, 'branch', 'branches')}`;
}

/** Where ranges of lines are linked to. */
interface RangePlace {
  /** Whose text was measured: at another the same numbers are other lines. */
  readonly commit: string | undefined;
  readonly file: string;
  readonly links: Links;
  /** The page that shows what is left out. */
  readonly page: string;
}

/** The first of some ranges, each a link at the provider, and how many more there are. */
export function rangeLinks(
  ranges: { readonly uncovered: BuildResult['fileChanges'][number]['uncovered']; readonly uncoveredRanges: number },
  { commit, file, links, page }: RangePlace,
): string {
  const shown = ranges.uncovered.slice(0, MAX_RANGE_LINKS).map(([first, last]) => {
    const text = first === last ? `${first}` : `${first}–${last}`;
    if (commit === undefined || links.lines === undefined) return text;
    return link(text, links.lines({ commit, file: encodePath(file), first, last }));
  });
  const more = ranges.uncoveredRanges - shown.length;
  return shown.join(', ') + (more > 0 ? `${shown.length > 0 ? ', ' : ''}${link(`${more} more`, page)}` : '');
}

/** What is to be said of a flag beside its numbers. */
export function flagNote(flag: FlagResult): string {
  if (flag.carried) {
    return `carried from build ${prose(flag.carried.number, 60)} of ${isoDay(flag.carried.closedAt)}`;
  }
  if (flag.kind === 'missing')
    return flag.verdict.state === 'incomplete'
      ? '⚠️ did not report'
      : `not reported; last in build ${prose(flag.lastSeen?.number ?? '', 60)}`;
  return failureNote(flag);
}

/** That it fails, by what cause, and what would pass; the page has whole sentences. */
function failureNote({ verdict, cause }: FlagResult): string {
  const { state, rule, informational } = verdict;
  if (state !== 'failure') return '';
  const why =
    rule === 'no-coverage-arrived' ? 'no coverage arrived' : rule === 'minimum' ? 'below its minimum' : 'decreased';
  const { clause, remedy } = cause === undefined ? {} : describeCause(cause);
  const more = [clause, remedy].filter((words) => words !== undefined).map((words) => prose(words, 100));
  return [informational === true ? `ℹ️ ${why}, informational` : `❌ ${why}`, ...more].join('; ');
}
