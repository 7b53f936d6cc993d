import type Router from '@koa/router';
import type { IdentifyCaller } from '../../access/browser/authenticate.ts';
import { readPaging } from '../../platform/http/read-query.ts';
import type { Addresses } from '../../platform/web/addresses.ts';
import type { ListRepos } from '../list-repos.ts';
import { presentRepoList } from './repo-json.ts';

export interface RepoListDeps {
  readonly listRepos: ListRepos;
  readonly identifyCaller: IdentifyCaller;
  readonly addresses: Addresses;
}

const REPOS = { usual: 30, most: 100 };

/** `GET /api/v1/repos?page=&per_page=` */
export function registerRepoList(router: Router, { listRepos, identifyCaller, addresses }: RepoListDeps): void {
  router.get(['/api/v1/repos', '/api/repos'], async (context) => {
    const caller = await identifyCaller(context);
    const listed = await listRepos({ caller, paging: readPaging(context.query, REPOS) });
    context.body = presentRepoList(listed, addresses.repo);
  });
}
