import type Router from '@koa/router';
import { readPaging } from '../../platform/http/read-query.ts';
import type { Services } from '../../services/services.ts';
import { listRepos } from '../list-repos.ts';
import { presentRepoList } from './repo-json.ts';

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
