import type Router from '@koa/router';
import type { RouterContext } from '@koa/router';
import { presentBuildList } from '../../builds/http/build-list-json.ts';
import { jsonPieces } from '../../builds/http/json-pieces.ts';
import { listBuilds } from '../../builds/list-builds.ts';
import { renderJobPage } from '../../builds/pages/job-page.tsx';
import { showJob } from '../../builds/show-build.ts';
import { type Caller, mayReadEmails } from '../../core/repo/caller.ts';
import { REPO_SERVICES } from '../../core/repo/repo.ts';
import { readField, readPaging, readRepoPath } from '../../platform/http/read-query.ts';
import { sendPage, sendPieces } from '../../platform/http/send-pieces.ts';
import type { Services } from '../../services/services.ts';
import { BUILDS_ON_PAGE } from './repo-pages-routes.ts';

/** `GET /<service>/<owner>/<repo>.json`, and the page `GET /jobs/<id>`. */
export function registerBuildListRoutes(router: Router, services: Services): void {
  const { identifyReader, addresses, pageOf } = services;
  const list = (context: RouterContext, service: string, caller: Caller) =>
    listBuilds(services, {
      caller,
      address: readRepoPath(service, context.params.name ?? ''),
      branch: readField(context.query, 'branch'),
      paging: readPaging(context.query, BUILDS_ON_PAGE),
    });

  // Each service by name: as a parameter it would take every other address of two parts.
  for (const service of REPO_SERVICES) {
    router.get(`/${service}/*name.json`, async (context) => {
      const caller = await identifyReader(context);
      const listed = await list(context, service, caller);
      const json = presentBuildList(listed, addresses, {
        showEmail: mayReadEmails(listed.caller, listed.repo),
        pageAsked: readField(context.query, 'page') !== undefined,
      });
      await sendPieces(context, 'json', jsonPieces(json));
    });
  }

  router.get('/jobs/:id', async (context) => {
    const caller = await identifyReader(context);
    const shown = await showJob(services, { caller, reference: context.params.id ?? '' });
    await sendPage(context, renderJobPage(shown, pageOf(context)));
  });
}
