import type Router from '@koa/router';
import type { RouterContext } from '@koa/router';
import { mayReadEmails } from '../../domain/repo/caller.ts';
import type { BuildRequest, ShowBuild } from '../../use-cases/builds/show-build.ts';
import type { RenderBuildPage } from '../../web/build-page.tsx';
import type { IdentifyReader, IdentifyReaderOf } from '../middleware/authenticate.ts';
import { sendPage, sendPieces } from '../middleware/send-pieces.ts';
import { nextTurn } from '../middleware/turns.ts';
import type { Addresses } from '../presenters/addresses.ts';
import { presentBuild } from '../presenters/build-json.ts';
import { jsonPieces } from '../presenters/json-pieces.ts';
import type { PageOf } from '../presenters/page-of.ts';
import { type PageSizes, readPartPaging } from './read-query.ts';

export interface BuildRoutesDeps {
  readonly showBuild: ShowBuild;
  readonly identifyReader: IdentifyReader;
  readonly identifyBuildReader: IdentifyReaderOf;
  readonly addresses: Addresses;
  readonly pageOf: PageOf;
  readonly renderBuildPage: RenderBuildPage;
}

/** Flags, and jobs: more than nearly every build has. */
const IN_JSON = { usual: 1_000, most: 1_000 };
const ON_PAGE = { usual: 100, most: 100 };

/** `GET /builds/<id or sha>.json`, and the same without `.json` as a page. */
export function registerBuildRoutes(router: Router, deps: BuildRoutesDeps): void {
  const { showBuild, identifyReader, identifyBuildReader, addresses, pageOf, renderBuildPage } = deps;

  router.get('/builds/:reference.json', async (context) => {
    const caller = await identifyBuildReader(context, context.params.reference ?? '');
    const shown = await showBuild({ caller, failingFirst: false, ...readParts(context, IN_JSON) });
    await nextTurn();
    const json = presentBuild(shown, addresses, { showEmail: mayReadEmails(shown.caller, shown.repo) });
    await sendPieces(context, 'json', jsonPieces(json));
  });

  router.get('/builds/:reference', async (context) => {
    const caller = await identifyReader(context);
    const shown = await showBuild({ caller, failingFirst: true, ...readParts(context, ON_PAGE) });
    await sendPage(context, renderBuildPage(shown, pageOf(context)));
  });
}

function readParts({ params, query }: RouterContext, sizes: PageSizes): Omit<BuildRequest, 'caller' | 'failingFirst'> {
  return {
    reference: params.reference ?? '',
    flags: readPartPaging(query, 'flags_page', sizes),
    jobs: readPartPaging(query, 'jobs_page', sizes),
  };
}
