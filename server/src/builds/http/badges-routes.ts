import { createHash } from 'node:crypto';
import type Router from '@koa/router';
import type { RouterContext } from '@koa/router';
import { renderBadge } from '../../core/badge/badge-svg.ts';
import { Failure } from '../../core/failure.ts';
import { REPO_SERVICES } from '../../core/repo/repo.ts';
import type { RepoAddress } from '../../core/repo/repo-name.ts';
import { hasEntityTag } from '../../platform/http/entity-tags.ts';
import { readField, readOldRepoPath, readRepoPath } from '../../platform/http/read-query.ts';
import type { Services } from '../../services/services.ts';
import { showBadge } from '../show-badge.ts';

/** Seconds: READMEs are read often, and a badge should not lag behind its build. */
const MAX_AGE = 60;

/**
 * `GET /<service>/<owner>/<repo>/badge.svg?branch=&flag=&group=&t=`; the same below `/repos`, as Coveralls has it,
 * there also without the service.
 */
export function registerBadgeRoutes(router: Router, services: Services): void {
  const { identifyReader } = services;

  for (const service of REPO_SERVICES)
    router.get(`/${service}/*name/badge.svg`, (context) =>
      answer(context, [readRepoPath(service, context.params.name ?? '')]),
    );
  router.get('/repos/:service/*name/badge.svg', (context) =>
    answer(context, readOldRepoPath(context.params.service ?? '', context.params.name ?? '')),
  );

  /** For the first of these repos that there is. */
  async function answer(context: RouterContext, repos: readonly [RepoAddress, ...RepoAddress[]]): Promise<void> {
    const caller = await identifyReader(context);
    const { badge, isPublic } = await firstFound(repos, (address) =>
      showBadge(services, {
        caller,
        address,
        badgeToken: readField(context.query, 't'),
        branch: readField(context.query, 'branch'),
        flag: readField(context.query, 'flag'),
        group: readField(context.query, 'group'),
      }),
    );
    const svg = renderBadge(badge);
    // Opened by itself an SVG is a document: nothing in it may run or load.
    context.set('Content-Security-Policy', "default-src 'none'; style-src 'unsafe-inline'; sandbox");
    context.set('X-Content-Type-Options', 'nosniff');
    context.set('Cache-Control', `${isPublic ? '' : 'private, '}max-age=${MAX_AGE}, must-revalidate`);
    const etag = `"${createHash('sha256').update(svg).digest('base64url').slice(0, 27)}"`;
    context.set('ETag', etag);
    context.type = 'image/svg+xml; charset=utf-8';
    context.body = svg;
    if (hasEntityTag(context.get('If-None-Match'), etag)) context.status = 304;
  }
}

/** What is found at the first address that leads anywhere; else the answer for the first one. */
async function firstFound<T>(
  [address, ...others]: readonly [RepoAddress, ...RepoAddress[]],
  find: (address: RepoAddress) => Promise<T>,
): Promise<T> {
  try {
    return await find(address);
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'not-found') throw error;
    for (const other of others) {
      const found = await find(other).catch(() => undefined);
      if (found !== undefined) return found;
    }
    throw error;
  }
}
