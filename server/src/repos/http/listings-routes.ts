import type Router from '@koa/router';
import type { RouterContext } from '@koa/router';
import type { IdentifyReader } from '../../access/browser/authenticate.ts';
import { presentBuildList } from '../../builds/http/build-list-json.ts';
import { jsonPieces } from '../../builds/http/json-pieces.ts';
import type { ListBuilds } from '../../builds/list-builds.ts';
import type { RenderJobPage } from '../../builds/pages/job-page.tsx';
import type { ShowJob } from '../../builds/show-build.ts';
import { type Caller, mayReadEmails } from '../../core/repo/caller.ts';
import { REPO_SERVICES } from '../../core/repo/repo.ts';
import type { PageOf } from '../../platform/http/page-of.ts';
import { readField, readPaging, readRepoPath } from '../../platform/http/read-query.ts';
import { sendPage, sendPieces } from '../../platform/http/send-pieces.ts';
import type { Addresses } from '../../platform/web/addresses.ts';
import { BUILDS_ON_PAGE } from './repo-pages-routes.ts';

export interface BuildListRoutesDeps {
  readonly listBuilds: ListBuilds;
  readonly showJob: ShowJob;
  readonly identifyReader: IdentifyReader;
  readonly addresses: Addresses;
  readonly pageOf: PageOf;
  readonly renderJobPage: RenderJobPage;
}

/** `GET /<service>/<owner>/<repo>.json`, and the page `GET /jobs/<id>`. */
export function registerBuildListRoutes(router: Router, deps: BuildListRoutesDeps): void {
  const { listBuilds, showJob, identifyReader, addresses, pageOf, renderJobPage } = deps;
  const list = (context: RouterContext, service: string, caller: Caller) =>
    listBuilds({
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
    const shown = await showJob({ caller, reference: context.params.id ?? '' });
    await sendPage(context, renderJobPage(shown, pageOf(context)));
  });
}
