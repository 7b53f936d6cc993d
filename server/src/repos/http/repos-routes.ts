import type Router from '@koa/router';
import type { RouterContext } from '@koa/router';
import { requireCaller } from '../../access/browser/authenticate.ts';
import type { RepoRequest } from '../../access/find-administered-repo.ts';
import { readPaging, readRepoPath } from '../../platform/http/read-query.ts';
import { smallBodies } from '../../platform/http/small-bodies.ts';
import type { Services } from '../../services/services.ts';
import { createRepo } from '../create-repo.ts';
import { listRepos } from '../list-repos.ts';
import { readRepo } from '../read-repo.ts';
import { removeRepo } from '../remove-repo.ts';
import { rotateRepoToken } from '../rotate-repo-token.ts';
import { setWebhook } from '../set-webhook.ts';
import { updateRepo } from '../update-repo.ts';
import { readGracePeriod, readNewRepo, readRepoChange } from './repo-fields.ts';
import { presentNewRepo, presentNewToken, presentReadRepo, presentRepo, presentRepoList } from './repo-json.ts';

/** Both forms of api.md "Repos": with and without the version. */
const ALL = ['/api/v1/repos', '/api/repos'];
/** A name has any number of segments: GitLab nests groups. */
const ONE = ALL.map((path) => `${path}/:service/*name`);
const TOKEN = ONE.map((path) => `${path}/token`);
const WEBHOOK = ONE.map((path) => `${path}/webhook`);

/** Create, read, update, delete, `POST .../token` for a new repo token and `POST .../webhook` for its webhook. */
export function registerRepoRoutes(router: Router, services: Services): void {
  const { identifyCaller } = services;
  const identify = requireCaller(identifyCaller);
  const body = smallBodies();

  router.post(ALL, identify, body, async (context) => {
    const created = await createRepo(services, { caller: context.state.caller, ...readNewRepo(context.request.body) });
    context.status = 201;
    context.body = presentNewRepo(created);
  });

  router.get(ONE, identify, async (context) => {
    context.body = presentReadRepo(await readRepo(services, requestOf(context)));
  });

  router.put(ONE, identify, body, async (context) => {
    const settings = readRepoChange(context.request.body);
    context.body = { repo: presentRepo(await updateRepo(services, { ...requestOf(context), settings })) };
  });

  router.delete(ONE, identify, async (context) => {
    await removeRepo(services, requestOf(context));
    context.status = 204;
  });

  router.post(TOKEN, identify, body, async (context) => {
    const gracePeriod = readGracePeriod(context.request.body);
    const rotated = await rotateRepoToken(services, { ...requestOf(context), gracePeriod });
    context.status = 201;
    context.body = presentNewToken(rotated);
  });

  router.post(WEBHOOK, identify, async (context) => {
    context.body = { webhook: await setWebhook(services, requestOf(context)) };
  });
}

/** A name that is still encoded after the router decoded it once, or holds what no name can, is of no repo. */
function requestOf({ state, params }: RouterContext): RepoRequest {
  const { service = '', name = '' } = params;
  return { caller: state.caller, address: readRepoPath(service, name, 'the path ends in') };
}

const REPOS = { default: 30, max: 100 };

/** `GET /api/v1/repos?page=&per_page=` */
export function registerRepoList(router: Router, services: Services): void {
  const { identifyCaller, addresses } = services;
  router.get(['/api/v1/repos', '/api/repos'], async (context) => {
    const caller = await identifyCaller(context);
    const listed = await listRepos(services, { caller, paging: readPaging(context.query, REPOS) });
    context.body = presentRepoList(listed, addresses.repo);
  });
}
