import type { VNode } from 'preact';
import { percentOfBuild } from '../../core/builds/imported.ts';
import type { TrendPoint } from '../../core/builds/trend-point.ts';
import { type Ratio, ratioToNumber, showPercent } from '../../core/coverage/percent.ts';
import type { TrendPeriod } from '../trend.ts';
import { judgedAt, verdictLook } from './build-words.tsx';

/** Steps between two lines of the grid, in points. */
const STEPS = [0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 25, 34];
const INTERVALS = 3;

interface Dot {
  readonly point: TrendPoint;
  /** From 0 to 100, from the left and from the top. */
  readonly x: number;
  readonly y: number;
  readonly fails: boolean;
}

/** Where a dot leads to, and what it is called. */
export interface NamedPoint {
  readonly href: string;
  readonly name: string;
}

const DAY = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' });
const MONTH = new Intl.DateTimeFormat('en-GB', { month: 'short', year: 'numeric', timeZone: 'UTC' });
const YEAR = 366 * 86_400_000;

/** Days of two years would have the same name. */
function dayOf({ from, to }: TrendPeriod): Intl.DateTimeFormat {
  return to - from > YEAR ? MONTH : DAY;
}

/** How coverage went: a line of builds over time. Its numbers are in a table elsewhere. */
export function TrendChart(props: {
  readonly points: readonly TrendPoint[];
  /** Lines beside it, without dots; of one build alone, a dot. */
  readonly overlays?: readonly (readonly TrendPoint[])[] | undefined;
  /** What was released, and when. */
  readonly releases?: readonly { readonly name: string; readonly at: number }[];
  readonly period: TrendPeriod;
  /** What it shows, for those who do not see it. */
  readonly label: string;
  readonly nameOf: (point: TrendPoint) => NamedPoint;
}): VNode {
  const { points, overlays = [], releases = [], period, label, nameOf } = props;
  const values = [points, ...overlays]
    .flat()
    .map(percentOf)
    .filter((value) => value !== undefined);
  const { ticks, lowest, height } = gridOf(Math.min(...values), Math.max(...values));
  const place = (value: number): number => 100 - ((value - lowest) / height) * 100;
  const dots = placeDots(points, period, place);
  const own = dots.filter(({ point }) => point.imported === undefined);
  const past = dots.filter(({ point }) => point.imported !== undefined);
  const [first, last] = [own[0], own.at(-1)];
  const curve = `${lineOf(own)}L100 ${last?.y ?? 100}`;
  return (
    <div class="trend">
      <div class="plot">
        <svg viewBox="0 0 100 100" preserveAspectRatio="none" role="group" aria-label={label}>
          {first && <path class="area" d={`${curve}V100H${first.x}Z`} />}
          <path class="grid" d="M0 0H100M0 33.3H100M0 66.7H100" />
          {past.length > 0 && <path class="curve was" d={lineOf(first === undefined ? past : [...past, first])} />}
          {first && <path class="curve" d={curve} />}
          {overlays.map((one, at) => overlayPath(placeDots(one, period, place), at))}
          {dots.map((dot, index) => (
            <DotLink dot={dot} from={dots[index - 1]?.x} to={dots[index + 1]?.x} {...nameOf(dot.point)} />
          ))}
        </svg>
        {releases.length > 0 && <Releases releases={releases} period={period} />}
      </div>
      <div class="y" aria-hidden="true">
        {ticks.map((tick) => (
          <span>{tick}</span>
        ))}
      </div>
      <div class="x" aria-hidden="true">
        {[0, 1, 2, 3].map((part) => (
          <span>{dayOf(period).format(period.from + ((period.to - period.from) * part) / 3)}</span>
        ))}
      </div>
    </div>
  );
}

/** How much room a name has, in percent of the chart: one that comes sooner is a line alone. */
const NAME_ROOM = 7;

/** Not stretched as the curve is, so that names stay readable. The list beside the chart has them as well. */
function Releases({
  releases,
  period,
}: Pick<Parameters<typeof TrendChart>[0], 'period'> & {
  readonly releases: readonly { readonly name: string; readonly at: number }[];
}): VNode {
  const { from, to } = period;
  let free = 0;
  const marks = releases.map(({ name, at }) => {
    const x = rounded((100 * (at - from)) / (to - from));
    const isNamed = x >= free && x <= 100 - NAME_ROOM;
    if (isNamed) free = x + NAME_ROOM;
    return { x: `${x}%`, name: isNamed ? name : '' };
  });
  return (
    <svg class="releases" aria-hidden="true">
      {marks.map(({ x, name }) => (
        <>
          <line x1={x} x2={x} y1="0" y2="100%" />
          <text x={x} y="100%" dx="4" dy="-6">
            {name}
          </text>
        </>
      ))}
    </svg>
  );
}

