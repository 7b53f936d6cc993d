import type Router from '@koa/router';
import type { Middleware } from 'koa';
import type { IdentifyReader } from '../../access/browser/authenticate.ts';
import { formOf } from '../../access/browser/forms.ts';
import { Failure } from '../../core/failure.ts';
import type { PageOf } from '../../platform/http/page-of.ts';
import { readField, readPaging } from '../../platform/http/read-query.ts';
import { sendPage } from '../../platform/http/send-pieces.ts';
import type { AdministerServer } from '../administer-server.ts';
import type { RenderAdminPage } from '../pages/admin-page.tsx';

export interface AdminPageDeps {
  readonly identifyReader: IdentifyReader;
  readonly takeForm: Middleware;
  readonly administer: AdministerServer;
  readonly pageOf: PageOf;
  readonly renderAdminPage: RenderAdminPage;
}

const REPOS = { usual: 50, most: 50 };

/** `GET /admin`, and `POST` of what its buttons do. */
export function registerAdminPages(router: Router, deps: AdminPageDeps): void {
  const { identifyReader, takeForm, administer, pageOf, renderAdminPage } = deps;
  router.get('/admin', async (context) => {
    const caller = await identifyReader(context);
    const text = readField(context.query, 'q');
    const shown = await administer.show({ caller, text, paging: readPaging(context.query, REPOS) });
    const done = readField(context.query, 'done') !== undefined;
    await sendPage(context, renderAdminPage({ shown, text, done }, pageOf(context)));
  });

  router.post('/admin', async (context) => {
    await takeForm(context, async () => {});
    const caller = await identifyReader(context);
    administer.refuseOthers(caller);
    const form = formOf(context);
    const id = /^\d{1,15}$/.test(form('id')) ? Number(form('id')) : undefined;
    if (form('do') === 'announce') await administer.retryAnnouncements({ caller, repoId: id });
    else if (form('do') === 'build' && id !== undefined) await administer.retryBuild({ caller, buildId: id });
    else if (form('do') === 'base' && id !== undefined) await administer.takeBackBase({ caller, buildId: id });
    else throw new Failure('payload-invalid', 'Nothing was done: the form does not say what to do.', { field: 'do' });
    context.status = 303;
    context.redirect(`${pageOf(context).links.admin()}?done=1`);
  });
}
