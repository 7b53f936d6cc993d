import { findReadableRepo, type RepoRequest } from '../access/find-administered-repo.ts';
import { Failure } from '../core/failure.ts';
import { mayAdminister, mayRead } from '../core/repo/caller.ts';
import type { Repo } from '../core/repo/repo.ts';
import type { TokenUse } from '../core/repo/token-use.ts';
import { repoWarnings, useWarnings } from '../core/repo/warnings.ts';
import type { Services } from '../services/services.ts';

export interface ReadRepoResult {
  readonly repo: Repo;
  /** In the clear; undefined for anybody who may only read, and if no key opens it. */
  readonly token: string | undefined;
  /** What reads its badge while the repo is private (rule 30); undefined for anybody who may only read. */
  readonly badgeToken: string | undefined;
  /** Whether a closed build exists. */
  readonly hasBadge: boolean;
  /** Sentences. */
  readonly warnings: readonly string[];
  /** When its own token was used last; undefined: never, or for anybody who may only read. */
  readonly lastUse: TokenUse | undefined;
}

/** Throws a Failure `not-found` also if the caller may not know of the repo. */
export async function readRepo(
  services: Pick<Services, 'clock' | 'hosts' | 'resolveAccess' | 'repos' | 'secrets' | 'tokenUses' | 'views'>,
  request: RepoRequest,
): Promise<ReadRepoResult> {
  const { views, secrets, hosts, tokenUses, clock } = services;
  const { repo, caller } = await findReadableRepo(services, request);
  const administers = mayAdminister(caller, repo);
  const [token, uses, closed] = await Promise.all([
    administers ? readToken(services, repo) : undefined,
    administers ? tokenUses.ofRepo(repo.id) : [],
    views.closed({ repoId: repo.id, scope: 'repo', before: undefined, limit: 1 }),
  ]);
  return {
    repo,
    token,
    badgeToken: administers ? secrets.badgeToken(repo.id) : undefined,
    hasBadge: closed.length > 0,
    warnings: [
      ...repoWarnings(repo, hosts),
      ...useWarnings(repo, uses, clock.now()),
      ...(administers && token === undefined ? [TOKEN_LOST] : []),
    ],
    lastUse: uses[0],
  };
}

async function readToken(
  { repos, secrets }: Pick<Services, 'repos' | 'secrets'>,
  repo: Repo,
): Promise<string | undefined> {
  const stored = await repos.readToken(repo.id);
  if (stored === undefined) throw new Failure('internal', `Repo ${repo.id} has no token.`);
  return secrets.unseal(stored.sealed);
}

export const TOKEN_LOST =
  'The stored repo token cannot be read: no key of this server can decrypt it. ' +
  'Bring the key back, or rotate the token.';

/** Whether the caller may know of a repo of this name. */
export async function knowsRepo(
  { repos, resolveAccess }: Pick<Services, 'repos' | 'resolveAccess'>,
  { caller, address }: RepoRequest,
): Promise<boolean> {
  const repo = await repos.findByName(address.service, address.name);
  return repo !== undefined && mayRead(await resolveAccess(caller, [repo]), repo);
}
