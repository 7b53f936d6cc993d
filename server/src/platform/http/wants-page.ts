import type { Context } from 'koa';

/** Paths for programs: JSON whatever the Accept header says, since sbt asks for text/html first (wire.md, "Upload"). */
export const PROGRAM_PATH = /^\/api\/|^\/(?:webhook|rerun_build|healthz|readyz)(?:\/|$)|\.(?:json|svg)$/i;

/** Whether a person with a browser asked for a page, or sent a form of one. */
export function wantsPage(ctx: Context): boolean {
  const isAsked = ['GET', 'HEAD'].includes(ctx.method) || ctx.is('application/x-www-form-urlencoded') !== false;
  if (!isAsked || PROGRAM_PATH.test(ctx.path)) return false;
  ctx.vary('Accept');
  return ctx.accepts('json', 'html') === 'html';
}
