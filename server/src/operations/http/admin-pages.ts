import type Router from '@koa/router';
import { formOf, takeForm } from '../../access/browser/forms.ts';
import { Failure } from '../../core/failure.ts';
import { readField, readPaging } from '../../platform/http/read-query.ts';
import { sendPage } from '../../platform/http/send-pieces.ts';
import type { Services } from '../../services/services.ts';
import { refuseOthers, retryAnnouncements, retryBuild, showServer, takeBackBase } from '../administer-server.ts';
import { renderAdminPage } from '../pages/admin-page.tsx';

const REPOS = { default: 50, max: 50 };

/** `GET /admin`, and `POST` of what its buttons do. */
export function registerAdminPages(router: Router, services: Services): void {
  const { identifyReader, pageOf } = services;
  const readForm = takeForm(services, { forPrograms: true });
  router.get('/admin', async (context) => {
    const caller = await identifyReader(context);
    const text = readField(context.query, 'q');
    const shown = await showServer(services, { caller, text, paging: readPaging(context.query, REPOS) });
    const done = readField(context.query, 'done') !== undefined;
    await sendPage(context, renderAdminPage({ shown, text, done }, pageOf(context)));
  });

  router.post('/admin', async (context) => {
    await readForm(context, async () => {});
    const caller = await identifyReader(context);
    refuseOthers(caller);
    const form = formOf(context);
    const id = /^\d{1,15}$/.test(form('id')) ? Number(form('id')) : undefined;
    if (form('do') === 'announce') await retryAnnouncements(services, { caller, repoId: id });
    else if (form('do') === 'build' && id !== undefined) await retryBuild(services, { caller, buildId: id });
    else if (form('do') === 'base' && id !== undefined) await takeBackBase(services, { caller, buildId: id });
    else throw new Failure('payload-invalid', 'Nothing was done: the form does not say what to do.', { field: 'do' });
    context.status = 303;
    context.redirect(`${pageOf(context).links.admin()}?done=1`);
  });
}
