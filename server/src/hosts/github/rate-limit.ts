import type { Timestamp } from '../../core/time.ts';
import type { Refusal } from './refusal.ts';

/** GitHub: without a header "wait for at least one minute before retrying". */
const UNSTATED_PAUSE = 60_000;
/** Both clocks may differ, and headers count whole seconds. */
const SHORTEST_PAUSE = 1_000;
/** GitHub's windows are an hour long: a wrong clock or header must not silence us for days. */
const LONGEST_PAUSE = 3_600_000;

/**
 * When GitHub lets us try again, if this answer tells us to slow down; else undefined. In GitHub's order: retry-after,
 * then x-ratelimit-reset when nothing remains, then a minute (docs.github.com, "Best practices for using the REST
 * API").
 */
export function readRateLimit(refusal: Refusal, now: Timestamp): Timestamp | undefined {
  const { status, headers, message } = refusal;
  if (status !== 403 && status !== 429 && status !== 503) return undefined;
  const pause = readRetryAfter(headers['retry-after'], now) ?? (status === 503 ? undefined : readReset(headers, now));
  if (pause !== undefined) return now + Math.min(Math.max(pause, SHORTEST_PAUSE), LONGEST_PAUSE);
  const told =
    status === 429 || (status === 403 && /secondary rate limit|\babuse\b|rate limit exceeded/i.test(message));
  return told ? now + UNSTATED_PAUSE : undefined;
}

/** Milliseconds to wait: the header holds seconds or an HTTP date. */
function readRetryAfter(header: unknown, now: Timestamp): number | undefined {
  if (typeof header !== 'string') return undefined;
  if (/^\d{1,9}$/.test(header)) return Number(header) * 1_000;
  const date = Date.parse(header);
  return Number.isNaN(date) ? undefined : date - now;
}

/** Milliseconds until the hour's budget is renewed, when it is used up. */
function readReset(headers: Refusal['headers'], now: Timestamp): number | undefined {
  const reset = headers['x-ratelimit-reset'];
  if (headers['x-ratelimit-remaining'] !== '0' || typeof reset !== 'string' || !/^\d{1,12}$/.test(reset))
    return undefined;
  return Number(reset) * 1_000 - now;
}
