import type { CloseAnswer } from '@coverage/shared';
import type Router from '@koa/router';
import type { RequestClose } from '../../../use-cases/uploads/request-close.ts';
import { smallBodies } from '../../middleware/small-bodies.ts';
import type { Addresses } from '../../presenters/addresses.ts';
import { readClosePayload } from './close-payload.ts';

/** `POST /webhook`: closes a parallel build (wire.md "Close"). */
export function registerWebhookRoutes(
  router: Router,
  deps: { readonly requestClose: RequestClose; readonly addresses: Addresses },
): void {
  const { requestClose, addresses } = deps;

  router.post('/webhook', smallBodies(), async (context) => {
    const build = await requestClose(readClosePayload(context.query, context.request.body));
    const answer: CloseAnswer = { done: true, url: addresses.build(build.id), jobs: build.jobs };
    context.body = answer;
  });
}
