/** Statuses after which the same request may well succeed. */
export function isTransientStatus(status: number): boolean {
  return status === 408 || status === 429 || status >= 500;
}

const FIRST_WAIT_MS = 1000;
const LONGEST_WAIT_MS = 30_000;

/**
 * How long to wait before the next try, in milliseconds: doubling from one second to half a minute, of which a random
 * half to whole is taken, so that the legs of a matrix do not come back all at once. `tries` counts those made so far,
 * from 1; `random` is 0 to 1.
 */
export function backOff(tries: number, random: number): number {
  const full = Math.min(FIRST_WAIT_MS * 2 ** (tries - 1), LONGEST_WAIT_MS);
  return Math.round(full * (0.5 + random / 2));
}

/**
 * A `Retry-After` header in milliseconds from `now`: seconds, or an HTTP date (RFC 9110, 10.2.3). Undefined if it is
 * missing or neither.
 */
export function retryAfter(header: string | null, now: number): number | undefined {
  if (header === null) return undefined;
  const text = header.trim();
  if (/^\d+$/.test(text)) return Number(text) * 1000;
  const date = /^[A-Za-z]{3},? /.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
