import type Router from '@koa/router';
import type { RenderFrontPage } from '../../web/front-page.tsx';
import { sendPage } from '../middleware/send-pieces.ts';
import { wantsPage } from '../middleware/wants-page.ts';
import type { Addresses } from '../presenters/addresses.ts';
import type { PageOf } from '../presenters/page-of.ts';
import { readOldRepoPath } from './read-query.ts';

export interface OldAddressesDeps {
  readonly addresses: Addresses;
  readonly pageOf: PageOf;
  readonly renderFrontPage: RenderFrontPage;
}

/** The root, and addresses that READMEs and bookmarks hold from Coveralls. To be registered after the badges. */
export function registerOldAddresses(router: Router, { addresses, pageOf, renderFrontPage }: OldAddressesDeps): void {
  router.get('/', async (context) => {
    const url = addresses.root();
    if (wantsPage(context)) await sendPage(context, renderFrontPage(url, pageOf(context)));
    else
      context.body = {
        message: `This coverage service speaks the Coveralls API: give clients ${url} as its address.`,
        url,
      };
  });

  // Relative, so that it stays at the address by which the reader came.
  router.get('/repos/*name/badge.png', (context) => context.redirect(`badge.svg${context.search}`));

  router.get('/repos/:service/*name', (context) => {
    const { service = '', name = '' } = context.params;
    const [repo] = readOldRepoPath(service, name);
    context.redirect(addresses.repo(repo.service, repo.name) + context.search);
  });
}
