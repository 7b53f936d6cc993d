import type { RouterMiddleware } from '@koa/router';
import { sendPage } from '../../platform/http/send-pieces.ts';
import type { Services } from '../../services/services.ts';
import { AmbiguousCommit } from '../find-in-repo.ts';
import { renderCommitsPage } from '../pages/commits-page.tsx';

/** Shows the commits that begin as the one in the address does, where several do. */
export function chooseCommit(services: Pick<Services, 'pageOf'>): RouterMiddleware {
  const { pageOf } = services;
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
