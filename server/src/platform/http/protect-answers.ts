import type { Middleware } from 'koa';

/**
 * For a page: what it holds may be hostile text, so nothing runs or loads but our own files, and nothing frames it.
 * `formTarget`: where its forms lead.
 */
export function pagePolicy(formTarget = "'self'"): string {
  return (
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; connect-src 'self'; " +
    `base-uri 'none'; form-action ${formTarget}; frame-ancestors 'none'`
  );
}

/** For data, which no browser should render or keep. */
export const DATA_HEADERS = {
  'Cache-Control': 'no-store',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
} as const;

/** Search engines keep no page: many are of private repos, and there is one of each file at each commit. */
const PAGE_HEADERS = { 'Content-Security-Policy': pagePolicy(), 'X-Robots-Tag': 'noindex' } as const;

/**
 * What every answer but a badge tells browsers and caches, failures included: it may hold a token or a private repo's
 * numbers, and its address may hold a repo token. What a route has set stays.
 */
export const protectAnswers: Middleware = async (ctx, next) => {
  await next();
  if (ctx.type === 'image/svg+xml') return;
  const headers = { ...DATA_HEADERS, ...(ctx.type === 'text/html' && PAGE_HEADERS) };
  for (const [name, value] of Object.entries(headers)) if (!ctx.res.hasHeader(name)) ctx.set(name, value);
};
