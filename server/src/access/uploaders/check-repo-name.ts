import { quoteValue } from '../../core/failure.ts';
import type { Repo } from '../../core/repo/repo.ts';
import { createDeadline } from '../../hosts/facts/deadline.ts';
import { refreshRepo } from '../../hosts/facts/refresh-repo.ts';
import type { Services } from '../../services/services.ts';

/** What a client says of its repo, beside a repo's own token. */
export interface NamedRepo {
  readonly repo: Repo;
  /** `<owner>/<name>`, where the client says so. */
  readonly repoName: string | undefined;
}

/** How long an upload waits for the host, and how seldom it is asked about one repo, in ms. */
const TIME_LIMIT = 2_000;
const ASKED_EVERY = 60_000;

/**
 * A sentence where the token is another repo's: a secret that was copied along. Undefined: nothing is wrong. The host
 * knows whether the repo was only renamed: then the new name is followed.
 */
export async function checkRepoName(
  services: Pick<Services, 'repos' | 'askProvider' | 'clock' | 'timers'>,
  { repo, repoName }: NamedRepo,
): Promise<string | undefined> {
  const { clock, timers } = services;
  if (repoName === undefined || isNamed(repo, repoName)) return undefined;
  const { seen } = repo;
  const isOld = seen === undefined || seen.at < clock.now() - ASKED_EVERY;
  const known = isOld && seen !== undefined ? { ...repo, seen: { ...seen, at: 0 } } : repo;
  const { repo: today } = await refreshRepo(services, { repo: known, deadline: createDeadline(timers, TIME_LIMIT) });
  if (isNamed(today, repoName)) return undefined;
  return otherRepo(quoteValue(repoName), quoteValue(today.name));
}

function isNamed({ name }: Repo, repoName: string): boolean {
  return name.toLowerCase() === repoName.toLowerCase();
}

function otherRepo(named: string, own: string): string {
  return (
    `repo_name is ${named}, but the token is that of the repo ${own}: the job counts there. ` +
    `Use the token of ${named}.`
  );
}
