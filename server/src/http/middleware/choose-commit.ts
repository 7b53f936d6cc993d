import type { RouterMiddleware } from '@koa/router';
import { AmbiguousCommit } from '../../use-cases/builds/find-in-repo.ts';
import type { RenderCommitsPage } from '../../web/commits-page.tsx';
import type { PageOf } from '../presenters/page-of.ts';
import { sendPage } from './send-pieces.ts';

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
