import type { Context } from 'koa';

/** Paths for programs: JSON whatever the Accept header says, since sbt asks for text/html first (wire.md, "Upload"). */
const PROGRAM_PATH = /^\/api\/|^\/(?:webhook|rerun_build|healthz|readyz)(?:\/|$)|\.(?:json|svg)$/i;

/** Whether a person with a browser asked for a page. */
export function wantsPage(ctx: Context): boolean {
  if (!['GET', 'HEAD'].includes(ctx.method) || PROGRAM_PATH.test(ctx.path)) return false;
  ctx.vary('Accept');
  return ctx.accepts('json', 'html') === 'html';
}
