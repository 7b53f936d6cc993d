import type Router from '@koa/router';
import type { Context, Middleware } from 'koa';
import { formOf, leadTo, personOf } from '../../access/browser/forms.ts';
import { Failure, type FailureCode } from '../../core/failure.ts';
import type { PageOf } from '../../platform/http/page-of.ts';
import { sendPage } from '../../platform/http/send-pieces.ts';
import type { CreateRepo } from '../create-repo.ts';
import type { NewRepoForm, RenderNewRepoPage } from '../pages/new-repo-page.tsx';
import { readNewRepo } from './repo-fields.ts';

export interface NewRepoDeps {
  readonly createRepo: CreateRepo;
  readonly takeForm: Middleware;
  readonly pageOf: PageOf;
  readonly renderNewRepoPage: RenderNewRepoPage;
}

/** What is said on the form itself, with its status. */
const SHOWN: Readonly<Partial<Record<FailureCode, number>>> = { 'payload-invalid': 422, conflict: 409, forbidden: 403 };

/** `/repos/new`: the form that makes a repo, and its `POST`, which leads to the new repo's page. */
export function registerNewRepo(
  router: Router,
  { createRepo, takeForm, pageOf, renderNewRepoPage }: NewRepoDeps,
): void {
  const show = (context: Context, form: NewRepoForm): Promise<void> =>
    sendPage(context, renderNewRepoPage(form, pageOf(context)));

  router.get('/repos/new', async (context) => {
    const { links, here } = pageOf(context);
    if (context.state.visitor?.person === undefined) return context.redirect(links.signIn(here));
    await show(context, { service: 'manual', name: '', problem: undefined });
  });

  router.post('/repos/new', takeForm, async (context) => {
    const { caller } = personOf(context);
    const field = formOf(context);
    const asked = { service: field('service'), name: field('name').trim() };
    try {
      const { repo } = await createRepo({ caller, ...readNewRepo({ repo: asked }) });
      leadTo(context, pageOf(context).links.repo(repo));
    } catch (error) {
      const status = error instanceof Failure ? SHOWN[error.code] : undefined;
      if (status === undefined) throw error;
      context.status = status;
      await show(context, { ...asked, problem: (error as Failure).message });
    }
  });
}
