import type { Answer } from './answer.ts';
import { failure } from './answer.ts';

const hourSeconds = 3600;

/** The hourly budget of calls of each token, as GitHub keeps it. */
export interface RateLimit {
  /** Counts one call; answers the refusal when the budget is spent. */
  spend(token: string): Answer | undefined;
  /** A 304 costs nothing: gives one call back. */
  giveBack(token: string): void;
  headers(token: string): Record<string, string>;
  /** The answer of GET /rate_limit, which costs nothing. */
  overview(token: string): Answer;
}

export function createRateLimit(options: { readonly limit: number; readonly now: () => number }): RateLimit {
  const { limit, now } = options;
  const windows = new Map<string, { used: number; reset: number }>();

  const windowOf = (token: string): { used: number; reset: number } => {
    const seconds = Math.floor(now() / 1000);
    const known = windows.get(token);
    if (known && known.reset > seconds) return known;
    const fresh = { used: 0, reset: seconds + hourSeconds };
    windows.set(token, fresh);
    return fresh;
  };
  const stateOf = (token: string): { limit: number; remaining: number; reset: number; used: number } => {
    const { used, reset } = windowOf(token);
    return { limit, remaining: Math.max(limit - used, 0), reset, used };
  };

  return {
    spend(token) {
      const state = windowOf(token);
      if (state.used >= limit) return failure(403, 'API rate limit exceeded for user ID 1.');
      state.used += 1;
      return undefined;
    },
    giveBack(token) {
      windowOf(token).used -= 1;
    },
    headers(token) {
      const state = stateOf(token);
      const values = Object.entries(state).map(([key, value]) => [`x-ratelimit-${key}`, String(value)] as const);
      return { ...Object.fromEntries(values), 'x-ratelimit-resource': 'core' };
    },
    overview(token) {
      const core = stateOf(token);
      return {
        status: 200,
        body: { resources: { core, search: { ...core, limit: 30, remaining: 30, used: 0 } }, rate: core },
      };
    },
  };
}
