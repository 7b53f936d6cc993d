import type { CloseAnswer } from '@coverage/shared';
import type Router from '@koa/router';
import type { RouterContext } from '@koa/router';
import type { RequestRerun } from '../../../use-cases/uploads/request-rerun.ts';
import { smallBodies } from '../../middleware/small-bodies.ts';
import type { Addresses } from '../../presenters/addresses.ts';
import { readRerun } from './rerun-fields.ts';

/** `GET` and `POST /rerun_build?repo_token=&build_num=`: JSON always, the same answer as a close (wire.md "Close"). */
export function registerRerunRoutes(
  router: Router,
  deps: { readonly requestRerun: RequestRerun; readonly addresses: Addresses },
): void {
  const { requestRerun, addresses } = deps;
  const answer = async (context: RouterContext): Promise<void> => {
    const build = await requestRerun(readRerun(context.query, context.request.body));
    const done: CloseAnswer = { done: true, url: addresses.build(build.id), jobs: build.jobs };
    context.set('Cache-Control', 'no-store');
    context.body = done;
  };

  router.get('/rerun_build', answer);
  router.post('/rerun_build', smallBodies(), answer);
}
