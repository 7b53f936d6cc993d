import type { Repo } from '../../core/repo/repo.ts';
import type { Clock } from '../../platform/clock.ts';
import type { RepoStore } from '../../storage/store.ts';
import { type AskProvider, refusalOf } from './ask-provider.ts';
import type { Deadline } from './deadline.ts';

/**
 * How long the provider's description of a repo is kept, in ms: default branch and visibility seldom change, and a
 * webhook reports it at once.
 */
const HOLDS = 60 * 60_000;

export interface RefreshedRepo {
  readonly repo: Repo;
  /** The provider gave no answer, and its default branch was never known. */
  readonly unavailable: boolean;
  /** Why the provider denied us access; undefined: it did not. */
  readonly refusal?: string | undefined;
}

const KNOWN = { unavailable: false, refusal: undefined } as const;

/** The repo as its provider sees it today: default branch, visibility, name and numeric id (rules 18, 28 and 30). */
export async function refreshRepo(
  {
    repos,
    askProvider,
    clock,
  }: { readonly repos: Pick<RepoStore, 'follow'>; readonly askProvider: AskProvider; readonly clock: Clock },
  { repo, deadline }: { readonly repo: Repo; readonly deadline: Deadline },
): Promise<RefreshedRepo> {
  const at = clock.now();
  if (repo.seen !== undefined && repo.seen.at > at - HOLDS) return { repo, ...KNOWN };
  const answer = await askProvider({ repo, deadline, ask: (provider) => provider.describeRepo({ repo: repo.name }) });
  const unavailable =
    answer.kind === 'unavailable' && repo.seen === undefined && repo.settings.defaultBranch === undefined;
  if (answer.kind === 'unavailable' || answer.value === undefined)
    return { repo, unavailable, refusal: refusalOf(answer) };
  const { id, name, defaultBranch, visibility } = answer.value;
  if (repo.providerId !== undefined && repo.providerId !== id) {
    const ids = `id ${id}, not ${repo.providerId}`;
    const suspended = `The name ${repo.name} now belongs to another repo at the provider (${ids}).`;
    // It may have been renamed since this was asked.
    const stopped = await repos.follow({ repoId: repo.id, whileNamed: repo.name, suspended, at });
    return { repo: typeof stopped === 'object' ? stopped : repo, ...KNOWN };
  }
  const changedAt = repo.seen?.changedAt;
  const seen = { defaultBranch, visibility, at, ...(changedAt !== undefined && { changedAt }) };
  const named = await repos.follow({ repoId: repo.id, name, providerId: id, seen, at });
  // Two of our repos would have one name: this one keeps the name that it was made with.
  const followed = named === 'name-taken' ? await repos.follow({ repoId: repo.id, providerId: id, seen, at }) : named;
  return { repo: typeof followed === 'object' ? followed : repo, ...KNOWN };
}
