const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** What a duration looks like, for error sentences. */
export const DURATION_FORM = 'a number with a unit (ms, s, m, h or d), such as 500ms, 60s, 30m, 24h or 7d';

/**
 * Milliseconds of `30m`, `60s`, `500ms`, `2h`, `1d`; undefined for anything else. Plain digits have no unit, so they
 * say nothing.
 */
export function parseDuration(text: string): number | undefined {
  const match = /^(\d{1,9})(ms|s|m|h|d)$/.exec(text);
  const [, digits, unit] = match ?? [];
  if (digits === undefined || unit === undefined) return undefined;
  return Number(digits) * (UNITS[unit] ?? Number.NaN);
}

/** Milliseconds in the largest unit that needs no fraction: what parseDuration reads. */
export function formatDuration(milliseconds: number): string {
  const units = Object.entries(UNITS).toReversed();
  const [unit, size] = units.find(([, one]) => milliseconds % one === 0) ?? ['ms', 1];
  return milliseconds === 0 ? '0s' : `${milliseconds / size}${unit}`;
}
