import type Router from '@koa/router';
import type { Context } from 'koa';
import { formOf, leadTo, personOf, takeForm } from '../../access/browser/forms.ts';
import type { Sessions } from '../../access/sessions.ts';
import { Failure } from '../../core/failure.ts';
import type { PageOf } from '../../platform/http/page-of.ts';
import { sendPage } from '../../platform/http/send-pieces.ts';
import type { CurrentGroups } from '../../ports/access.ts';
import type { AccountTokens } from '../account-tokens.ts';
import type { ChangePassword } from '../change-password.ts';
import type { RenderAccountPage, ShownAccount } from '../pages/account-page.tsx';
import { rememberDevice, type SignInDeps } from './sign-in-routes.ts';

export interface AccountRoutesDeps extends Pick<SignInDeps, 'cookies' | 'knownDevices'> {
  readonly sessions: Sessions;
  readonly groups: Pick<CurrentGroups, 'describe'>;
  readonly accountTokens: AccountTokens;
  readonly changePassword: ChangePassword;
  /** As people know the provider of an account. */
  readonly nameIssuer: (issuer: string) => string;
  readonly pageOf: PageOf;
  readonly renderAccountPage: RenderAccountPage;
  /** The path of BASE_URL, or `''`. */
  readonly basePath: string;
  readonly baseUrl: () => string;
}

const DAY = 86_400_000;
/** Days that a token may be made for; `never`: it does not expire. */
const LIFETIMES: Readonly<Record<string, number | undefined>> = {
  30: 30 * DAY,
  90: 90 * DAY,
  365: 365 * DAY,
  never: undefined,
};

/** Somebody's own page, `/account/tokens`, and what its forms do. */
export function registerAccountRoutes(router: Router, deps: AccountRoutesDeps): void {
  const { sessions, accountTokens, changePassword, basePath } = deps;
  const form = takeForm(deps);
  const home = `${basePath}/account/tokens`;
  const change = (path: string, act: (context: Context) => Promise<Notes>): void => {
    router.post(path, form, async (context) => {
      personOf(context);
      await showPage(deps, context, await noteFailure(context, act));
    });
  };

  router.get('/account', (context) => context.redirect(home));
  router.get('/account/tokens', async (context) => {
    if (context.state.visitor?.person === undefined) return leadToSignIn(context, basePath);
    await showPage(deps, context, {});
  });

  change('/account/tokens', async (context) => {
    const field = formOf(context);
    const expires = field('expires');
    if (!Object.hasOwn(LIFETIMES, expires))
      throw new Failure('payload-invalid', 'A token expires in 30, 90 or 365 days, or never.');
    const wanted = { name: field('name'), lifetime: LIFETIMES[expires] };
    return { made: await accountTokens.create(personOf(context), wanted) };
  });
  change('/account/revoke', async (context) => {
    await accountTokens.revoke(personOf(context), Number(formOf(context)('id')));
    return { done: 'The token was revoked.' };
  });
  change('/account/password', async (context) => {
    const field = formOf(context);
    if (field('new_password') !== field('again'))
      throw new Failure('payload-invalid', 'The new password was typed in two ways.');
    const passwords = { current: field('current_password'), wanted: field('new_password') };
    const changed = await changePassword(personOf(context), { ...passwords, address: context.request.ip });
    rememberDevice(deps, context, changed);
    return { done: 'Your password was changed. You were signed out everywhere else.' };
  });

  router.post('/account/end-session', form, async (context) => {
    const { account } = personOf(context);
    const id = formOf(context)('id');
    const ended = (await sessions.list(account)).find(({ hash }) => hash.slice(0, 16) === id);
    if (ended !== undefined) await sessions.end(ended);
    leadTo(context, home);
  });
}

type Notes = Pick<ShownAccount, 'made' | 'done' | 'problem'>;

const SHOWN: readonly string[] = ['payload-invalid', 'over-limit', 'not-found'];

/** What somebody typed wrong is said on the page where they typed it. */
async function noteFailure(context: Context, act: (context: Context) => Promise<Notes>): Promise<Notes> {
  try {
    return await act(context);
  } catch (error) {
    if (!(error instanceof Failure) || !SHOWN.includes(error.code)) throw error;
    context.status = error.code === 'over-limit' ? 429 : 422;
    return { problem: error.message };
  }
}

/** Back to this page afterwards. */
export function leadToSignIn(context: Context, basePath: string): void {
  const back = new URLSearchParams({ next: `${context.path}${context.search}` });
  context.redirect(`${basePath}/sign-in?${back}`);
}

async function showPage(deps: AccountRoutesDeps, context: Context, notes: Notes): Promise<void> {
  const { sessions, accountTokens, groups, nameIssuer, pageOf, renderAccountPage } = deps;
  const { account, session } = personOf(context);
  const [tokens, open] = await Promise.all([accountTokens.list(account), sessions.list(account)]);
  const provider = nameIssuer(account.issuer);
  const ofGroups = groups.describe(account);
  const shown = { account, provider, groups: ofGroups, tokens, sessions: open, session, ...notes };
  await sendPage(context, renderAccountPage(shown, pageOf(context)));
}
