import type { VNode } from 'preact';
import {
  changeOf,
  type Ratio,
  ratioToNumber,
  showChange,
  showPercent,
  totalPercent,
} from '../../../core/coverage/percent.ts';
import type { CoverageTotals } from '../../../core/coverage/totals.ts';
import { judgedChange } from '../../../core/verdict/reason.ts';
import type { FlagVerdict } from '../../../core/verdict/verdict.ts';
import { Cell } from '../../../platform/web/list-table.tsx';
import { countOf } from '../../../platform/web/page-parts.tsx';

/** `15 of 29 lines, 8 of 13 branches`; what there is none of is left out. */
export function counts({ coveredLines, relevantLines, coveredBranches, branches }: CoverageTotals, what = ''): string {
  const ofLines =
    relevantLines === 0 ? [] : [`${countOf(coveredLines, relevantLines)} ${what}line${relevantLines === 1 ? '' : 's'}`];
  const ofBranches =
    branches === 0 ? [] : [`${countOf(coveredBranches, branches)} branch${branches === 1 ? '' : 'es'}`];
  return [...ofLines, ...ofBranches].join(', ');
}

interface Compared {
  readonly totals: CoverageTotals | undefined;
  readonly baseTotals: CoverageTotals | undefined;
}

/** `79.26%`, or a dash. */
export function percentText(totals: CoverageTotals | undefined): string {
  const percent = totals && totalPercent(totals);
  return percent === undefined ? '—' : showPercent(percent);
}

/** For a column that is headed `Change, points`. `fresh`: there was nothing before. */
export function ChangeCell(
  props: Compared & { readonly verdict?: FlagVerdict | undefined; readonly fresh?: boolean },
): VNode {
  const { totals, baseTotals, verdict, fresh = false } = props;
  const change = verdict === undefined ? changeOf(totals, baseTotals) : judgedChange({ totals, baseTotals, verdict });
  if (change === undefined || change.numerator === 0n)
    return (
      <Cell class="num">
        <span class="quiet">{change !== undefined ? 'unchanged' : fresh ? 'new' : '—'}</span>
      </Cell>
    );
  return (
    <Cell class="num" label="change">
      <span class={directionOf(change)}>{showChange(change, true)}</span>
    </Cell>
  );
}

/** The style of a change. */
export function directionOf({ numerator }: Ratio): string {
  return numerator === 0n ? '' : numerator > 0n ? 'up' : 'down';
}

/** A bar that is as long as the percentage, with the base as a tick. */
export function Meter({ totals, baseTotals }: Compared): VNode | null {
  const percent = totals && totalPercent(totals);
  if (percent === undefined) return null;
  const before = baseTotals && totalPercent(baseTotals);
  return (
    <div class="meter">
      <svg class="bar" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">
        <rect width={widthOf(percent)} height="8" />
        {before !== undefined && <rect class="base" x={Math.min(widthOf(before), 99.5)} width=".5" height="8" />}
      </svg>
    </div>
  );
}

function widthOf(percent: Ratio): number {
  return Math.floor(ratioToNumber(percent) * 100) / 100;
}
