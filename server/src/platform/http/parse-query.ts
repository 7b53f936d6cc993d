import type { Middleware } from 'koa';
import { Failure } from '../../core/failure.ts';
import type { AppState } from './app-state.ts';

/** Pairs of one query: many times what any client sends. */
const MAX_PAIRS = 50;

/**
 * Leaves the query in `ctx.query`, in place of Koa's own parser, which takes quadratic time for repeated keys. Throws a
 * Failure `query-invalid` beyond MAX_PAIRS pairs.
 */
export function parseQuery(): Middleware<AppState> {
  return (ctx, next) => {
    const query = parsePairs(new URLSearchParams(ctx.querystring));
    Object.defineProperty(ctx.request, 'query', { value: query });
    return next();
  };
}

/** A key's value, or the list of its values where it is repeated. */
function parsePairs(pairs: URLSearchParams): Readonly<Record<string, string | readonly string[]>> {
  if (pairs.size > MAX_PAIRS) {
    const seen = `The query has ${pairs.size} pairs; at most ${MAX_PAIRS} are accepted.`;
    throw new Failure('query-invalid', `${seen} Send fewer, or put them into the body.`);
  }
  const byKey = Map.groupBy(pairs, ([key]) => key);
  return Object.fromEntries([...byKey].map(([key, found]) => [key, oneOrAll(found.map(([, value]) => value))]));
}

function oneOrAll(values: readonly string[]): string | readonly string[] {
  const [first = '', ...others] = values;
  return others.length === 0 ? first : values;
}
