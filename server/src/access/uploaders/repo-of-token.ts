import { Failure, quoteValue } from '../../core/failure.ts';
import type { GitHosts } from '../../core/repo/git-host.ts';
import type { Repo } from '../../core/repo/repo.ts';
import { describeUnknownToken } from '../../core/repo/token-kind.ts';
import * as say from '../../messages/access.ts';

interface TokenClaim {
  readonly token: string | undefined;
  readonly repoName: string | undefined;
}

/** The repo whose own token this is. Throws a Failure `repo-token-unknown` that never shows the token. */
export function requireRepo(repo: Repo | undefined, claim: TokenClaim, hosts: GitHosts): Repo {
  if (repo !== undefined) return checkNotSuspended(repo);
  throw new Failure('repo-token-unknown', unknownToken(claim, hosts), { field: 'repo_token' });
}

/** The repo, unless nobody may write to it (rule 28). */
export function checkNotSuspended(repo: Repo): Repo {
  if (repo.suspended === undefined) return repo;
  const sentence = say.repoSuspended(quoteValue(repo.name), repo.suspended);
  throw new Failure('repo-token-unknown', sentence, { field: 'repo_token' });
}

function unknownToken({ token, repoName }: TokenClaim, hosts: GitHosts): string {
  const asked = repoName && quoteValue(repoName);
  if (token === undefined) {
    const taken = hosts.all.map(({ name, tokens }) => ({ name, tokens: tokens.words.accepted }));
    return say.repoNotFound({ repoName: asked, seen: say.REPO_TOKEN_MISSING, next: say.waysToSignUpload(taken) });
  }
  const taken = hosts.all.map(({ name, tokens }) => ({ name, tokens: tokens.words.ofJob }));
  const seen = say.repoTokenIs(describeUnknownToken(token, hosts));
  return say.repoNotFound({ repoName: asked, seen, next: say.useCurrentToken(taken) });
}
