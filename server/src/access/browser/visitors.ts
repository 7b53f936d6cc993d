import type { Context, Middleware } from 'koa';
import { Failure } from '../../core/failure.ts';
import type { AppState } from '../../platform/http/app-state.ts';
import { type Cookies, MAX_SHARES } from '../../platform/http/cookies.ts';
import type { Sessions } from '../sessions.ts';
import type { OpenShare } from '../share-links.ts';

export interface VisitorsDeps {
  readonly cookies: Cookies;
  readonly sessions: Pick<Sessions, 'find'>;
  readonly openShare: OpenShare;
  /** Hex SHA-256. */
  readonly hash: (text: string) => string;
  /** BASE_URL. */
  readonly baseUrl: () => string;
}

/** Leaves in `ctx.state.visitor` whom the cookies name, and in `ctx.state.viewer` what pages show of that. */
export function recogniseVisitors(deps: VisitorsDeps): Middleware<AppState> {
  const { cookies, sessions, openShare } = deps;
  return async (ctx, next) => {
    if (ctx.get('Cookie') !== '' && !isForeign(ctx)) {
      const token = cookies.read(ctx, 'session');
      const found = token === undefined ? undefined : await sessions.find(token);
      const person = found && { ...found, caller: { ...found.caller, address: ctx.request.ip } };
      const shareTokens = (cookies.read(ctx, 'shares') ?? '').split('.').filter(Boolean).slice(0, MAX_SHARES);
      const shares = (await Promise.all(shareTokens.map(openShare))).filter((share) => share !== undefined);
      const secret = person === undefined ? cookies.read(ctx, 'visit') : token;
      ctx.state.visitor = { person, shares };
      if (secret !== undefined) ctx.state.csrf = csrfTokenOf(deps, secret);
      if (person !== undefined)
        ctx.state.viewer = { name: person.account.name, administrator: person.caller.role === 'administrator' };
      if (token !== undefined && person === undefined) cookies.forget(ctx, 'session');
    }
    return next();
  };
}

/** What the forms of a browser hold that has this cookie: another site can neither read nor compute it. */
export function csrfTokenOf({ hash }: Pick<VisitorsDeps, 'hash'>, cookie: string): string {
  return hash(`csrf ${cookie}`);
}

export interface BindFormsDeps extends Pick<VisitorsDeps, 'hash'> {
  readonly cookies: Cookies;
  readonly newRandom: () => string;
}

/** A form of somebody who is not signed in needs something to be bound to. */
export function bindForms(deps: BindFormsDeps, context: Context): void {
  if (context.state.csrf !== undefined) return;
  const visit = deps.newRandom();
  deps.cookies.write(context, 'visit', visit);
  context.state.csrf = csrfTokenOf(deps, visit);
}

/** Whether another site's page asks, other than by a link to one of ours. */
function isForeign(ctx: Context): boolean {
  return ctx.get('Sec-Fetch-Site') === 'cross-site' && ctx.get('Sec-Fetch-Mode') !== 'navigate';
}

/**
 * Refuses what another site's page sends. Browsers say so in Sec-Fetch-Site, on plain http in Origin alone, and not
 * even there to a page that tells no referrer: then the form's token decides.
 */
export function checkOrigin(ctx: Context, baseUrl: string): void {
  const site = ctx.get('Sec-Fetch-Site');
  const origin = ctx.get('Origin');
  const isOwn = origin === '' || origin === 'null' || origin === new URL(baseUrl).origin;
  if (site === '' ? isOwn : site === 'same-origin' || site === 'none') return;
  throw new Failure('forbidden', 'This was sent by a page of another site. Nothing was changed; use the page here.');
}

/** Whether the request holds the token of this browser's forms. */
export function holdsCsrfToken({ state }: Pick<Context, 'state'>, given: unknown): boolean {
  const wanted = (state as AppState).csrf;
  return typeof given === 'string' && wanted !== undefined && given === wanted;
}
