import type Router from '@koa/router';
import type { ListRepos } from '../../use-cases/repos/list-repos.ts';
import type { IdentifyCaller } from '../middleware/authenticate.ts';
import type { Addresses } from '../presenters/addresses.ts';
import { presentRepoList } from '../presenters/repo-json.ts';
import { readPaging } from './read-query.ts';

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
