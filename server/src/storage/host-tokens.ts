import { auditName } from '../core/repo/audit.ts';
import type { Repo, StoredHostToken } from '../core/repo/repo.ts';
import type { RepoStore } from './store.ts';

type WithToken = Repo & { readonly hostToken: StoredHostToken };

/** Repos that are read in one go. */
const PAGE = 100;

/** Repos that have a token of their own at their git host. */
export async function listHostTokens(repos: Pick<RepoStore, 'list'>): Promise<readonly WithToken[]> {
  const found: WithToken[] = [];
  for (let after: Repo | undefined; ; ) {
    const some = await repos.list({ after, limit: PAGE });
    found.push(...some.filter((repo): repo is WithToken => repo.hostToken !== undefined));
    after = some.at(-1);
    if (after === undefined) return found;
  }
}

/** Names of those whose token `open` does not open. */
export async function findLostHostTokens(
  repos: Pick<RepoStore, 'list'>,
  open: (sealed: string) => string | undefined,
): Promise<readonly string[]> {
  return (await listHostTokens(repos)).filter(({ hostToken }) => open(hostToken.sealed) === undefined).map(auditName);
}
