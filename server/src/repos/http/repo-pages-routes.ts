import type { ParsedUrlQuery } from 'node:querystring';
import type Router from '@koa/router';
import type { RouterContext } from '@koa/router';
import { BUILD_STATES, isFiltered } from '../../builds/find-builds.ts';
import { presentTrend, presentTrendCsv } from '../../builds/http/trend-json.ts';
import { listBuilds } from '../../builds/list-builds.ts';
import { listFlags } from '../../builds/list-flags.ts';
import { ALL_DAYS, type ShownTrend, showTrend } from '../../builds/trend.ts';
import { NESTING_SERVICES, REPO_SERVICES, type RepoService } from '../../core/repo/repo.ts';
import { type RepoAddress, readRepoAddress } from '../../core/repo/repo-name.ts';
import { readCount, readField, readPaging, readRepoPath } from '../../platform/http/read-query.ts';
import { sendPage } from '../../platform/http/send-pieces.ts';
import type { Services } from '../../services/services.ts';
import { checkSetup } from '../check-setup.ts';
import { renderFlagsPage } from '../pages/flags-page.tsx';
import { renderRepoPage } from '../pages/repo-page.tsx';
import { renderSetupPage } from '../pages/setup-page.tsx';
import { renderTrendPage } from '../pages/trend-page.tsx';
import { knowsRepo } from '../read-repo.ts';
import { readGroupPoints } from '../show-groups.ts';
import { showRepo } from '../show-repo.ts';
import { showTrendPage } from '../show-trend-page.ts';

/** For lists of builds; as many as Coveralls has on a page. */
export const BUILDS_ON_PAGE = { default: 10, max: 100 };

const TREND_DAYS = { default: 90, max: ALL_DAYS };
const TREND_POINTS = { default: 100, max: 500 };
/** Each is read from a build of its own. */
const GROUP_POINTS = { default: 100, max: 100 };

/** `GET /<service>/<owner>/<repo>/trend.json` and `trend.csv`: to be registered before the lists of builds. */
export function registerTrendRoutes(router: Router, services: Services): void {
  const { identifyReader, addresses } = services;
  const show = async (context: RouterContext, address: RepoAddress): Promise<ShownTrend> => {
    const { query } = context;
    const group = readField(query, 'group');
    const shown = await showTrend(services, {
      caller: await identifyReader(context),
      address,
      branch: readField(query, 'branch'),
      flag: group === undefined ? readField(query, 'flag') : undefined,
      days: bounded(query, 'days', TREND_DAYS),
      spans: bounded(query, 'points', group === undefined ? TREND_POINTS : GROUP_POINTS),
    });
    if (group === undefined) return shown;
    const found = await readGroupPoints(services, { points: shown.points, ids: [group] });
    return { ...shown, group, points: found.get(group) ?? [] };
  };
  registerPart(router, services, 'trend.json', async (context, address) => {
    context.body = presentTrend(await show(context, address), addresses);
  });
  registerPart(router, services, 'trend.csv', async (context, address) => {
    const text = presentTrendCsv(await show(context, address), addresses);
    context.type = 'text/csv; charset=utf-8';
    context.body = text;
  });
}

/** `GET /<service>/<owner>/<repo>/trend?branch=&days=&with=flag:unit&with=group:backend` */
export function registerTrendPage(router: Router, services: Services): void {
  const { identifyReader, pageOf } = services;
  registerPart(router, services, 'trend', async (context, address) => {
    const { query } = context;
    const shown = await showTrendPage(services, {
      ...{ caller: await identifyReader(context), address, branch: readField(query, 'branch') },
      days: bounded(query, 'days', { default: 90, max: TREND_DAYS.max }),
      chosen: [query.with ?? []].flat(),
    });
    await sendPage(context, renderTrendPage(shown, pageOf(context)));
  });
}

/** `GET /<service>/<owner>/<repo>/flags` */
export function registerFlagsPage(router: Router, services: Services): void {
  const { identifyReader, pageOf } = services;
  registerPart(router, services, 'flags', async (context, address) => {
    const { query } = context;
    const caller = await identifyReader(context);
    const paging = readPaging(query, { default: 50, max: 50 });
    const listed = await listFlags(services, { caller, address, branch: readField(query, 'branch'), paging });
    await sendPage(context, renderFlagsPage(listed, pageOf(context)));
  });
}

