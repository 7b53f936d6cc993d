import type { Context } from 'koa';

/**
 * Answers an HTML page that may hold hostile text: nothing in it runs or loads, other sites never see its address,
 * which may hold a repo token, and no cache keeps it.
 */
export function sendPage(context: Pick<Context, 'set' | 'type' | 'body'>, html: string): void {
  context.set(
    'Content-Security-Policy',
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  );
  context.set('Referrer-Policy', 'no-referrer');
  context.set('X-Content-Type-Options', 'nosniff');
  context.set('Cache-Control', 'no-store');
  context.type = 'text/html; charset=utf-8';
  context.body = html;
}
