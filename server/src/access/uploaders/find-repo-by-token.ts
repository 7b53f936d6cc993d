import { Failure, quoteValue } from '../../core/failure.ts';
import type { GitHosts } from '../../core/repo/git-host.ts';
import type { Repo } from '../../core/repo/repo.ts';
import { describeUnknownToken } from '../../core/repo/token-kind.ts';
import * as say from '../../messages/access.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Secrets } from '../../platform/secrets.ts';
import type { RepoStore } from '../../storage/store.ts';

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
  const sentence = say.repoSuspended(quoteValue(repo.name), repo.suspended);
  throw new Failure('repo-token-unknown', sentence, { field: 'repo_token' });
}

function unknownToken({ token, repoName }: Parameters<FindRepoByToken>[0], hosts: GitHosts): string {
  const asked = repoName && quoteValue(repoName);
  if (token === undefined) {
    const taken = hosts.all.map(({ name, tokens }) => ({ name, tokens: tokens.words.accepted }));
    return say.repoNotFound({ repoName: asked, seen: say.REPO_TOKEN_MISSING, next: say.waysToSignUpload(taken) });
  }
  const taken = hosts.all.map(({ name, tokens }) => ({ name, tokens: tokens.words.ofJob }));
  const seen = say.repoTokenIs(describeUnknownToken(token, hosts));
  return say.repoNotFound({ repoName: asked, seen, next: say.useCurrentToken(taken) });
}
