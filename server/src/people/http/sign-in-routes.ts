import type Router from '@koa/router';
import type { Context } from 'koa';
import { formOf, leadTo, takeForm } from '../../access/browser/forms.ts';
import { bindForms } from '../../access/browser/visitors.ts';
import type { Sessions } from '../../access/sessions.ts';
import { Failure } from '../../core/failure.ts';
import { type Account, SESSION_LIMIT } from '../../core/repo/account.ts';
import type { Cookies } from '../../platform/http/cookies.ts';
import type { PageOf } from '../../platform/http/page-of.ts';
import { readField } from '../../platform/http/read-query.ts';
import { sendPage } from '../../platform/http/send-pieces.ts';
import { DEVICE_LIMIT, type KnownDevices } from '../known-devices.ts';
import type { RenderSignInLinkPage, RenderSignInPage } from '../pages/sign-in-page.tsx';
import { LINK_OVER } from '../sentences.ts';
import type { SignInElsewhere } from '../sign-in-elsewhere.ts';
import type { SignInLocally } from '../sign-in-locally.ts';
import { readSignInCode, type TakeSignInCode } from '../take-sign-in-code.ts';

export interface SignInDeps {
  readonly cookies: Cookies;
  readonly sessions: Sessions;
  /** Undefined: nobody has a password here. */
  readonly signInLocally: SignInLocally | undefined;
  readonly signInElsewhere: SignInElsewhere;
  readonly takeSignInCode: TakeSignInCode;
  readonly knownDevices: Pick<KnownDevices, 'remember'>;
  readonly newRandom: () => string;
  readonly hash: (text: string) => string;
  readonly pageOf: PageOf;
  readonly renderSignInPage: RenderSignInPage;
  readonly renderSignInLinkPage: RenderSignInLinkPage;
  /** The path of BASE_URL, or `''`. */
  readonly basePath: string;
  readonly baseUrl: () => string;
}

/** `/sign-in` and what follows from it, and `POST /sign-out`. */
export function registerSignInRoutes(router: Router, deps: SignInDeps): void {
  const { cookies, signInLocally, signInElsewhere, sessions, basePath } = deps;
  const form = takeForm(deps);

  router.get('/sign-in', (context) => showPage(deps, context, { returnTo: readReturn(context.query.next) }));

  router.post('/sign-in', form, async (context) => {
    const field = formOf(context);
    const returnTo = readReturn(field('next'));
    if (signInLocally === undefined) throw new Failure('not-found', 'Nobody signs in here with a password.');
    const kept = cookies.read(context, 'device');
    const given = { name: field('name'), password: field('password'), address: context.request.ip, kept };
    try {
      await enter(deps, context, { account: await signInLocally(given), way: 'password', returnTo });
    } catch (error) {
      if (!(error instanceof Failure) || !['credential-unknown', 'over-limit'].includes(error.code)) throw error;
      context.status = error.code === 'over-limit' ? 429 : 401;
      await showPage(deps, context, { returnTo, name: given.name, problem: error.message });
    }
  });

  registerLinkRoutes(router, deps, form);

  router.get('/sign-in/:provider', async (context) => {
    const { provider = '' } = context.params;
    const { address, kept } = await signInElsewhere.begin(provider, readReturn(context.query.next));
    cookies.write(context, 'signin', kept, 15 * 60_000);
    context.redirect(address);
  });

  router.get('/sign-in/:provider/callback', async (context) => {
    const { provider: key = '' } = context.params;
    const kept = cookies.read(context, 'signin');
    const answer = new URLSearchParams(context.querystring);
    cookies.forget(context, 'signin');
    const { account, returnTo } = await signInElsewhere.finish({ key, kept, answer, address: context.request.ip });
    await enter(deps, context, { account, way: key, returnTo });
  });

  router.post('/sign-out', form, async (context) => {
    const { person } = context.state.visitor ?? {};
    if (person !== undefined && formOf(context)('everywhere') !== '') await sessions.endAll(person.account);
    else if (person !== undefined) await sessions.end(person.session);
    cookies.forget(context, 'session');
    leadTo(context, `${basePath}/sign-in`);
  });
}

function registerLinkRoutes(router: Router, deps: SignInDeps, form: ReturnType<typeof takeForm>): void {
  const { takeSignInCode, pageOf, renderSignInLinkPage } = deps;

  // Scanners of mail and previews of chats follow links too: only the form uses the code up.
  router.get('/sign-in/link', async (context) => {
    const code = readSignInCode(readField(context.query, 'code') ?? '')?.text;
    if (code === undefined) throw new Failure('credential-unknown', LINK_OVER);
    bindForms(deps, context);
    const shown = { code, returnTo: readReturn(context.query.next) };
    await sendPage(context, renderSignInLinkPage(shown, pageOf(context)));
  });

  router.post('/sign-in/link', form, async (context) => {
    const field = formOf(context);
    const account = await takeSignInCode({ code: field('code'), address: context.request.ip });
    await enter(deps, context, { account, way: 'link', returnTo: readReturn(field('next')) });
  });
}

/** A new session in every case: one that was there before may be somebody else's. */
async function enter(
  deps: SignInDeps,
  context: Context,
  { account, way, returnTo }: { readonly account: Account; readonly way: string; readonly returnTo: string },
): Promise<void> {
  const { cookies, sessions, basePath } = deps;
  const browser = context.get('User-Agent');
  const token = await sessions.open(account, { browser, way, address: context.request.ip });
  const former = context.state.visitor?.person;
  if (former !== undefined) await sessions.end(former.session);
  cookies.write(context, 'session', token, SESSION_LIMIT);
  rememberDevice(deps, context, account);
  cookies.forget(context, 'visit');
  leadTo(context, basePath + returnTo);
}

/** From now on nobody else's attempts lock this browser out. */
export function rememberDevice(
  { cookies, knownDevices }: Pick<SignInDeps, 'cookies' | 'knownDevices'>,
  context: Context,
  account: Account,
): void {
  const kept = knownDevices.remember(account, cookies.read(context, 'device'));
  if (kept !== undefined) cookies.write(context, 'device', kept, DEVICE_LIMIT);
}

/** A path below BASE_URL: neither another host's nor a text that a browser reads as one. */
function readReturn(value: unknown): string {
  const text = [value].flat()[0];
  return typeof text === 'string' && /^\/(?![/\\])[\x21-\x7e]{0,2000}$/.test(text) && !text.includes('\\') ? text : '/';
}

async function showPage(
  deps: SignInDeps,
  context: Context,
  shown: { readonly returnTo: string; readonly name?: string; readonly problem?: string },
): Promise<void> {
  const { signInElsewhere, signInLocally, pageOf, renderSignInPage } = deps;
  bindForms(deps, context);
  const ways = { providers: signInElsewhere.listProviders(), takesPasswords: signInLocally !== undefined };
  await sendPage(context, renderSignInPage({ ...ways, ...shown }, pageOf(context)));
}
