import type Router from '@koa/router';
import { readOldRepoPath } from '../../platform/http/read-query.ts';
import type { Services } from '../../services/services.ts';

/** Addresses that READMEs and bookmarks hold from Coveralls. To be registered after the badges. */
export function registerOldAddresses(router: Router, { addresses }: Services): void {
  // Relative, so that it stays at the address by which the reader came.
  router.get('/repos/*name/badge.png', (context) => context.redirect(`badge.svg${context.search}`));

  router.get('/repos/:service/*name', (context) => {
    const { service = '', name = '' } = context.params;
    const [repo] = readOldRepoPath(service, name);
    context.redirect(addresses.repo(repo.service, repo.name) + context.search);
  });
}
