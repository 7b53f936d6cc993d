import { findReadableRepo, type RepoRequest } from '../access/find-administered-repo.ts';
import type { TrendPoint } from '../core/builds/trend-point.ts';
import type { Repo } from '../core/repo/repo.ts';
import type { Timestamp } from '../core/time.ts';
import type { Services } from '../services/services.ts';
import { findBranchHead } from '../storage/branch-head.ts';
import type { Series } from '../storage/build-trends.ts';

const DAY = 86_400_000;
/** The longest period, ten years: it stands for all builds. */
export const ALL_DAYS = 3_650;
/** A span is no shorter, in ms. */
const SHORTEST_SPAN = 60_000;

/** Equal spans up to now, which is the end of the last. */
export interface TrendPeriod {
  readonly from: Timestamp;
  readonly to: Timestamp;
  readonly bounds: readonly Timestamp[];
}

/** `spans`: how many builds stand for all of the period, at most. */
export function trendPeriod(now: Timestamp, { days, spans }: { readonly days: number; readonly spans: number }) {
  return divide({ from: now - days * DAY, to: now + 1, spans });
}

function divide({ from, to, spans }: { readonly from: number; readonly to: number; readonly spans: number }) {
  const bounds = Array.from({ length: spans + 1 }, (_, index) => Math.round(from + ((to - from) * index) / spans));
  return { from, to, bounds } satisfies TrendPeriod;
}

/** What a choice of days stands for: of ALL_DAYS, as far back as a series goes. */
export async function findPeriod(
  services: Pick<Services, 'clock' | 'views'>,
  { series, days, spans }: { readonly series: readonly Series[]; readonly days: number; readonly spans: number },
): Promise<TrendPeriod> {
  if (days === ALL_DAYS) return wholePeriod(services, { series, spans });
  return trendPeriod(services.clock.now(), { days, spans });
}

/** The first build of a series is looked for in ever shorter spans. */
async function wholePeriod(
  { views, clock }: Pick<Services, 'clock' | 'views'>,
  { series, spans }: { readonly series: readonly Series[]; readonly spans: number },
): Promise<TrendPeriod> {
  let period: TrendPeriod = trendPeriod(clock.now(), { days: ALL_DAYS, spans });
  for (let step = 0; step < 2; step += 1) {
    const { bounds, to } = period;
    const [points = []] = await views.trends({ series, bounds });
    const first = points[0]?.at;
    if (first === undefined) return period;
    const begin = bounds.findLast((bound) => bound <= first) ?? first;
    period = divide({ from: Math.min(begin, to - spans * SHORTEST_SPAN), to, spans });
  }
  return period;
}

export interface TrendRequest extends RepoRequest {
  readonly branch: string | undefined;
  readonly flag: string | undefined;
  readonly days: number;
  readonly spans: number;
}

export interface ShownTrend {
  readonly repo: Repo;
  readonly branch: string | undefined;
  readonly flag: string | undefined;
  /** The id of the group that the points are of; undefined: of none. */
  readonly group?: string | undefined;
  readonly period: TrendPeriod;
  /** Oldest first. */
  readonly points: readonly TrendPoint[];
}

/** How a branch, or one of its flags, went: one build of each span. A Failure `not-found` as for the repo. */
export async function showTrend(
  services: Pick<Services, 'clock' | 'resolveAccess' | 'repos' | 'views'>,
  { flag, days, spans, ...request }: TrendRequest,
): Promise<ShownTrend> {
  const { views, clock } = services;
  const { repo } = await findReadableRepo(services, request);
  const { branch } = await findBranchHead(views, { repo, branch: request.branch });
  const period = trendPeriod(clock.now(), { days, spans });
  const series = branch === undefined ? [] : [{ repoId: repo.id, branch, flag }];
  const [points = []] = await views.trends({ series, bounds: period.bounds });
  return { repo, branch, flag, period, points };
}
