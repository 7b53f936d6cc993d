import type Router from '@koa/router';
import { mayReadEmails } from '../../domain/repo/caller.ts';
import type { ShowBuild } from '../../use-cases/builds/show-build.ts';
import type { RenderBuildPage } from '../../web/build-page.tsx';
import type { IdentifyReader, IdentifyReaderOf } from '../middleware/authenticate.ts';
import { sendPage } from '../middleware/send-page.ts';
import type { Addresses } from '../presenters/addresses.ts';
import { presentBuild } from '../presenters/build-json.ts';
import { createPageLinks } from '../presenters/page-links.ts';

export interface BuildRoutesDeps {
  readonly showBuild: ShowBuild;
  readonly identifyReader: IdentifyReader;
  readonly identifyBuildReader: IdentifyReaderOf;
  readonly addresses: Addresses;
  readonly renderBuildPage: RenderBuildPage;
}

/** `GET /builds/<id or sha>.json`, and the same without `.json` as a page. */
export function registerBuildRoutes(router: Router, deps: BuildRoutesDeps): void {
  const { showBuild, identifyReader, identifyBuildReader, addresses, renderBuildPage } = deps;

  router.get('/builds/:reference.json', async (context) => {
    const reference = context.params.reference ?? '';
    const caller = await identifyBuildReader(context, reference);
    const shown = await showBuild({ caller, reference });
    context.body = presentBuild(shown, addresses, { showEmail: mayReadEmails(caller, shown.repo) });
  });

  router.get('/builds/:reference', async (context) => {
    const caller = await identifyReader(context);
    const shown = await showBuild({ caller, reference: context.params.reference ?? '' });
    sendPage(context, renderBuildPage(shown, createPageLinks(addresses)));
  });
}
