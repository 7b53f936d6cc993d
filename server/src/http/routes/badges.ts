import { createHash } from 'node:crypto';
import type Router from '@koa/router';
import { renderBadge } from '../../domain/badge/badge-svg.ts';
import type { ShowBadge } from '../../use-cases/builds/show-badge.ts';
import type { IdentifyReader } from '../middleware/authenticate.ts';
import { readField, readRepoPath } from './read-query.ts';

/** Seconds: READMEs are read often, and a badge should not lag behind its build. */
const MAX_AGE = 60;

/** `GET /repos/<service>/<owner>/<repo>/badge.svg?branch=&flag=&t=` */
export function registerBadgeRoutes(
  router: Router,
  deps: { readonly showBadge: ShowBadge; readonly identifyReader: IdentifyReader },
): void {
  const { showBadge, identifyReader } = deps;

  router.get('/repos/:service/*name/badge.svg', async (context) => {
    const { service = '', name = '' } = context.params;
    const { badge, isPublic } = await showBadge({
      caller: await identifyReader(context),
      address: readRepoPath(service, name),
      badgeToken: readField(context.query, 't'),
      branch: readField(context.query, 'branch'),
      flag: readField(context.query, 'flag'),
    });
    const svg = renderBadge(badge);
    // Opened by itself an SVG is a document: nothing in it may run or load.
    context.set('Content-Security-Policy', "default-src 'none'; style-src 'unsafe-inline'; sandbox");
    context.set('X-Content-Type-Options', 'nosniff');
    context.set('Cache-Control', `${isPublic ? '' : 'private, '}max-age=${MAX_AGE}, must-revalidate`);
    const etag = `"${createHash('sha256').update(svg).digest('base64url').slice(0, 27)}"`;
    context.set('ETag', etag);
    context.type = 'image/svg+xml; charset=utf-8';
    context.body = svg;
    if (isKnown(context.get('If-None-Match'), etag)) context.status = 304;
  });
}

/**
 * Koa's own `fresh` would send it all again to clients that say `Cache-Control: no-cache`, as every fetch with this
 * header does.
 */
function isKnown(header: string, etag: string): boolean {
  return header.split(',').some((tag) => ['*', etag].includes(tag.trim().replace(/^W\//, '')));
}
