import { Failure } from '../core/failure.ts';
import type { Caller } from '../core/repo/caller.ts';
import type { RepoStore } from '../storage/store.ts';

/** What our own action is asked to send to a repo. */
export interface UploadSettings {
  readonly sendSource: 'all' | 'none';
}

/** A `manual` repo has no git host that could show its source. Throws a Failure `credential-missing`. */
export async function readUploadSettings(
  { repos }: { readonly repos: Pick<RepoStore, 'find'> },
  caller: Caller,
): Promise<UploadSettings> {
  const repo = caller.kind === 'repo' ? await repos.find(caller.repoId) : undefined;
  if (repo === undefined)
    throw new Failure('credential-missing', 'This needs a repo token: send Authorization: Bearer <repo token>.');
  return { sendSource: repo.service === 'manual' ? 'all' : 'none' };
}
