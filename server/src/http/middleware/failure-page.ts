import type { Context } from 'koa';
import { showHidden } from '../../domain/printable.ts';

/** Paths for programs: JSON whatever the Accept header says, since sbt asks for text/html first (wire.md, "Upload"). */
const PROGRAM_PATH = /^\/(?:api|webhook|rerun_build|healthz|readyz)(?:\/|$)|\.(?:json|svg)$/i;

const STYLE =
  'body{font:1rem/1.5 system-ui,sans-serif;max-width:40rem;margin:4rem auto;padding:0 1rem;color-scheme:light dark}';

/** Whether a person with a browser asked for a page. */
export function wantsPage(ctx: Context): boolean {
  if (!['GET', 'HEAD'].includes(ctx.method) || PROGRAM_PATH.test(ctx.path)) return false;
  ctx.vary('Accept');
  return ctx.accepts('json', 'html') === 'html';
}

/** A failure as a page that needs nothing else. */
export function failurePage(ctx: Context, message: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${ctx.status} ${escapeHtml(ctx.message)}</title>
<style>${STYLE}</style>
</head>
<body>
<h1>${escapeHtml(ctx.message)}</h1>
<p>${escapeHtml(message)}</p>
</body>
</html>
`;
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Messages quote what was asked for: hostile text (rule 26). */
function escapeHtml(text: string): string {
  return showHidden(text).replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
}
