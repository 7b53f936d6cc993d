import type { FindRepoDeps, RepoRequest } from '../access/find-administered-repo.ts';
import { mayRead } from '../core/repo/caller.ts';

/** Whether the caller may know of a repo of this name. */
export async function knowsRepo(deps: FindRepoDeps, { caller, address }: RepoRequest): Promise<boolean> {
  const { repos, resolveAccess } = deps;
  const repo = await repos.findByName(address.service, address.name);
  return repo !== undefined && mayRead(await resolveAccess(caller, [repo]), repo);
}
