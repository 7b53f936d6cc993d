import type { VNode } from 'preact';
import type { Timestamp } from '../../core/time.ts';

const UNITS: readonly (readonly [unit: Intl.RelativeTimeFormatUnit, ms: number])[] = [
  ['year', 365 * 86_400_000],
  ['month', 30 * 86_400_000],
  ['week', 7 * 86_400_000],
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1_000],
];

const EXACT = new Intl.RelativeTimeFormat('en');
const BY_DAY = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });
const ABSOLUTE = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' });

/** `12 minutes ago`, with the moment itself in its title. `old`: `12 minutes old`. */
export function When(props: { readonly at: Timestamp; readonly now: Timestamp; readonly old?: true }): VNode {
  const { at, now, old } = props;
  return (
    <time dateTime={new Date(at).toISOString()} title={showMoment(at)}>
      {old ? showAge(at, now).replace('yesterday', '1 day ago').replace(/ ago$/, ' old') : showAge(at, now)}
    </time>
  );
}

/** `20 November 2026, 14:32 UTC` */
export function showMoment(at: Timestamp): string {
  return `${ABSOLUTE.format(at).replace(' at ', ', ')} UTC`;
}

/**
 * In the largest unit that fits at least once, months rounded and others cut; `just now` within a second; `in 3 days`
 * for what is to come.
 */
export function showAge(at: Timestamp, now: Timestamp): string {
  const past = at - now;
  const [unit, ms] = UNITS.find(([, length]) => Math.abs(past) >= length) ?? ['second', 1_000];
  const count = unit === 'month' ? Math.round(past / ms) : Math.trunc(past / ms);
  if (count === 0) return 'just now';
  return (unit === 'day' ? BY_DAY : EXACT).format(count, unit);
}
