import type { Timestamp } from '../time.ts';

/** How long builds are kept, and how many; undefined: without a limit. */
export interface Retention {
  readonly days: number | undefined;
  readonly builds: number | undefined;
}

/** How many builds of unverified runs are kept, beside what holds for all builds (rule 29); undefined: any number. */
export interface UnverifiedRetention {
  readonly perRepo: number | undefined;
  readonly perPull: number | undefined;
}

const DAY = 86_400_000;

/** How long a source text that no build names stays after an upload that named it, in ms. */
export const UNNAMED_TEXT_AGE = DAY;
/** How much older than it is a text may be taken for: less than that age by longer than an upload takes. */
export const TEXT_AGE_STEP = DAY / 2;

/** Both hold: a repo may keep less than the server does, never more. */
export function strictest(one: Retention, other: Retention): Retention {
  return { days: min(one.days, other.days), builds: min(one.builds, other.builds) };
}

function min(one: number | undefined, other: number | undefined): number | undefined {
  return one === undefined || other === undefined ? (one ?? other) : Math.min(one, other);
}

export function isLimited({ days, builds }: Retention): boolean {
  return days !== undefined || builds !== undefined;
}

/** `newer`: how many builds of its repo came after it, of trusted and unverified ones each among themselves. */
export function isBeyond(
  { days, builds }: Retention,
  build: { readonly createdAt: Timestamp; readonly newer: number; readonly now: Timestamp },
): boolean {
  const isOld = days !== undefined && build.createdAt < build.now - days * DAY;
  return isOld || (builds !== undefined && build.newer >= builds);
}