function overlayPath(dots: readonly Dot[], at: number): VNode {
  if (dots.length === 1) return <path class="dot beside" d={`${lineOf(dots)}h0`} />;
  return <path class={`curve over over-${at + 1}`} d={lineOf(dots)} />;
}

function lineOf(dots: readonly Dot[]): string {
  return dots.map(({ x, y }, index) => `${index === 0 ? 'M' : 'L'}${x} ${y}`).join('');
}

/** A dot is small: its target is a column as high as the chart. Keys reach the same builds by the list below it. */
function DotLink(
  props: NamedPoint & { readonly dot: Dot; readonly from: number | undefined; readonly to: number | undefined },
) {
  const { dot, from, to, href, name } = props;
  const { x, y, fails, point } = dot;
  const mark = fails ? 'cross' : point.imported === undefined ? 'dot' : 'dot was';
  const left = from === undefined ? Math.max(0, x - 2) : (from + x) / 2;
  const right = to === undefined ? Math.min(100, x + 2) : (x + to) / 2;
  return (
    <a href={href} aria-label={name} tabIndex={-1}>
      <title>{name}</title>
      <rect class="target" x={rounded(left)} y="0" width={Math.max(0.5, rounded(right - left))} height="100" />
      <path class={mark} d={`M${x} ${y}h0`} />
      <path class={`${mark} in`} d={`M${x} ${y}h0`} />
    </a>
  );
}

/** The same in a row of a table; nothing of less than two points. */
export function Spark(props: {
  readonly points: readonly TrendPoint[];
  /** What they are of, as `30 days`. */
  readonly label: string;
}): VNode | null {
  const { points } = props;
  const values = points.map(percentOf).filter((value) => value !== undefined);
  const [first, last] = [points[0], points.at(-1)];
  if (values.length < 2 || first === undefined || last === undefined) return null;
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const shown = values.map((value, index) => {
    const y = high === low ? 12 : 21 - ((value - low) / (high - low)) * 18;
    return `${rounded((100 * index) / (values.length - 1))} ${rounded(y)}`;
  });
  const [from, to] = [first, last].map((point) => showPercent(pointPercent(point)));
  const label = `${props.label}: from ${from} to ${to}`;
  return (
    <svg
      class={failsAt(last) ? 'spark bad' : 'spark'}
      viewBox="0 0 100 24"
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
    >
      <path class="curve" d={`M${shown.join('L')}`} />
      <path class="dot" d={`M${shown.at(-1)}h0`} />
    </svg>
  );
}

/** Ours; of an imported build without counts what was shown there. A flag has no other than ours. */
export function pointPercent(point: TrendPoint | undefined): Ratio | undefined {
  return point && percentOfBuild(point.totals, point.kind === undefined ? point.imported : undefined);
}

function percentOf(point: TrendPoint): number | undefined {
  const percent = pointPercent(point);
  return percent && ratioToNumber(percent);
}

function failsAt(point: TrendPoint): boolean {
  return verdictLook(judgedAt(point)).icon === 'fail';
}

function placeDots(points: readonly TrendPoint[], { from, to }: TrendPeriod, place: (value: number) => number) {
  return points.flatMap((point): readonly Dot[] => {
    const value = percentOf(point);
    if (value === undefined) return [];
    return [
      { point, x: rounded((100 * (point.at - from)) / (to - from)), y: rounded(place(value)), fails: failsAt(point) },
    ];
  });
}

/** Four lines that hold all values, at numbers that are read at once, and none above 100. */
function gridOf(low: number, high: number) {
  if (!Number.isFinite(low)) return gridOf(0, 100);
  const below = (step: number) => Math.round(((low + high) / 2 - (INTERVALS / 2) * step) / step) * step;
  const fits = (step: number) => below(step) <= low && below(step) + INTERVALS * step >= high;
  const step = STEPS.find(fits) ?? 34;
  const lowest = Math.max(0, Math.min(below(step), 100 - INTERVALS * step));
  const places = step < 0.1 ? 2 : step < 1 ? 1 : 0;
  const ticks = [3, 2, 1, 0].map((line) => `${Math.min(100, lowest + line * step).toFixed(places)}%`);
  return { ticks, lowest, height: INTERVALS * step };
}

function rounded(value: number): number {
  return Math.round(value * 10) / 10;
}
