import type { Build } from '../core/builds/build.ts';
import { Failure } from '../core/failure.ts';
import type { Caller } from '../core/repo/caller.ts';
import type { Repo } from '../core/repo/repo.ts';
import type { Services } from '../services/services.ts';

/** More than anybody fixes at a time; those that are fixed make room. */
const MAX = 1_000;

/** A build that was set aside, with its repo. */
export interface SetAsideBuild {
  readonly build: Build;
  readonly repo: Repo;
}

/**
 * The builds of all repos that were set aside, newest first. Throws a Failure `forbidden` except for administrators.
 */
export async function listSetAside(
  services: Pick<Services, 'builds' | 'repos'>,
  caller: Caller,
): Promise<readonly SetAsideBuild[]> {
  if (caller.kind !== 'user' || caller.role !== 'administrator')
    throw new Failure('forbidden', 'Only administrators can list the builds of all repos: send the token of one.');
  const found: SetAsideBuild[] = [];
  for (const build of await services.builds.listSetAside(MAX)) {
    const repo = await services.repos.find(build.repoId);
    if (repo !== undefined) found.push({ build, repo });
  }
  return found;
}
