import { mayRead } from '../../domain/repo/caller.ts';
import type { FindRepoDeps, RepoRequest } from './find-administered-repo.ts';

/** Whether the caller may know of a repo of this name. */
export function createKnowsRepo({ repos, knowAccess }: FindRepoDeps): (request: RepoRequest) => Promise<boolean> {
  return async ({ caller, address }) => {
    const repo = await repos.findByName(address.service, address.name);
    return repo !== undefined && mayRead(await knowAccess(caller, [repo]), repo);
  };
}
