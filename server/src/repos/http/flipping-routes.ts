import type Router from '@koa/router';
import type { RouterContext } from '@koa/router';
import { presentFlipping } from '../../builds/http/flipping-json.ts';
import { listFlipping } from '../../builds/list-flipping.ts';
import { renderFlippingPage } from '../../builds/pages/flipping-page.tsx';
import type { RepoAddress } from '../../core/repo/repo-name.ts';
import { readField } from '../../platform/http/read-query.ts';
import { sendPage } from '../../platform/http/send-pieces.ts';
import type { Services } from '../../services/services.ts';
import { registerPart } from './repo-pages-routes.ts';

/** `GET /<service>/<owner>/<repo>/flipping`, and `flipping.json`, of the default branch or of `?branch=`. */
export function registerFlippingRoutes(router: Router, services: Services): void {
  const { identifyReader, pageOf, addresses } = services;
  const list = async (context: RouterContext, address: RepoAddress) =>
    listFlipping(services, {
      caller: await identifyReader(context),
      address,
      branch: readField(context.query, 'branch'),
    });
  registerPart(router, services, 'flipping.json', async (context, address) => {
    context.body = presentFlipping(await list(context, address), addresses);
  });
  registerPart(router, services, 'flipping', async (context, address) => {
    await sendPage(context, renderFlippingPage(await list(context, address), pageOf(context)));
  });
}
