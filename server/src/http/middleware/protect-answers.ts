import type { Middleware } from 'koa';

/** Of a page: what it holds may be hostile text, so nothing in it runs, loads or is framed. */
const PAGE_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** Of data, which no browser should render. */
const DATA_POLICY = "default-src 'none'; frame-ancestors 'none'";

/**
 * What every answer but a badge tells browsers and caches, failures included: it may hold a token or a private repo's
 * numbers, and its address may hold a repo token. What a route has set stays.
 */
export const protectAnswers: Middleware = async (ctx, next) => {
  await next();
  if (ctx.type === 'image/svg+xml') return;
  const headers = {
    'Cache-Control': 'no-store',
    'Referrer-Policy': 'no-referrer',
    'X-Content-Type-Options': 'nosniff',
    'X-Frame-Options': 'DENY',
    'Content-Security-Policy': ctx.type === 'text/html' ? PAGE_POLICY : DATA_POLICY,
  };
  for (const [name, value] of Object.entries(headers)) if (!ctx.res.hasHeader(name)) ctx.set(name, value);
};
