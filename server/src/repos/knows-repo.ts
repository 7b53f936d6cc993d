import type { FindRepoDeps, RepoRequest } from '../access/find-administered-repo.ts';
import { mayRead } from '../core/repo/caller.ts';

/** Whether the caller may know of a repo of this name. */
export function createKnowsRepo({ repos, knowAccess }: FindRepoDeps): (request: RepoRequest) => Promise<boolean> {
  return async ({ caller, address }) => {
    const repo = await repos.findByName(address.service, address.name);
    return repo !== undefined && mayRead(await knowAccess(caller, [repo]), repo);
  };
}
