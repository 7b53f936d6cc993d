import { type Caller, mayReadSource } from './caller.ts';
import type { Repo } from './repo.ts';

/**
 * Whether what this server can read at the git host is passed on to the caller. A repo with public numbers here may be
 * private there.
 */
export function mayReadHostSource(caller: Caller, repo: Repo): boolean {
  const isOpenAtHost = repo.seen?.visibility === 'public';
  const visibility = isOpenAtHost ? repo.settings.visibility : 'private';
  return mayReadSource(caller, { ...repo, settings: { ...repo.settings, visibility } });
}

/** Both, of source that uploads brought and of what only the git host has. */
export function whatMayBeRead(caller: Caller, repo: Repo) {
  return { mayReadSource: mayReadSource(caller, repo), mayReadHostSource: mayReadHostSource(caller, repo) };
}
