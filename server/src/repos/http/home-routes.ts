import type Router from '@koa/router';
import type { RouterContext } from '@koa/router';
import { repoNotFound } from '../../access/find-administered-repo.ts';
import { NESTING_SERVICES, REPO_SERVICES } from '../../core/repo/repo.ts';
import { readField, readPaging } from '../../platform/http/read-query.ts';
import { sendPage } from '../../platform/http/send-pieces.ts';
import { wantsPage } from '../../platform/http/wants-page.ts';
import type { Services } from '../../services/services.ts';
import { renderHomePage, SHOWN } from '../pages/home-page.tsx';
import { knowsRepo } from '../read-repo.ts';
import { type HomeRequest, type RepoOwner, showHome } from '../show-home.ts';

const REPOS = { default: 50, max: 50 };

/** `GET /`, a page for people and an address for programs, and `GET /<service>/<owner>`: its repos. */
export function registerHomeRoutes(router: Router, services: Services): void {
  const { identifyReader, addresses } = services;
  router.get('/', async (context) => {
    const url = addresses.root();
    if (wantsPage(context)) return sendHome(context, services, undefined);
    context.body = {
      message: `This coverage service speaks the Coveralls API: give clients ${url} as its address.`,
      url,
    };
  });

  for (const service of REPO_SERVICES) {
    // A group within a group has the address of a repo, which goes first.
    const path = NESTING_SERVICES.has(service) ? `/${service}/*owner` : `/${service}/:owner`;
    router.get(path, async (context, next) => {
      const name = (context.params.owner ?? '').replace(/\/$/, '');
      if (name.endsWith('.json')) return next();
      const address = { service, name };
      if (name.includes('/') && (await knowsRepo(services, { caller: await identifyReader(context), address })))
        return next();
      return sendHome(context, services, { service, name });
    });
  }
}

async function sendHome(context: RouterContext, services: Services, ownPage: RepoOwner | undefined): Promise<void> {
  const { identifyReader, addresses, pageOf } = services;
  const { query } = context;
  const owner = ownPage ?? readOwner(readField(query, 'owner'));
  const shown = readField(query, 'show');
  const asked: Omit<HomeRequest, 'caller' | 'paging'> = {
    text: readField(query, 'q'),
    owner,
    show: SHOWN.find((one) => one === shown),
  };
  const home = await showHome(services, {
    caller: await identifyReader(context),
    ...asked,
    paging: readPaging(query, REPOS),
  });
  if (ownPage !== undefined && home.owned === 0) throw repoNotFound(ownPage);
  const page = { home, asked, isOwnPage: ownPage !== undefined, root: addresses.root() };
  await sendPage(context, renderHomePage(page, pageOf(context)));
}

/** `github/acme` */
function readOwner(text = ''): RepoOwner | undefined {
  const slash = text.indexOf('/');
  const service = REPO_SERVICES.find((one) => one === text.slice(0, slash));
  return service && { service, name: text.slice(slash + 1) };
}
