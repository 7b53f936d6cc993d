import { Failure, quoteValue } from '../../domain/failure.ts';
import type { GitHosts } from '../../domain/repo/git-host.ts';
import type { Repo } from '../../domain/repo/repo.ts';
import { describeUnknownToken } from '../../domain/repo/token-kind.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Secrets } from '../../ports/secrets.ts';
import type { RepoStore } from '../../ports/store.ts';

/** The repo whose own token this is. Throws a Failure `repo-token-unknown` that never shows the token. */
export type FindRepoByToken = (claim: {
  readonly token: string | undefined;
  readonly repoName: string | undefined;
}) => Promise<Repo>;

export function createFindRepoByToken(deps: {
  readonly repos: Pick<RepoStore, 'findByToken'>;
  readonly secrets: Pick<Secrets, 'lookups'>;
  readonly clock: Clock;
  readonly hosts: GitHosts;
}): FindRepoByToken {
  const { repos, secrets, clock, hosts } = deps;
  return async ({ token, repoName }) => {
    const repo = token === undefined ? undefined : await repos.findByToken(secrets.lookups(token), clock.now());
    if (repo === undefined)
      throw new Failure('repo-token-unknown', unknownToken({ token, repoName }, hosts), { field: 'repo_token' });
    return checkNotSuspended(repo);
  };
}

/** The repo, unless nobody may write to it (rule 28). */
export function checkNotSuspended(repo: Repo): Repo {
  if (repo.suspended === undefined) return repo;
  const sentence = `The repo ${quoteValue(repo.name)} is suspended: ${repo.suspended}`;
  throw new Failure('repo-token-unknown', sentence, { field: 'repo_token' });
}

function unknownToken({ token, repoName }: Parameters<FindRepoByToken>[0], hosts: GitHosts): string {
  const asked = repoName === undefined ? 'a repo' : `the repo ${quoteValue(repoName)}`;
  const seen = token === undefined ? 'no repo_token was sent' : `repo_token is ${describeUnknownToken(token, hosts)}`;
  return `Couldn't find ${asked}: ${seen}. ${token === undefined ? ways(hosts) : ownToken(hosts)}`;
}

/** The Coveralls API lets a service name and job id stand for a token, but anybody can know those. */
function ways({ all }: GitHosts): string {
  const others = all.map(
    ({ name, tokens }) => `, or on ${name} ${tokens.words.accepted} with repo_name, <owner>/<name>`,
  );
  return (
    "service_name and service_job_id alone don't prove who speaks. Send in repo_token either the repo's own token" +
    `${others.join('')}.`
  );
}

function ownToken({ all }: GitHosts): string {
  const others = all.map(({ name, tokens }) => ` On ${name} ${tokens.words.ofJob} with repo_name works too.`);
  return (
    "Use the repo's current token: GET /api/v1/repos/<service>/<owner>/<name> shows it to whoever may administer the " +
    `repo.${others.join('')}`
  );
}
