import { Failure } from '../../domain/failure.ts';
import { mayAdminister } from '../../domain/repo/caller.ts';
import type { GitHosts } from '../../domain/repo/git-host.ts';
import type { Repo } from '../../domain/repo/repo.ts';
import { repoWarnings } from '../../domain/repo/warnings.ts';
import type { BuildViews } from '../../ports/build-views.ts';
import type { Secrets } from '../../ports/secrets.ts';
import type { RepoStore } from '../../ports/store.ts';
import type { KnowAccess } from '../access/know-access.ts';
import { findReadableRepo, type RepoRequest } from './find-administered-repo.ts';

export interface ReadRepoDeps {
  readonly repos: Pick<RepoStore, 'findByName' | 'readToken'>;
  readonly knowAccess: KnowAccess;
  readonly views: Pick<BuildViews, 'closed'>;
  readonly secrets: Pick<Secrets, 'unseal' | 'badgeToken'>;
  readonly hosts: GitHosts;
}

export interface ReadRepoResult {
  readonly repo: Repo;
  /** In the clear; undefined for whoever may only read. */
  readonly token: string | undefined;
  /** What reads its badge while the repo is private (rule 30); undefined for whoever may only read. */
  readonly badgeToken: string | undefined;
  /** Whether a closed build exists. */
  readonly hasBadge: boolean;
  /** Sentences. */
  readonly warnings: readonly string[];
}

export type ReadRepo = (request: RepoRequest) => Promise<ReadRepoResult>;

/** Throws a Failure `not-found` also where the caller may not know of the repo. */
export function createReadRepo(deps: ReadRepoDeps): ReadRepo {
  const { views, secrets, hosts } = deps;
  return async (request) => {
    const { repo, caller } = await findReadableRepo(deps, request);
    const administers = mayAdminister(caller, repo);
    const [token, closed] = await Promise.all([
      administers ? readToken(deps, repo) : undefined,
      views.closed({ repoId: repo.id, scope: 'repo', before: undefined, limit: 1 }),
    ]);
    return {
      repo,
      token,
      badgeToken: administers ? secrets.badgeToken(repo.id) : undefined,
      hasBadge: closed.length > 0,
      warnings: repoWarnings(repo, hosts),
    };
  };
}

async function readToken({ repos, secrets }: ReadRepoDeps, repo: Repo): Promise<string> {
  const stored = await repos.readToken(repo.id);
  if (stored === undefined) throw new Failure('internal', `Repo ${repo.id} has no token.`);
  return secrets.unseal(stored.sealed);
}
