import { findReadableRepo, type RepoRequest } from '../access/find-administered-repo.ts';
import type { KnowAccess } from '../access/know-access.ts';
import { Failure } from '../core/failure.ts';
import { mayAdminister } from '../core/repo/caller.ts';
import type { GitHosts } from '../core/repo/git-host.ts';
import type { Repo } from '../core/repo/repo.ts';
import type { TokenUse } from '../core/repo/token-use.ts';
import { repoWarnings, useWarnings } from '../core/repo/warnings.ts';
import type { Clock } from '../platform/clock.ts';
import type { Secrets } from '../platform/secrets.ts';
import type { BuildViews } from '../storage/build-views.ts';
import type { RepoStore } from '../storage/store.ts';
import type { TokenUses } from '../storage/token-uses.ts';
import { TOKEN_LOST } from './sentences.ts';

export interface ReadRepoDeps {
  readonly repos: Pick<RepoStore, 'findByName' | 'readToken'>;
  readonly knowAccess: KnowAccess;
  readonly views: Pick<BuildViews, 'closed'>;
  readonly secrets: Pick<Secrets, 'unseal' | 'badgeToken'>;
  readonly hosts: GitHosts;
  readonly tokenUses: Pick<TokenUses, 'ofRepo'>;
  readonly clock: Clock;
}

export interface ReadRepoResult {
  readonly repo: Repo;
  /** In the clear; undefined for whoever may only read, and where no key opens it. */
  readonly token: string | undefined;
  /** What reads its badge while the repo is private (rule 30); undefined for whoever may only read. */
  readonly badgeToken: string | undefined;
  /** Whether a closed build exists. */
  readonly hasBadge: boolean;
  /** Sentences. */
  readonly warnings: readonly string[];
  /** When its own token was used last; undefined: never, or for whoever may only read. */
  readonly lastUse: TokenUse | undefined;
}

export type ReadRepo = (request: RepoRequest) => Promise<ReadRepoResult>;

/** Throws a Failure `not-found` also where the caller may not know of the repo. */
export function createReadRepo(deps: ReadRepoDeps): ReadRepo {
  const { views, secrets, hosts, tokenUses, clock } = deps;
  return async (request) => {
    const { repo, caller } = await findReadableRepo(deps, request);
    const administers = mayAdminister(caller, repo);
    const [token, uses, closed] = await Promise.all([
      administers ? readToken(deps, repo) : undefined,
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
  };
}

async function readToken({ repos, secrets }: ReadRepoDeps, repo: Repo): Promise<string | undefined> {
  const stored = await repos.readToken(repo.id);
  if (stored === undefined) throw new Failure('internal', `Repo ${repo.id} has no token.`);
  return secrets.unseal(stored.sealed);
}
