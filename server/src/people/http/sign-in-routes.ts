import type Router from '@koa/router';
import type { Context, Middleware } from 'koa';
import { formOf, leadTo, takeForm } from '../../access/browser/forms.ts';
import { bindForms } from '../../access/browser/visitors.ts';
import { openSession } from '../../access/sessions.ts';
import { Failure } from '../../core/failure.ts';
import { type Account, SESSION_LIMIT } from '../../core/repo/account.ts';
import { readField } from '../../platform/http/read-query.ts';
import { sendPage } from '../../platform/http/send-pieces.ts';
import type { Services } from '../../services/services.ts';
import { DEVICE_LIMIT, rememberDevice } from '../known-devices.ts';
import type { SignInGuards } from '../limit-attempts.ts';
import { renderSignInLinkPage, renderSignInPage } from '../pages/sign-in-page.tsx';
import { beginElsewhere, finishElsewhere, listProviders } from '../sign-in-elsewhere.ts';
import { LINK_OVER, readSignInCode, signInLocally, takeSignInCode } from '../sign-in-locally.ts';

/** What the pages of sign-ins and accounts work with: together they keep the limits. */
export type PeopleServices = Services & SignInGuards;

/** `/sign-in` and what follows from it, and `POST /sign-out`. */
export function registerSignInRoutes(router: Router, services: PeopleServices): void {
  const { cookies, config, sessions, basePath } = services;
  const form = takeForm(services);

  router.get('/sign-in', (context) => showPage(services, context, { returnTo: readReturn(context.query.next) }));

  router.post('/sign-in', form, async (context) => {
    const field = formOf(context);
    const returnTo = readReturn(field('next'));
    if (!config.localAccounts) throw new Failure('not-found', 'Signing in with a password is not set up here.');
    const kept = cookies.read(context, 'device');
    const given = { name: field('name'), password: field('password'), address: context.request.ip, kept };
    try {
      await enter(services, context, { account: await signInLocally(services, given), way: 'password', returnTo });
    } catch (error) {
      if (!(error instanceof Failure) || !['credential-unknown', 'over-limit'].includes(error.code)) throw error;
      context.status = error.code === 'over-limit' ? 429 : 401;
      await showPage(services, context, { returnTo, name: given.name, problem: error.message });
    }
  });

  registerLinkRoutes(router, services, form);

  router.get('/sign-in/:provider', async (context) => {
    const { provider: key = '' } = context.params;
    const { address, kept } = await beginElsewhere(services, { key, returnTo: readReturn(context.query.next) });
    cookies.write(context, 'signin', kept, 15 * 60_000);
    context.redirect(address);
  });

  router.get('/sign-in/:provider/callback', async (context) => {
    const { provider: key = '' } = context.params;
    const kept = cookies.read(context, 'signin');
    const answer = new URLSearchParams(context.querystring);
    cookies.forget(context, 'signin');
    const back = { key, kept, answer, address: context.request.ip };
    const { account, returnTo } = await finishElsewhere(services, back);
    await enter(services, context, { account, way: key, returnTo });
  });

  router.post('/sign-out', form, async (context) => {
    const { person } = context.state.visitor ?? {};
    if (person !== undefined && formOf(context)('everywhere') !== '') await sessions.endAll(person.account.id);
    else if (person !== undefined) await sessions.end(person.session.hash);
    cookies.forget(context, 'session');
    leadTo(context, `${basePath}/sign-in`);
  });
}

function registerLinkRoutes(router: Router, services: PeopleServices, form: Middleware): void {
  const { pageOf } = services;

  // Scanners of mail and previews of chats follow links too: only the form uses the code up.
  router.get('/sign-in/link', async (context) => {
    const code = readSignInCode(readField(context.query, 'code') ?? '')?.text;
    if (code === undefined) throw new Failure('credential-unknown', LINK_OVER);
    bindForms(services, context);
    const shown = { code, returnTo: readReturn(context.query.next) };
    await sendPage(context, renderSignInLinkPage(shown, pageOf(context)));
  });

  router.post('/sign-in/link', form, async (context) => {
    const field = formOf(context);
    const account = await takeSignInCode(services, { code: field('code'), address: context.request.ip });
    await enter(services, context, { account, way: 'link', returnTo: readReturn(field('next')) });
  });
}

/** A new session in every case: one that was there before may be somebody else's. */
async function enter(
  services: PeopleServices,
  context: Context,
  { account, way, returnTo }: { readonly account: Account; readonly way: string; readonly returnTo: string },
): Promise<void> {
  const { cookies, sessions, basePath } = services;
  const browser = context.get('User-Agent');
  const token = await openSession(services, account, { browser, way, address: context.request.ip });
  const former = context.state.visitor?.person;
  if (former !== undefined) await sessions.end(former.session.hash);
  cookies.write(context, 'session', token, SESSION_LIMIT);
  rememberBrowser(services, context, account);
  cookies.forget(context, 'visit');
  leadTo(context, basePath + returnTo);
}

/** From now on nobody else's attempts lock this browser out. */
export function rememberBrowser(services: Services, context: Context, account: Account): void {
  const { cookies } = services;
  const kept = rememberDevice(services, account, cookies.read(context, 'device'));
  if (kept !== undefined) cookies.write(context, 'device', kept, DEVICE_LIMIT);
}

/** A path below BASE_URL: neither another host's nor a text that a browser reads as one. */
function readReturn(value: unknown): string {
  const text = [value].flat()[0];
  return typeof text === 'string' && /^\/(?![/\\])[\x21-\x7e]{0,2000}$/.test(text) && !text.includes('\\') ? text : '/';
}

async function showPage(
  services: PeopleServices,
  context: Context,
  shown: { readonly returnTo: string; readonly name?: string; readonly problem?: string },
): Promise<void> {
  const { config, pageOf } = services;
  bindForms(services, context);
  const ways = { providers: listProviders(services), takesPasswords: config.localAccounts };
  await sendPage(context, renderSignInPage({ ...ways, ...shown }, pageOf(context)));
}
