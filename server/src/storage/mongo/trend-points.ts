import type { Document } from 'mongodb';
import type { FlagResult } from '../../core/builds/build.ts';
import type { TrendPoint } from '../../core/builds/trend-point.ts';
import type { BuildTrends } from '../build-trends.ts';
import { listSpans, type TrendSpan } from '../trend-spans.ts';

/** What several pipelines over builds answer, in any order. */
export type Unite = <T extends Document>(pipelines: readonly Document[][]) => Promise<readonly T[]>;

/**
 * How many keys of the index are read for each span, at first and then for those that are left. The server reads about
 * a hundred keys in the time in which it plans one query, so with more builds in each span, each span has a query.
 */
const KEYS = [4, 50] as const;
const MANY = 50;

/** Binds the query of trends: whichever way it reads, each span has its newest build with a percentage (rule 4). */
export function createTrends(unite: Unite): BuildTrends['trends'] {
  return async (query) => {
    const { candidates, others } = await findCandidates(unite, listSpans(query));
    const bySeries = Map.groupBy(candidates, ({ span }) => span.series);
    const [known, asked] = await Promise.all([
      unite<Found>([...bySeries.values()].map(pointsOf)),
      unite<Found>(others.map(newestOf)),
    ]);
    const answered = new Set(known.map(nameOf));
    // One without a percentage, or that was removed meanwhile: the next one stands for its span.
    const passed = candidates.filter(({ span, sequence }) => !answered.has(nameOf({ series: span.series, sequence })));
    const found = [...known, ...asked, ...(await unite<Found>(passed.map(({ span }) => newestOf(span))))];
    const ofSeries = Map.groupBy(found, ({ series }) => series);
    return query.series.map(({ flag }, index) =>
      (ofSeries.get(index) ?? [])
        .flatMap((one) => toPoint(one, flag !== undefined) ?? [])
        .toSorted((a, b) => a.at - b.at),
    );
  };
}

function nameOf({ series, sequence }: Pick<Found, 'series' | 'sequence'>): string {
  return `${series} ${sequence}`;
}

/** The newest closed build of a span. */
interface Candidate {
  readonly span: TrendSpan;
  readonly sequence: number;
}

/** Keys of closed builds of a series, newest first. */
interface Scan {
  readonly _id: number;
  readonly at: readonly number[];
  readonly sequences: readonly number[];
}

const NO_KEYS: Scan = { _id: -1, at: [], sequences: [] };

/** `others`: spans that are asked for one by one, since so many builds are in them. */
async function findCandidates(unite: Unite, all: readonly TrendSpan[]) {
  const candidates: Candidate[] = [];
  const others: TrendSpan[] = [];
  let open: (readonly TrendSpan[])[] = [...Map.groupBy(all, ({ series }) => series).values()];
  for (const each of KEYS) {
    const scans = new Map(
      (await unite<Scan>(open.map((spans) => scanOf(spans, each)))).map((scan) => [scan._id, scan]),
    );
    open = open.flatMap((spans) => {
      const scan = scans.get(spans[0]?.series ?? -1) ?? NO_KEYS;
      candidates.push(...newestIn(spans, scan));
      const oldest = scan.at.length < each * spans.length ? undefined : scan.at.at(-1);
      const left = oldest === undefined ? [] : spans.filter(({ to }) => to <= oldest);
      if (left.length === 0) return [];
      if (scan.at.length <= MANY * (spans.length - left.length)) return [left];
      others.push(...left);
      return [];
    });
  }
  return { candidates, others: [...others, ...open.flat()] };
}

function newestIn(spans: readonly TrendSpan[], { at, sequences }: Scan): readonly Candidate[] {
  let key = 0;
  return spans.toReversed().flatMap((span) => {
    while ((at[key] ?? 0) >= span.to) key += 1;
    const sequence = sequences[key];
    return sequence !== undefined && (at[key] as number) >= span.from ? [{ span, sequence }] : [];
  });
}

const NEWEST = { $sort: { 'record.createdAt': -1, sequence: -1 } } as const;

/** For spans of one series: only what the index has. */
function scanOf(spans: readonly TrendSpan[], each: number): Document[] {
  const { series, repoId, scope, from } = spans[0] as TrendSpan;
  return [
    { $match: { repoId, closed: true, scope, 'record.createdAt': { $gte: from, $lt: spans.at(-1)?.to } } },
    NEWEST,
    { $limit: each * spans.length },
    { $group: { _id: { $literal: series }, at: { $push: '$record.createdAt' }, sequences: { $push: '$sequence' } } },
  ];
}

interface Found {
  readonly _id: number;
  readonly series: number;
  readonly sequence: number;
  readonly record: {
    readonly commit?: string;
    readonly createdAt: number;
    readonly result: Pick<TrendPoint, 'totals' | 'baseTotals' | 'verdict' | 'overall'>;
    readonly imported?: TrendPoint['imported'];
  };
  readonly flags?: readonly FlagResult[];
}

/** As they are: the server would compute fields of other names 60 times for a page. */
const POINT = {
  sequence: 1,
  'record.commit': 1,
  'record.createdAt': 1,
  'record.result.verdict': 1,
  'record.imported': 1,
} as const;
const WHOLE_POINT = {
  ...POINT,
  'record.result.totals': 1,
  'record.result.baseTotals': 1,
  'record.result.overall': 1,
} as const;

const HAS_PERCENTAGE = [
  ...['relevantLines', 'branches'].map((name) => ({ [`record.result.totals.${name}`]: { $gt: 0 } })),
  { 'record.imported.shown': { $exists: true } },
];

/** For candidates of one series. */
function pointsOf(candidates: readonly Candidate[]): Document[] {
  const { series, repoId, scope, flag } = (candidates[0] as Candidate).span;
  const sequence = { $in: candidates.map((one) => one.sequence) };
  return [{ $match: { repoId, closed: true, scope, sequence, $or: HAS_PERCENTAGE } }, shown({ series, flag })];
}

function newestOf({ series, repoId, scope, flag, from, to }: TrendSpan): Document[] {
  return [
    { $match: { repoId, closed: true, scope, 'record.createdAt': { $gte: from, $lt: to }, $or: HAS_PERCENTAGE } },
    NEWEST,
    { $limit: 1 },
    shown({ series, flag }),
  ];
}

function shown({ series, flag }: Pick<TrendSpan, 'series' | 'flag'>): Document {
  const named = { input: '$record.result.flags', as: 'flag', cond: { $eq: ['$$flag.name', { $literal: flag }] } };
  const point = flag === undefined ? WHOLE_POINT : { ...POINT, flags: { $filter: named } };
  return { $project: { series: { $literal: series }, ...point } };
}

function toPoint({ _id: buildId, record, flags }: Found, ofFlag: boolean): TrendPoint | undefined {
  const { commit, createdAt: at, result, imported } = record;
  const flag = flags?.[0];
  const { totals, baseTotals, verdict } = (ofFlag ? flag : result) ?? {};
  if (totals === undefined || verdict === undefined) return undefined;
  const { state, rule, informational } = verdict;
  return {
    buildId,
    commit,
    at,
    totals,
    baseTotals,
    verdict: { state, rule, ...(informational && { informational }) },
    ...(!ofFlag && result.overall && { overall: result.overall }),
    ...(flag && { kind: flag.kind }),
    ...(imported && { imported }),
  };
}
