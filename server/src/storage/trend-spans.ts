import { queryScope } from './build-index.ts';
import type { TrendQuery } from './build-trends.ts';

/** A span of time of one series, for which one build stands. */
export interface TrendSpan {
  /** Place of its series in the query. */
  readonly series: number;
  readonly repoId: number;
  readonly scope: string;
  readonly flag?: string | undefined;
  readonly from: number;
  /** Excluded. */
  readonly to: number;
}

/** All spans of a query: series by series, each in order of time. */
export function listSpans({ series, bounds }: TrendQuery): readonly TrendSpan[] {
  return series.flatMap(({ repoId, branch, flag }, index) =>
    bounds.slice(1).map((to, place) => ({
      series: index,
      repoId,
      scope: queryScope({ branch }) as string,
      flag,
      from: bounds[place] as number,
      to,
    })),
  );
}
