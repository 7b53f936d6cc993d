import type { Middleware } from 'koa';
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
