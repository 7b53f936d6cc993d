import type Router from '@koa/router';
import type { Context } from 'koa';
import { formOf, leadTo, personOf, takeForm } from '../../access/browser/forms.ts';
import { liveSessions } from '../../access/sessions.ts';
import { Failure } from '../../core/failure.ts';
import { sendPage } from '../../platform/http/send-pieces.ts';
import { createAccountToken, revokeAccountToken } from '../account-tokens.ts';
import { changePassword } from '../change-password.ts';
import { renderAccountPage, type ShownAccount } from '../pages/account-page.tsx';
import { nameIssuer } from '../sign-in-elsewhere.ts';
import { type PeopleServices, rememberBrowser } from './sign-in-routes.ts';

const DAY = 86_400_000;
/** Days that a token may be made for; `never`: it does not expire. */
const LIFETIMES: Readonly<Record<string, number | undefined>> = {
  30: 30 * DAY,
  90: 90 * DAY,
  365: 365 * DAY,
  never: undefined,
};

/** Somebody's own page, `/account/tokens`, and what its forms do. */
export function registerAccountRoutes(router: Router, services: PeopleServices): void {
  const { basePath } = services;
  const form = takeForm(services);
  const home = `${basePath}/account/tokens`;
  const change = (path: string, act: (context: Context) => Promise<Notes>): void => {
    router.post(path, form, async (context) => {
      personOf(context);
      await showPage(services, context, await noteFailure(context, act));
    });
  };

  router.get('/account', (context) => context.redirect(home));
  router.get('/account/tokens', async (context) => {
    if (context.state.visitor?.person === undefined) return leadToSignIn(context, basePath);
    await showPage(services, context, {});
  });

  change('/account/tokens', async (context) => {
    const field = formOf(context);
    const expires = field('expires');
    if (!Object.hasOwn(LIFETIMES, expires))
      throw new Failure('payload-invalid', 'A token expires in 30, 90 or 365 days, or never.');
    const wanted = { name: field('name'), lifetime: LIFETIMES[expires] };
    return { made: await createAccountToken(services, personOf(context), wanted) };
  });
  change('/account/revoke', async (context) => {
    await revokeAccountToken(services, personOf(context), Number(formOf(context)('id')));
    return { done: 'The token was revoked.' };
  });
  change('/account/password', async (context) => {
    const field = formOf(context);
    if (field('new_password') !== field('again'))
      throw new Failure('payload-invalid', 'The two new passwords do not match.');
    const passwords = { current: field('current_password'), wanted: field('new_password') };
    const changed = await changePassword(services, personOf(context), { ...passwords, address: context.request.ip });
    rememberBrowser(services, context, changed);
    return { done: 'Your password was changed. You were signed out everywhere else.' };
  });

  router.post('/account/end-session', form, async (context) => {
    const { account } = personOf(context);
    const id = formOf(context)('id');
    const ended = (await liveSessions(services, account)).find(({ hash }) => hash.slice(0, 16) === id);
    if (ended !== undefined) await services.sessions.end(ended.hash);
    leadTo(context, home);
  });
}

type Notes = Pick<ShownAccount, 'made' | 'done' | 'problem'>;

const SHOWN: readonly string[] = ['payload-invalid', 'over-limit', 'not-found'];

/** A typing error is reported on the page where it was made. */
async function noteFailure(context: Context, act: (context: Context) => Promise<Notes>): Promise<Notes> {
  try {
    return await act(context);
  } catch (error) {
    if (!(error instanceof Failure) || !SHOWN.includes(error.code)) throw error;
    context.status = error.code === 'over-limit' ? 429 : 422;
    return { problem: error.message };
  }
}

/** Back to this page afterward. */
export function leadToSignIn(context: Context, basePath: string): void {
  const back = new URLSearchParams({ next: `${context.path}${context.search}` });
  context.redirect(`${basePath}/sign-in?${back}`);
}

async function showPage(services: PeopleServices, context: Context, notes: Notes): Promise<void> {
  const { tokens: stored, groups, pageOf } = services;
  const { account, session } = personOf(context);
  const [tokens, open] = await Promise.all([stored.ofAccount(account.id), liveSessions(services, account)]);
  const provider = nameIssuer(services, account.issuer);
  const ofGroups = groups.describe(account);
  const shown = { account, provider, groups: ofGroups, tokens, sessions: open, session, ...notes };
  await sendPage(context, renderAccountPage(shown, pageOf(context)));
}
