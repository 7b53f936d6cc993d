import type Router from '@koa/router';
import type { RouterContext } from '@koa/router';
import { findReadableRepo } from '../../access/find-administered-repo.ts';
import { compareBuilds } from '../../builds/compare-builds.ts';
import { presentComparison } from '../../builds/http/compare-json.ts';
import { renderComparePage } from '../../builds/pages/compare-page.tsx';
import { readComparedLines } from '../../builds/read-compared-lines.ts';
import { Failure, quoteValue } from '../../core/failure.ts';
import type { RepoAddress } from '../../core/repo/repo-name.ts';
import { readField } from '../../platform/http/read-query.ts';
import { sendPage } from '../../platform/http/send-pieces.ts';
import type { Services } from '../../services/services.ts';
import { registerPart } from './repo-pages-routes.ts';

/** Names that the form offers. */
const OFFERED = 50;

/**
 * `GET /<service>/<owner>/<repo>/compare/<base>...<head>`, as JSON with `.json` behind it; `compare?base=&head=`, which
 * the form asks, leads there.
 */
export function registerCompareRoutes(router: Router, services: Services): void {
  const { identifyReader, views, pageOf, addresses } = services;
  registerPart(router, services, 'compare', async (context, address) => {
    const { repo, caller } = await findReadableRepo(services, { caller: await identifyReader(context), address });
    const { links } = pageOf(context);
    const [base, head] = [readField(context.query, 'base'), readField(context.query, 'head')];
    if (base !== undefined && head !== undefined) return context.redirect(links.compare(repo, base, head));
    const picker = { repo, caller, base, head, branches: await views.branches(repo.id, OFFERED) };
    await sendPage(context, renderComparePage({ picker }, pageOf(context)));
  });
  const compare = async (context: RouterContext, address: RepoAddress) =>
    compareBuilds(services, { caller: await identifyReader(context), address, ...readRange(context) });
  registerPart(router, services, 'compare/*range.json', async (context, address) => {
    context.body = presentComparison(await compare(context, address), addresses);
  });
  registerPart(router, services, 'compare/*range', async (context, address) => {
    const compared = await compare(context, address);
    const { repo, caller } = compared;
    const branches = await views.branches(repo.id, OFFERED);
    const picker = { repo, caller, base: compared.base.name, head: compared.head.name, branches };
    const lines = await readComparedLines(services, compared);
    await sendPage(context, renderComparePage({ picker, compared, lines }, pageOf(context)));
  });
}

/** git allows no `..` in the name of a branch or a tag. */
function readRange({ params: { range = '' } }: RouterContext): { readonly base: string; readonly head: string } {
  const [base = '', head = '', ...more] = range.split('...');
  if (base !== '' && head !== '' && more.length === 0) return { base, head };
  throw new Failure('not-found', `${quoteValue(range)} does not name two builds: write compare/<base>...<head>.`);
}
