import { Failure } from '../core/failure.ts';
import { type Caller, mayAdminister, mayRead } from '../core/repo/caller.ts';
import type { Repo } from '../core/repo/repo.ts';
import type { RepoAddress } from '../core/repo/repo-name.ts';
import type { Services } from '../services/services.ts';

/** A repo, and who wants something of it. */
export interface RepoRequest {
  readonly caller: Caller;
  readonly address: RepoAddress;
}

type Finding = Pick<Services, 'repos' | 'resolveAccess'>;

/** The repo, and the caller with what they may do there. Throws a Failure `not-found` for one they may not read. */
export async function findReadableRepo(
  { repos, resolveAccess }: Finding,
  { caller: asking, address }: RepoRequest,
): Promise<{ readonly repo: Repo; readonly caller: Caller }> {
  const repo = await repos.findByName(address.service, address.name);
  if (repo === undefined) throw repoNotFound(address);
  const caller = await resolveAccess(asking, [repo]);
  if (!mayRead(caller, repo)) throw repoNotFound(address);
  return { repo, caller };
}

/** The repo, if the caller may change it. One that the caller may not even read does not exist for them. */
export async function findAdministeredRepo(services: Finding, request: RepoRequest): Promise<Repo> {
  const { caller, repo } = await findReadableRepo(services, request);
  if (mayAdminister(caller, repo)) return repo;
  throw new Failure(
    'forbidden',
    `The ${repo.service} repo ${repo.name} can be read, but not changed, with these credentials: only its owner ` +
      'and administrators can change it.',
  );
}

/** The same answer whether there is no such repo or the caller may not know of it. */
export function repoNotFound({ service, name }: RepoAddress): Failure {
  return new Failure(
    'not-found',
    `There is no ${service} repo ${name} that these credentials may see. Create it with POST /api/v1/repos.`,
  );
}
