import type { RepoRequest } from '../access/find-administered-repo.ts';
import { mayRead } from '../core/repo/caller.ts';
import type { Services } from '../services/services.ts';

/** Whether the caller may know of a repo of this name. */
export async function knowsRepo(
  { repos, resolveAccess }: Pick<Services, 'repos' | 'resolveAccess'>,
  { caller, address }: RepoRequest,
): Promise<boolean> {
  const repo = await repos.findByName(address.service, address.name);
  return repo !== undefined && mayRead(await resolveAccess(caller, [repo]), repo);
}
