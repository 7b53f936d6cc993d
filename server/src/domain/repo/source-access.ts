import { type Caller, mayAdminister, mayRead } from './caller.ts';
import type { Repo } from './repo.ts';

/** Rule 30: whoever may read the repo, but for its repo token, which reads numbers and never source. */
export function mayReadSource(caller: Caller, repo: Repo): boolean {
  return caller.kind !== 'repo' && mayRead(caller, repo);
}

/**
 * Whether what this server may read at the git host goes on to the caller. A repo whose numbers are public here may be
 * private there.
 */
export function mayReadHostSource(caller: Caller, repo: Repo): boolean {
  return mayReadSource(caller, repo) && (repo.seen?.visibility === 'public' || mayAdminister(caller, repo));
}
