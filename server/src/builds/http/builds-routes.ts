import type Router from '@koa/router';
import type { RouterContext } from '@koa/router';
import { mayReadEmails } from '../../core/repo/caller.ts';
import type { RepoAddress } from '../../core/repo/repo-name.ts';
import {
  type PageSizes,
  readChoice,
  readField,
  readPaging,
  readPartPaging,
  readRepoPath,
} from '../../platform/http/read-query.ts';
import { sendPage, sendPieces } from '../../platform/http/send-pieces.ts';
import { nextTurn } from '../../platform/http/turns.ts';
import type { Services } from '../../services/services.ts';
import { type BuildInRepo, findBuildInRepo } from '../find-in-repo.ts';
import { readPageMark } from '../page-mark.ts';
import { renderBuildPage } from '../pages/build-page.tsx';
import { renderPullPage } from '../pages/pull-page.tsx';
import { renderReviewPage } from '../pages/review-page.tsx';
import { readLinesOfChecks } from '../read-lines-of-checks.ts';
import { REVIEWED_FILES, reviewChange } from '../review-change.ts';
import { type BuildRequest, type ShownBuild, showBuild } from '../show-build.ts';
import { showBuildPage } from '../show-build-page.ts';
import { showPull } from '../show-pull.ts';
import { presentBuild } from './build-json.ts';
import { chooseCommit } from './choose-commit.ts';
import { jsonPieces } from './json-pieces.ts';

/** Flags, and jobs: more than nearly every build has. */
const IN_JSON = { default: 1_000, max: 1_000 };
const ON_PAGE = { default: 100, max: 100 };

/** `GET /builds/<id or sha>.json`, and the same without `.json` as a page. */
export function registerBuildRoutes(router: Router, services: Services): void {
  const { identifyReader, identifyBuildReader, addresses } = services;

  router.get('/builds/:reference.json', async (context) => {
    const caller = await identifyBuildReader(context, context.params.reference ?? '');
    const reference = context.params.reference ?? '';
    const shown = await showBuild(services, { caller, reference, failingFirst: false, ...readParts(context, IN_JSON) });
    await nextTurn();
    const toCover = await readToCover(context, services, shown);
    const json = presentBuild(shown, addresses, { showEmail: mayReadEmails(shown.caller, shown.repo), toCover });
    await sendPieces(context, 'json', jsonPieces(json));
  });

  router.get('/builds/:reference/mark.json', async (context) => {
    const caller = await identifyReader(context);
    context.body = { mark: await readPageMark(services, { caller, reference: context.params.reference ?? '' }) };
  });

  router.get('/builds/:reference', (context) => answerPage(context, services, context.params.reference ?? ''));
  registerPagesOfRepo(router, services);
}

/** The same page under its repo, by commit and by id, and the page of a pull request. */
function registerPagesOfRepo(router: Router, services: Services): void {
  const { identifyReader, pageOf } = services;
  const choose = chooseCommit(services);
  const answer = async (context: RouterContext, build: BuildInRepo): Promise<void> => {
    const caller = await identifyReader(context);
    const found = await findBuildInRepo(services, { caller, address: addressOf(context), build });
    await answerPage(context, services, String(found.build.id));
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
    const shown = await showPull(services, { caller, address: addressOf(context), pullRequest, page });
    await sendPage(context, renderPullPage(shown, pageOf(context)));
  });

  router.get('/:service/*name/pulls/:number/review', async (context, next) => {
    if (isOther(context)) return next();
    const caller = await identifyReader(context);
    const { query, params } = context;
    const asked = {
      ...{ show: readChoice(query, 'show', ['all', 'missed']), query: readField(query, 'file') ?? '' },
      check: readField(query, 'check'),
    };
    const paging = { page: readPaging(query, ON_PAGE).page, size: REVIEWED_FILES };
    const address = addressOf(context);
    const shown = await reviewChange(services, { caller, address, pullRequest: params.number ?? '', paging, ...asked });
    await sendPage(context, renderReviewPage({ ...shown, asked }, pageOf(context)));
  });
}

/** A repo, or the folder of a commit's file, may be named as our pages are: then it is the address of another page. */
function isOther({ params: { name = '' } }: RouterContext): boolean {
  return !name.includes('/') || name.includes('/commits/');
}

function addressOf({ params: { service = '', name = '' } }: RouterContext): RepoAddress {
  return readRepoPath(service, name);
}

async function answerPage(context: RouterContext, services: Services, reference: string): Promise<void> {
  const { identifyReader, pageOf } = services;
  const caller = await identifyReader(context);
  const check = readField(context.query, 'check');
  const shown = await showBuildPage(services, {
    caller,
    reference,
    check,
    failingFirst: true,
    ...readParts(context, ON_PAGE),
  });
  await sendPage(context, renderBuildPage(shown, pageOf(context)));
}

/** Numbers alone: not everybody who reads them may read source (rule 30). */
async function readToCover({ query }: RouterContext, services: Services, shown: ShownBuild) {
  const check = readField(query, 'check');
  const numbers = { ...shown, mayReadSource: false, mayReadHostSource: false };
  return check === undefined ? undefined : readLinesOfChecks(services, numbers, check);
}

function readParts({ query }: RouterContext, sizes: PageSizes): Pick<BuildRequest, 'flags' | 'jobs'> {
  return {
    flags: readPartPaging(query, 'flags_page', sizes),
    jobs: readPartPaging(query, 'jobs_page', sizes),
  };
}
