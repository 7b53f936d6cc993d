import type Router from '@koa/router';
import type { RouterContext } from '@koa/router';
import { mayReadEmails } from '../../domain/repo/caller.ts';
import type { RepoAddress } from '../../domain/repo/repo-name.ts';
import type { BuildInRepo, FindBuildInRepo } from '../../use-cases/builds/find-in-repo.ts';
import type { ReadPageMark } from '../../use-cases/builds/page-mark.ts';
import type { BuildRequest, ShowBuild } from '../../use-cases/builds/show-build.ts';
import type { ShowBuildPage } from '../../use-cases/builds/show-build-page.ts';
import type { ShowPull } from '../../use-cases/builds/show-pull.ts';
import type { RenderBuildPage } from '../../web/build-page.tsx';
import type { RenderCommitsPage } from '../../web/commits-page.tsx';
import type { RenderPullPage } from '../../web/pull-page.tsx';
import type { IdentifyReader, IdentifyReaderOf } from '../middleware/authenticate.ts';
import { chooseCommit } from '../middleware/choose-commit.ts';
import { sendPage, sendPieces } from '../middleware/send-pieces.ts';
import { nextTurn } from '../middleware/turns.ts';
import type { Addresses } from '../presenters/addresses.ts';
import { presentBuild } from '../presenters/build-json.ts';
import { jsonPieces } from '../presenters/json-pieces.ts';
import type { PageOf } from '../presenters/page-of.ts';
import { type PageSizes, readPaging, readPartPaging, readRepoPath } from './read-query.ts';

export interface BuildRoutesDeps {
  readonly showBuild: ShowBuild;
  readonly showBuildPage: ShowBuildPage;
  readonly findBuildInRepo: FindBuildInRepo;
  readonly showPull: ShowPull;
  readonly readPageMark: ReadPageMark;
  readonly identifyReader: IdentifyReader;
  readonly identifyBuildReader: IdentifyReaderOf;
  readonly addresses: Addresses;
  readonly pageOf: PageOf;
  readonly renderBuildPage: RenderBuildPage;
  readonly renderPullPage: RenderPullPage;
  readonly renderCommitsPage: RenderCommitsPage;
}

/** Flags, and jobs: more than nearly every build has. */
const IN_JSON = { usual: 1_000, most: 1_000 };
const ON_PAGE = { usual: 100, most: 100 };

/** `GET /builds/<id or sha>.json`, and the same without `.json` as a page. */
export function registerBuildRoutes(router: Router, deps: BuildRoutesDeps): void {
  const { showBuild, readPageMark, identifyReader, identifyBuildReader, addresses } = deps;

  router.get('/builds/:reference.json', async (context) => {
    const caller = await identifyBuildReader(context, context.params.reference ?? '');
    const reference = context.params.reference ?? '';
    const shown = await showBuild({ caller, reference, failingFirst: false, ...readParts(context, IN_JSON) });
    await nextTurn();
    const json = presentBuild(shown, addresses, { showEmail: mayReadEmails(shown.caller, shown.repo) });
    await sendPieces(context, 'json', jsonPieces(json));
  });

  router.get('/builds/:reference/mark.json', async (context) => {
    const caller = await identifyReader(context);
    context.body = { mark: await readPageMark({ caller, reference: context.params.reference ?? '' }) };
  });

  router.get('/builds/:reference', (context) => answerPage(context, deps, context.params.reference ?? ''));
  registerPagesOfRepo(router, deps);
}

/** The same page under its repo, by commit and by id, and the page of a pull request. */
function registerPagesOfRepo(router: Router, deps: BuildRoutesDeps): void {
  const { findBuildInRepo, showPull, identifyReader, pageOf, renderPullPage } = deps;
  const choose = chooseCommit(deps);
  const answer = async (context: RouterContext, build: BuildInRepo): Promise<void> => {
    const caller = await identifyReader(context);
    const found = await findBuildInRepo({ caller, address: addressOf(context), build });
    await answerPage(context, deps, String(found.build.id));
  };

  router.get('/:service/*name/commits/:commit', choose, (context, next) =>
    isOther(context) ? next() : answer(context, { commit: context.params.commit ?? '' }),
  );
  router.get('/:service/*name/builds/:id', (context, next) =>
    isOther(context) ? next() : answer(context, { id: context.params.id ?? '' }),
  );

  // Git hosts say `pull`, and people write it from memory.
  router.get(['/:service/*name/pulls/:number', '/:service/*name/pull/:number'], async (context, next) => {
    if (isOther(context)) return next();
    const caller = await identifyReader(context);
    const { page } = readPaging(context.query, ON_PAGE);
    const { number: pullRequest = '' } = context.params;
    const shown = await showPull({ caller, address: addressOf(context), pullRequest, page });
    await sendPage(context, renderPullPage(shown, pageOf(context)));
  });
}

/** A repo, or the folder of a commit's file, may be named as our pages are: then it is the address of another page. */
function isOther({ params: { name = '' } }: RouterContext): boolean {
  return !name.includes('/') || name.includes('/commits/');
}

function addressOf({ params: { service = '', name = '' } }: RouterContext): RepoAddress {
  return readRepoPath(service, name);
}

async function answerPage(context: RouterContext, deps: BuildRoutesDeps, reference: string): Promise<void> {
  const { showBuildPage, identifyReader, pageOf, renderBuildPage } = deps;
  const caller = await identifyReader(context);
  const shown = await showBuildPage({ caller, reference, failingFirst: true, ...readParts(context, ON_PAGE) });
  await sendPage(context, renderBuildPage(shown, pageOf(context)));
}

function readParts({ query }: RouterContext, sizes: PageSizes): Pick<BuildRequest, 'flags' | 'jobs'> {
  return {
    flags: readPartPaging(query, 'flags_page', sizes),
    jobs: readPartPaging(query, 'jobs_page', sizes),
  };
}
