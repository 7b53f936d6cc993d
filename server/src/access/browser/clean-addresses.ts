import type { Context, Middleware } from 'koa';
import { Failure } from '../../core/failure.ts';
import { REPO_SERVICES } from '../../core/repo/repo.ts';
import type { AppState } from '../../platform/http/app-state.ts';
import { MAX_SHARES } from '../../platform/http/cookies.ts';
import { PROGRAM_PATH, wantsPage } from '../../platform/http/wants-page.ts';
import type { Services } from '../../services/services.ts';
import { keepRepoToken, openShare } from '../share-links.ts';

/** How the addresses of pages begin that tell of a repo. */
const REPO_PAGES: ReadonlySet<string | undefined> = new Set(['builds', 'jobs', ...REPO_SERVICES]);
/** How long a browser keeps what opens a repo, in ms; the server decides how long it counts. */
const KEPT = 30 * 86_400_000;

/** Whether a browser asks for a page about a repo. */
export function isRepoPage({ method, path }: Pick<Context, 'method' | 'path'>): boolean {
  const [, first, rest] = path.split('/', 3);
  const isPage = (method === 'GET' || method === 'HEAD') && !PROGRAM_PATH.test(path);
  return isPage && REPO_PAGES.has(first) && rest !== undefined;
}

/**
 * Turns `?share=` and `?repo_token=` of a page into a cookie, and leads to the address without them: what is in the
 * address bar is copied, bookmarked and photographed. Addresses for programs stay as they
 * are.
 */
export function cleanAddresses(services: Services): Middleware<AppState> {
  const { cookies, basePath } = services;
  return async (ctx, next) => {
    if (!isRepoPage(ctx)) return next();
    const [share] = [ctx.query.share ?? []].flat();
    // A script that reads a page so continues as it did: it keeps no cookies.
    const [repoToken] = wantsPage(ctx) ? [ctx.query.repo_token ?? []].flat() : [];
    if (!share && !repoToken) return next();
    const isOpen = share ? (await openShare(services, share)) !== undefined : false;
    const kept = isOpen ? share : repoToken && (await keepRepoToken(services, repoToken));
    // A token that is wrong is refused as it is in a header.
    if (kept === undefined && repoToken) return next();
    if (!kept) throw new Failure('not-found', 'This link has expired. Ask for a new one.');
    const before = (cookies.read(ctx, 'shares') ?? '').split('.').filter((one) => one !== '' && one !== kept);
    cookies.write(ctx, 'shares', [kept, ...before].slice(0, MAX_SHARES).join('.'), KEPT);
    const left = new URLSearchParams(ctx.querystring);
    for (const name of ['share', 'repo_token']) left.delete(name);
    ctx.redirect(`${basePath}${ctx.path}${left.size === 0 ? '' : `?${left}`}`);
  };
}
