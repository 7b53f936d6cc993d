import { Failure } from '../../domain/failure.ts';
import type { Caller } from '../../domain/repo/caller.ts';
import { DEFAULT_REPO_SETTINGS, type Repo, type RepoSettings } from '../../domain/repo/repo.ts';
import { findNameProblem, type RepoAddress } from '../../domain/repo/repo-name.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Secrets } from '../../ports/secrets.ts';
import type { RepoStore } from '../../ports/store.ts';

export interface CreateRepoDeps {
  readonly repos: Pick<RepoStore, 'create'>;
  readonly secrets: Pick<Secrets, 'newRepoToken' | 'seal'>;
  readonly clock: Clock;
}

export interface CreateRepoInput {
  readonly caller: Caller;
  readonly address: RepoAddress;
  /** Those that are not given take their defaults. */
  readonly settings: Partial<RepoSettings>;
}

/** Answers the repo with its token in the clear. */
export type CreateRepo = (input: CreateRepoInput) => Promise<{ readonly repo: Repo; readonly token: string }>;

/** Makes a repo that belongs to the caller. Failures: `payload-invalid`, `forbidden` (rule 28), `conflict`. */
export function createCreateRepo(deps: CreateRepoDeps): CreateRepo {
  const { repos, secrets, clock } = deps;
  return async ({ caller, address, settings }) => {
    const problem = findNameProblem(address.service, address.name);
    if (problem !== undefined)
      throw new Failure('payload-invalid', `repo.name must be ${problem}.`, { field: 'repo.name' });
    const token = secrets.newRepoToken();
    const repo = await repos.create({
      ...address,
      owner: ownerOf(caller, address),
      settings: { ...DEFAULT_REPO_SETTINGS, ...settings },
      token: { ...secrets.seal(token), expiresAt: undefined },
      at: clock.now(),
    });
    if (repo === undefined) {
      const sentence =
        `The ${address.service} repo ${address.name} exists already (names are compared without regard to case). ` +
        'Change it with PUT, or choose another name.';
      throw new Failure('conflict', sentence, { field: 'repo.name' });
    }
    return { repo, token };
  };
}

/**
 * Rule 28: whoever holds a real repo's name here speaks on its pull requests, so an administrator has to vouch for it.
 */
function ownerOf(caller: Caller, { service }: RepoAddress): string {
  if (caller.kind !== 'user') throw new Failure('forbidden', 'A repo is made with a personal token.');
  if (service === 'manual' || caller.role === 'administrator') return caller.user;
  throw new Failure(
    'forbidden',
    `Only an administrator can make a ${service} repo, since this server will speak on its pull requests. Ask ` +
      'one to make it, or make it with service "manual".',
  );
}