/** `GET /<service>/<owner>/<repo>/set-up` */
export function registerSetupPage(router: Router, services: Services): void {
  const { identifyReader, addresses, pageOf } = services;
  registerPart(router, services, 'set-up', async (context, address) => {
    const request = { caller: await identifyReader(context), address, branch: undefined };
    const checks = await checkSetup(services, request);
    const { total: builds } = await listBuilds(services, { ...request, paging: { page: 1, size: 1 } });
    const filter = { text: undefined, verdict: undefined };
    const unfiltered = { flag: undefined, days: 1, filter, page: 1, withPulls: false };
    const overview = await showRepo(services, { ...request, ...unfiltered });
    await sendPage(context, renderSetupPage({ overview, checks, builds, root: addresses.root() }, pageOf(context)));
  });
}

/** `GET /<service>/<owner>/<repo>`, which takes every other address below a service. */
export function registerRepoPage(router: Router, services: Services): void {
  const { identifyReader, addresses, pageOf } = services;
  for (const service of REPO_SERVICES) {
    router.get(`/${service}/*name`, async (context) => {
      const { query } = context;
      const address = readRepoPath(service, context.params.name ?? '');
      const branch = readField(query, 'branch');
      const page = readCount(query, 'page') ?? 1;
      const filter = { text: readField(query, 'q'), verdict: readVerdict(query) };
      const request = { caller: await identifyReader(context), address, branch };
      const size = bounded(query, 'per_page', BUILDS_ON_PAGE);
      const withPulls = branch === undefined && page === 1 && !isFiltered(filter);
      const days = bounded(query, 'days', { default: 30, max: TREND_DAYS.max });
      const [listed, overview] = await Promise.all([
        listBuilds(services, { ...request, paging: { page, size } }),
        showRepo(services, { ...request, flag: readField(query, 'flag'), days, filter, page, withPulls }),
      ]);
      const isNew = overview.maintains && listed.total === 0 && branch === undefined;
      const checks = isNew ? await checkSetup(services, request) : undefined;
      const shown = { overview, listed, checks, filter, page, root: addresses.root() };
      await sendPage(context, renderRepoPage(shown, pageOf(context)));
    });
  }
}

/**
 * A page below each repo. If groups nest, a repo may itself be called as the page is, or as its address begins: the
 * longer names are tried first, and the routes after this one have them.
 */
export function registerPart(
  router: Router,
  services: Services,
  part: string,
  answer: (context: RouterContext, address: RepoAddress) => Promise<void>,
  {
    method = 'get',
    isPart = () => true,
  }: {
    readonly method?: 'get' | 'post';
    /** Whether an address with these parameters is one of the page; by default each is. */
    readonly isPart?: (params: Readonly<Record<string, string | undefined>>) => boolean;
  } = {},
): void {
  const { identifyReader } = services;
  for (const service of REPO_SERVICES) {
    router[method](`/${service}/*name/${part}`, async (context, next) => {
      const name = context.params.name ?? '';
      const path = part.replace(/:(\w+)/, (_, param: string) => context.params[param] ?? '');
      if (!isRepoName(service, name) || !isPart(context.params)) return next();
      const steps = path.split('/');
      for (let count = steps.length; count > 0; count -= 1) {
        const whole = nestedAddress(service, [name, ...steps.slice(0, count)].join('/'));
        if (whole === undefined) continue;
        if (await knowsRepo(services, { caller: await identifyReader(context), address: whole })) return next();
      }
      return answer(context, readRepoPath(service, name));
    });
  }
}

/** Whether it is that of a repo: elsewhere the page's name is part of another address, such as a branch's. */
function isRepoName(service: RepoService, name: string): boolean {
  return NESTING_SERVICES.has(service) ? name.includes('/') : name.split('/').length === 2;
}

function nestedAddress(service: RepoService, name: string): RepoAddress | undefined {
  return NESTING_SERVICES.has(service) ? readRepoAddress(service, name) : undefined;
}

/** A number of a query: what is above `max` is `max`. */
export function bounded(
  query: ParsedUrlQuery,
  name: string,
  { default: unset, max }: { readonly default: number; readonly max: number },
) {
  return Math.min(readCount(query, name) ?? unset, max);
}

function readVerdict(query: ParsedUrlQuery) {
  const text = readField(query, 'verdict');
  return BUILD_STATES.find((state) => state === text);
}
