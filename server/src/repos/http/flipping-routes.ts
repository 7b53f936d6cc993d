import type Router from '@koa/router';
import type { RouterContext } from '@koa/router';
import { presentFlipping } from '../../builds/http/flipping-json.ts';
import type { ListFlipping } from '../../builds/list-flipping.ts';
import type { RenderFlippingPage } from '../../builds/pages/flipping-page.tsx';
import type { RepoAddress } from '../../core/repo/repo-name.ts';
import { readField } from '../../platform/http/read-query.ts';
import { sendPage } from '../../platform/http/send-pieces.ts';
import { type RepoPageRoutesDeps, registerPart } from './repo-pages-routes.ts';

export interface FlippingRoutesDeps
  extends Pick<RepoPageRoutesDeps, 'identifyReader' | 'knowsRepo' | 'pageOf' | 'addresses'> {
  readonly listFlipping: ListFlipping;
  readonly renderFlippingPage: RenderFlippingPage;
}

/** `GET /<service>/<owner>/<repo>/flipping`, and `flipping.json`, of the default branch or of `?branch=`. */
export function registerFlippingRoutes(router: Router, deps: FlippingRoutesDeps): void {
  const { identifyReader, listFlipping, pageOf, addresses, renderFlippingPage } = deps;
  const list = async (context: RouterContext, address: RepoAddress) =>
    listFlipping({ caller: await identifyReader(context), address, branch: readField(context.query, 'branch') });
  registerPart(router, deps, 'flipping.json', async (context, address) => {
    context.body = presentFlipping(await list(context, address), addresses);
  });
  registerPart(router, deps, 'flipping', async (context, address) => {
    await sendPage(context, renderFlippingPage(await list(context, address), pageOf(context)));
  });
}
