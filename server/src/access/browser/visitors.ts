import type { Context, Middleware } from 'koa';
import { Failure } from '../../core/failure.ts';
import type { AppState } from '../../platform/http/app-state.ts';
import { MAX_SHARES } from '../../platform/http/cookies.ts';
import type { Services } from '../../services/services.ts';
import { findSession } from '../sessions.ts';
import { openShare } from '../share-links.ts';

/** Sets `ctx.state.visitor` to the visitor that the cookies name, and `ctx.state.viewer` to what pages show of them. */
export function recognizeVisitors(services: Services): Middleware<AppState> {
  const { cookies } = services;
  return async (ctx, next) => {
    if (ctx.get('Cookie') !== '' && !isForeign(ctx)) {
      const token = cookies.read(ctx, 'session');
      const found = token === undefined ? undefined : await findSession(services, token);
      const person = found && { ...found, caller: { ...found.caller, address: ctx.request.ip } };
      const shareTokens = (cookies.read(ctx, 'shares') ?? '').split('.').filter(Boolean).slice(0, MAX_SHARES);
      const shares = (await Promise.all(shareTokens.map((one) => openShare(services, one)))).filter(
        (one) => one !== undefined,
      );
      const secret = person === undefined ? cookies.read(ctx, 'visit') : token;
      ctx.state.visitor = { person, shares };
      if (secret !== undefined) ctx.state.csrf = csrfTokenOf(services, secret);
      if (person !== undefined)
        ctx.state.viewer = { name: person.account.name, administrator: person.caller.role === 'administrator' };
      if (token !== undefined && person === undefined) cookies.forget(ctx, 'session');
    }
    return next();
  };
}

/** What the forms of a browser hold that has this cookie: another site can neither read nor compute it. */
export function csrfTokenOf({ secrets }: Pick<Services, 'secrets'>, cookie: string): string {
  return secrets.hash(`csrf ${cookie}`);
}

/** A form of somebody who is not signed in needs something to be bound to. */
export function bindForms(services: Pick<Services, 'cookies' | 'secrets'>, context: Context): void {
  if (context.state.csrf !== undefined) return;
  const visit = services.secrets.newRandom();
  services.cookies.write(context, 'visit', visit);
  context.state.csrf = csrfTokenOf(services, visit);
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
  throw new Failure(
    'forbidden',
    'This request came from a page of another site. Nothing was changed; use the page on this server.',
  );
}

/** Whether the request holds the token of this browser's forms. */
export function holdsCsrfToken({ state }: Pick<Context, 'state'>, given: unknown): boolean {
  const wanted = (state as AppState).csrf;
  return typeof given === 'string' && wanted !== undefined && given === wanted;
}
