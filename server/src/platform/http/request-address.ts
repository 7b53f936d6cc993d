import type { Middleware } from 'koa';
import { Failure } from '../../core/failure.ts';
import type { AppState } from './app-state.ts';

/**
 * Makes the path what the router knows: repeated slashes are one, and the path of BASE_URL is taken off. Never by a
 * redirect: clients take one as success and drop the upload (wire.md, "Upload").
 */
export function normalizePath(deps: { readonly basePath: string }): Middleware<AppState> {
  const { basePath } = deps;
  return (ctx, next) => {
    ctx.url = normalize(ctx.url, basePath);
    return next();
  };
}

function normalize(url: string, basePath: string): string {
  // A proxy may send the absolute form: `GET http://host/path`.
  const target = url.replace(/^https?:\/\/[^/?#]*/i, '');
  const end = target.search(/[?#]/);
  const path = (end < 0 ? target : target.slice(0, end)).replace(/\/{2,}/g, '/');
  const rest = end < 0 ? '' : target.slice(end);
  const inside =
    basePath !== '' && (path === basePath || path.startsWith(`${basePath}/`)) ? path.slice(basePath.length) : path;
  return `${inside === '' ? '/' : inside}${rest}`;
}

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
