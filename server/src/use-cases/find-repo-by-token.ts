import { Failure, quoteValue } from '../domain/failure.ts';
import type { Repo } from '../domain/repo/repo.ts';
import { describeToken } from '../domain/repo/token-kind.ts';
import type { Clock } from '../ports/clock.ts';
import type { Secrets } from '../ports/secrets.ts';
import type { RepoStore } from '../ports/store.ts';

/** The repo that a token of an upload or close stands for. Throws a Failure `repo-token-unknown` that never shows the token. */
export type FindRepoByToken = (claim: {
  readonly token: string | undefined;
  readonly repoName: string | undefined;
}) => Promise<Repo>;

export function createFindRepoByToken(deps: {
  readonly repos: RepoStore;
  readonly secrets: Secrets;
  readonly clock: Clock;
}): FindRepoByToken {
  const { repos, secrets, clock } = deps;
  return async ({ token, repoName }) => {
    const repo = token === undefined ? undefined : await repos.findByToken(secrets.lookups(token), clock.now());
    if (repo === undefined) throw new Failure('repo-token-unknown', unknownToken(token, repoName), { field: 'repo_token' });
    if (repo.suspended !== undefined) {
      throw new Failure('repo-token-unknown', `The repo ${quoteValue(repo.name)} is suspended: ${repo.suspended}`, {
        field: 'repo_token',
      });
    }
    return repo;
  };
}

function unknownToken(token: string | undefined, repoName: string | undefined): string {
  const asked = repoName === undefined ? '' : ` for the repo ${quoteValue(repoName)}`;
  const remedy =
    token === undefined
      ? "Send the repo token in the field repo_token. A service_name with a service_job_id alone isn't enough for this server to be sure who speaks."
      : "Use the repo's own token: GET /api/v1/repos/<service>/<owner>/<name> shows it to whoever may administer the repo.";
  const seen = token === undefined ? 'no repo_token was sent' : `repo_token is ${describeToken(token)}`;
  return `Couldn't find a repo${asked}: ${seen}. ${remedy}`;
}
