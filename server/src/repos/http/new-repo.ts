import type Router from '@koa/router';
import type { Context } from 'koa';
import { formOf, leadTo, personOf, takeForm } from '../../access/browser/forms.ts';
import { Failure, type FailureCode } from '../../core/failure.ts';
import { sendPage } from '../../platform/http/send-pieces.ts';
import type { Services } from '../../services/services.ts';
import { createRepo } from '../create-repo.ts';
import { type NewRepoForm, renderNewRepoPage } from '../pages/new-repo-page.tsx';
import { readNewRepo } from './repo-fields.ts';

/** What the form itself reports, with its status. */
const SHOWN: Readonly<Partial<Record<FailureCode, number>>> = { 'payload-invalid': 422, conflict: 409, forbidden: 403 };

/** `/repos/new`: the form that makes a repo, and its `POST`, which leads to the new repo's page. */
export function registerNewRepo(router: Router, services: Services): void {
  const { pageOf } = services;
  const show = (context: Context, form: NewRepoForm): Promise<void> =>
    sendPage(context, renderNewRepoPage(form, pageOf(context)));

  router.get('/repos/new', async (context) => {
    const { links, here } = pageOf(context);
    if (context.state.visitor?.person === undefined) return context.redirect(links.signIn(here));
    await show(context, { service: 'manual', name: '', problem: undefined });
  });

  router.post('/repos/new', takeForm(services), async (context) => {
    const { caller } = personOf(context);
    const field = formOf(context);
    const asked = { service: field('service'), name: field('name').trim() };
    try {
      const { repo } = await createRepo(services, { caller, ...readNewRepo({ repo: asked }) });
      leadTo(context, pageOf(context).links.repo(repo));
    } catch (error) {
      const status = error instanceof Failure ? SHOWN[error.code] : undefined;
      if (status === undefined) throw error;
      context.status = status;
      await show(context, { ...asked, problem: (error as Failure).message });
    }
  });
}
