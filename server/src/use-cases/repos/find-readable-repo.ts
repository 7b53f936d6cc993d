import { mayAdminister, mayRead } from '../../domain/repo/caller.ts';
import type { Repo } from '../../domain/repo/repo.ts';
import type { RepoStore } from '../../ports/store.ts';
import { type RepoRequest, repoNotFound } from './find-administered-repo.ts';

export interface ReadableRepo {
  readonly repo: Repo;
  /** Whether the reader may also change it. */
  readonly maintains: boolean;
}

/** The repo, if the caller may read it; else a Failure `not-found`, whether there is none or they may not know. */
export async function findReadableRepo(
  repos: Pick<RepoStore, 'findByName'>,
  { caller, address }: RepoRequest,
): Promise<ReadableRepo> {
  const repo = await repos.findByName(address.service, address.name);
  if (repo === undefined || !mayRead(caller, repo)) throw repoNotFound(address);
  return { repo, maintains: mayAdminister(caller, repo) };
}

/** Whether the caller may know of a repo of this name. */
export function createKnowsRepo({ repos }: { readonly repos: Pick<RepoStore, 'findByName'> }) {
  return async (request: RepoRequest): Promise<boolean> => {
    const repo = await repos.findByName(request.address.service, request.address.name);
    return repo !== undefined && mayRead(request.caller, repo);
  };
}
