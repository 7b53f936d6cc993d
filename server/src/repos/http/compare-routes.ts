import type Router from '@koa/router';
import type { RouterContext } from '@koa/router';
import { type FindRepoDeps, findReadableRepo } from '../../access/find-administered-repo.ts';
import type { CompareBuilds } from '../../builds/compare-builds.ts';
import { presentComparison } from '../../builds/http/compare-json.ts';
import type { RenderComparePage } from '../../builds/pages/compare-page.tsx';
import { Failure, quoteValue } from '../../core/failure.ts';
import type { RepoAddress } from '../../core/repo/repo-name.ts';
import { readField } from '../../platform/http/read-query.ts';
import { sendPage } from '../../platform/http/send-pieces.ts';
import type { BuildViews } from '../../storage/build-views.ts';
import { type RepoPageRoutesDeps, registerPart } from './repo-pages-routes.ts';

export interface CompareRoutesDeps
  extends FindRepoDeps,
    Pick<RepoPageRoutesDeps, 'identifyReader' | 'knowsRepo' | 'pageOf' | 'addresses'> {
  readonly views: Pick<BuildViews, 'branches'>;
  readonly compareBuilds: CompareBuilds;
  readonly renderComparePage: RenderComparePage;
}

/** Names that the form offers. */
const OFFERED = 50;

/**
 * `GET /<service>/<owner>/<repo>/compare/<base>...<head>`, as JSON with `.json` behind it; `compare?base=&head=`, which
 * the form asks, leads there.
 */
export function registerCompareRoutes(router: Router, deps: CompareRoutesDeps): void {
  const { identifyReader, compareBuilds, views, pageOf, addresses, renderComparePage } = deps;
  registerPart(router, deps, 'compare', async (context, address) => {
    const { repo, caller } = await findReadableRepo(deps, { caller: await identifyReader(context), address });
    const { links } = pageOf(context);
    const [base, head] = [readField(context.query, 'base'), readField(context.query, 'head')];
    if (base !== undefined && head !== undefined) return context.redirect(links.compare(repo, base, head));
    const picker = { repo, caller, base, head, branches: await views.branches(repo.id, OFFERED) };
    await sendPage(context, renderComparePage({ picker, compared: undefined }, pageOf(context)));
  });
  const compare = async (context: RouterContext, address: RepoAddress) =>
    compareBuilds({ caller: await identifyReader(context), address, ...readRange(context) });
  registerPart(router, deps, 'compare/*range.json', async (context, address) => {
    context.body = presentComparison(await compare(context, address), addresses);
  });
  registerPart(router, deps, 'compare/*range', async (context, address) => {
    const compared = await compare(context, address);
    const { repo, caller } = compared;
    const branches = await views.branches(repo.id, OFFERED);
    const picker = { repo, caller, base: compared.base.name, head: compared.head.name, branches };
    await sendPage(context, renderComparePage({ picker, compared }, pageOf(context)));
  });
}

/** git allows no `..` in the name of a branch or a tag. */
function readRange({ params: { range = '' } }: RouterContext): { readonly base: string; readonly head: string } {
  const [base = '', head = '', ...more] = range.split('...');
  if (base !== '' && head !== '' && more.length === 0) return { base, head };
  throw new Failure('not-found', `${quoteValue(range)} names no two builds: compare/<base>...<head>.`);
}
