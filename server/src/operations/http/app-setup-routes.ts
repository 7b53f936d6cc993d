import type Router from '@koa/router';
import type { Context } from 'koa';
import { formOf, takeForm } from '../../access/browser/forms.ts';
import { type BindFormsDeps, bindForms } from '../../access/browser/visitors.ts';
import type { Identify } from '../../access/identify-caller.ts';
import type { Caller } from '../../core/repo/caller.ts';
import type { Cookies } from '../../platform/http/cookies.ts';
import type { PageOf } from '../../platform/http/page-of.ts';
import { pagePolicy } from '../../platform/http/protect-answers.ts';
import { readField } from '../../platform/http/read-query.ts';
import { sendPage } from '../../platform/http/send-pieces.ts';
import type { RenderAppMadePage, RenderAppSetupPage, RenderSendFormPage } from '../pages/app-setup-page.tsx';
import { SETUP_LIMIT, type SetUpApp } from '../set-up-app.ts';

export interface AppSetupRoutesDeps extends BindFormsDeps {
  readonly cookies: Cookies;
  readonly setUpApp: SetUpApp;
  /** Whose a token is that stands in the form. */
  readonly identifyCaller: Identify;
  readonly baseUrl: () => string;
  readonly pageOf: PageOf;
  readonly renderAppSetupPage: RenderAppSetupPage;
  readonly renderSendFormPage: RenderSendFormPage;
  readonly renderAppMadePage: RenderAppMadePage;
}

/** `/setup`: an administrator has the App of the git host made. */
export function registerAppSetupRoutes(router: Router, deps: AppSetupRoutesDeps): void {
  const { cookies, setUpApp, identifyCaller, pageOf } = deps;

  router.get('/setup', async (context) => {
    bindForms(deps, context);
    const person = administratorIn(context);
    const shown = person && (await setUpApp.show(person));
    await sendPage(context, deps.renderAppSetupPage(shown, pageOf(context)));
  });

  router.post('/setup', takeForm(deps), async (context) => {
    const field = formOf(context);
    const caller =
      administratorIn(context) ??
      (await identifyCaller({ authorization: `token ${field('token')}`, repoToken: undefined }));
    const replaces = field('replace') !== '';
    const { form, kept } = await setUpApp.begin({ caller, owner: field('owner').trim(), replaces });
    const { hostName, permissions } = await setUpApp.show(caller);
    cookies.write(context, 'setup', kept, SETUP_LIMIT);
    // The one page whose form leads to another server.
    context.set('Content-Security-Policy', pagePolicy(new URL(form.action).origin));
    await sendPage(context, deps.renderSendFormPage({ hostName, permissions, form }, pageOf(context)));
  });

  router.get('/setup/callback', async (context) => {
    const kept = cookies.read(context, 'setup');
    const { caller: person } = context.state.visitor?.person ?? {};
    const [state = '', code = ''] = ['state', 'code'].map((name) => readField(context.query, name));
    const made = await setUpApp.finish({ kept, person, state, code });
    cookies.forget(context, 'setup');
    await sendPage(context, deps.renderAppMadePage(made, pageOf(context)));
  });
}

function administratorIn({ state }: Context): Caller | undefined {
  const caller: Caller | undefined = state.visitor?.person?.caller;
  return caller?.kind === 'user' && caller.role === 'administrator' ? caller : undefined;
}
