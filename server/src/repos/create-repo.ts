import { Failure } from '../core/failure.ts';
import { auditBy } from '../core/repo/audit.ts';
import { type Caller, mayRead } from '../core/repo/caller.ts';
import type { Repo } from '../core/repo/repo.ts';
import { findNameProblem, type RepoAddress } from '../core/repo/repo-name.ts';
import { DEFAULT_REPO_SETTINGS, type RepoSettings } from '../core/repo/settings.ts';
import type { Services } from '../services/services.ts';

export interface CreateRepoInput {
  readonly caller: Caller;
  readonly address: RepoAddress;
  /** Those that are not given take their defaults. */
  readonly settings: Partial<RepoSettings>;
}

/**
 * Answers the repo with its token in the clear.
 * Makes a repo that belongs to the caller. Failures: `payload-invalid`, `forbidden` (rule 28), `conflict`.
 */
export async function createRepo(
  services: Pick<Services, 'clock' | 'resolveAccess' | 'repos' | 'secrets'>,
  { caller, address, settings }: CreateRepoInput,
): Promise<{ readonly repo: Repo; readonly token: string }> {
  const { repos, secrets, clock, resolveAccess } = services;
  const problem = findNameProblem(address.service, address.name);
  if (problem !== undefined)
    throw new Failure('payload-invalid', `repo.name must be ${problem}.`, { field: 'repo.name' });
  const token = secrets.newRepoToken();
  const at = clock.now();
  const repo = await repos.create(
    {
      ...address,
      owner: ownerOf(caller, address),
      settings: { ...DEFAULT_REPO_SETTINGS, ...settings },
      token: { ...secrets.seal(token), expiresAt: undefined },
      at,
    },
    auditBy(caller, { action: 'repo.made', at, after: settings }),
  );
  if (repo === undefined) {
    const taken = await repos.findByName(address.service, address.name);
    if (taken !== undefined && !mayRead(await resolveAccess(caller, [taken]), taken)) throw mayNotMake(address);
    const sentence =
      `The ${address.service} repo ${address.name} exists already (names are compared without regard to case). ` +
      'Change it with PUT, or choose another name.';
    throw new Failure('conflict', sentence, { field: 'repo.name' });
  }
  return { repo, token };
}

/**
 * Rule 28: the holder of a real repo's name here speaks on its pull requests, so an administrator has to vouch for it.
 */
function ownerOf(caller: Caller, address: RepoAddress): string {
  if (caller.kind !== 'user')
    throw new Failure(
      'forbidden',
      'A repo is created with a personal token. Send Authorization: token <personal ' + 'token>.',
    );
  if (address.service === 'manual' || caller.role === 'administrator') return caller.user;
  throw mayNotMake(address);
}

/** The same for another user's private repo, whose name must not be told, as for one that may not be made. */
function mayNotMake({ service, name }: RepoAddress): Failure {
  const sentence =
    `Only an administrator can create a ${service} repo called ${name} for you: ` +
    "this server announces on the pull requests of a git host's repos, and some manual names are reserved. " +
    'Ask one to create it, or choose another name with service "manual".';
  return new Failure('forbidden', sentence, { field: 'repo.name' });
}
