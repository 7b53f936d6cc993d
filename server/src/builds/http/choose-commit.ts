import type { RouterMiddleware } from '@koa/router';
import type { PageOf } from '../../platform/http/page-of.ts';
import { sendPage } from '../../platform/http/send-pieces.ts';
import { AmbiguousCommit } from '../find-in-repo.ts';
import type { RenderCommitsPage } from '../pages/commits-page.tsx';

/** Shows the commits that begin as the one in the address does, where several do. */
export function chooseCommit(deps: {
  readonly pageOf: PageOf;
  readonly renderCommitsPage: RenderCommitsPage;
}): RouterMiddleware {
  const { pageOf, renderCommitsPage } = deps;
  return async (context, next) => {
    try {
      await next();
    } catch (error) {
      if (!(error instanceof AmbiguousCommit)) throw error;
      context.status = 300;
      await sendPage(context, renderCommitsPage(error, pageOf(context)));
    }
  };
}
