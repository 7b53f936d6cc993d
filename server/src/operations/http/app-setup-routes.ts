import type Router from '@koa/router';
import type { Context } from 'koa';
import { formOf, takeForm } from '../../access/browser/forms.ts';
import { bindForms } from '../../access/browser/visitors.ts';
import { identifyCaller } from '../../access/identify-caller.ts';
import type { Caller } from '../../core/repo/caller.ts';
import { pagePolicy } from '../../platform/http/protect-answers.ts';
import { readField } from '../../platform/http/read-query.ts';
import { sendPage } from '../../platform/http/send-pieces.ts';
import type { Services } from '../../services/services.ts';
import { renderAppMadePage, renderAppSetupPage, renderSendFormPage } from '../pages/app-setup-page.tsx';
import { beginAppSetup, finishAppSetup, SETUP_LIMIT, showAppSetup } from '../set-up-app.ts';

/** `/setup`: an administrator has the App of the git host made. */
export function registerAppSetupRoutes(router: Router, services: Services): void {
  const { cookies, pageOf } = services;

  router.get('/setup', async (context) => {
    bindForms(services, context);
    const person = administratorIn(context);
    const shown = person && (await showAppSetup(services, person));
    await sendPage(context, renderAppSetupPage(shown, pageOf(context)));
  });

  router.post('/setup', takeForm(services), async (context) => {
    const field = formOf(context);
    const caller =
      administratorIn(context) ??
      (await identifyCaller(services, { authorization: `token ${field('token')}`, repoToken: undefined }));
    const replaces = field('replace') !== '';
    const { form, kept } = await beginAppSetup(services, { caller, owner: field('owner').trim(), replaces });
    const { hostName, permissions } = await showAppSetup(services, caller);
    cookies.write(context, 'setup', kept, SETUP_LIMIT);
    // The one page whose form leads to another server.
    context.set('Content-Security-Policy', pagePolicy(new URL(form.action).origin));
    await sendPage(context, renderSendFormPage({ hostName, permissions, form }, pageOf(context)));
  });

  router.get('/setup/callback', async (context) => {
    const kept = cookies.read(context, 'setup');
    const { caller: person } = context.state.visitor?.person ?? {};
    const [state = '', code = ''] = ['state', 'code'].map((name) => readField(context.query, name));
    const made = await finishAppSetup(services, { kept, person, state, code });
    cookies.forget(context, 'setup');
    await sendPage(context, renderAppMadePage(made, pageOf(context)));
  });
}

function administratorIn({ state }: Context): Caller | undefined {
  const caller: Caller | undefined = state.visitor?.person?.caller;
  return caller?.kind === 'user' && caller.role === 'administrator' ? caller : undefined;
}
