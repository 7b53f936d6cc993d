import { Failure } from '../../domain/failure.ts';
import { type Caller, mayAdminister, mayRead } from '../../domain/repo/caller.ts';
import type { Repo } from '../../domain/repo/repo.ts';
import type { RepoAddress } from '../../domain/repo/repo-name.ts';
import * as say from '../../messages/repos.ts';
import type { RepoStore } from '../../ports/store.ts';

/** A repo, and who wants something of it. */
export interface RepoRequest {
  readonly caller: Caller;
  readonly address: RepoAddress;
}

/** The repo, if the caller may change it. One that the caller may not even read does not exist for them. */
export async function findAdministeredRepo(
  repos: Pick<RepoStore, 'findByName'>,
  { caller, address }: RepoRequest,
): Promise<Repo> {
  const repo = await repos.findByName(address.service, address.name);
  if (repo === undefined || !mayRead(caller, repo)) throw repoNotFound(address);
  if (mayAdminister(caller, repo)) return repo;
  throw new Failure('forbidden', say.repoNotChangeable(repo.service, repo.name));
}

/** The same answer whether there is no such repo or the caller may not know of it. */
export function repoNotFound({ service, name }: RepoAddress): Failure {
  return new Failure('not-found', say.noRepo(service, name));
}
