import { Failure, quoteValue } from '../../domain/failure.ts';
import { describeToken } from '../../domain/repo/token-kind.ts';
import type { Doubt } from '../../domain/repo/workflow-run.ts';
import type { ProviderFailure } from '../../ports/provider.ts';

/** A provider's token and the repo that was asked for with it. */
export interface TokenAndRepo {
  readonly token: string;
  readonly repoName: string | undefined;
}

/**
 * The refusal of a provider's token: its kind, the repo asked for, what was found and what to do; never the token
 * (wire.md).
 */
export function refuseToken({ token, repoName }: TokenAndRepo, { found, remedy }: Doubt): Failure {
  const asked = repoName === undefined ? 'without a repo_name' : `for the repo ${quoteValue(repoName)}`;
  return new Failure('repo-token-unknown', `repo_token is ${describeToken(token)}, sent ${asked}. ${found} ${remedy}`, {
    field: 'repo_token',
  });
}

/**
 * What becomes of a question that the provider did not answer: final answers refuse, all others are to be tried again.
 */
export function refuseUnanswered(claim: TokenAndRepo, failure: ProviderFailure): Failure {
  if (failure.kind === 'permanent') return refuseToken(claim, explainStatus(failure.status));
  const why = failure.kind === 'limited' ? 'GitHub wants its callers to wait' : 'GitHub did not answer in time';
  const asked = claim.repoName === undefined ? '' : ` for the repo ${quoteValue(claim.repoName)}`;
  const sentence =
    `repo_token is ${describeToken(claim.token)}, which GitHub has to vouch for${asked}, and ${why}. Nothing was ` +
    'stored; send it again.';
  return new Failure('unavailable', sentence, { cause: failure });
}

function explainStatus(status: number | undefined): Doubt {
  if (status === 401) {
    return {
      found: 'GitHub does not know this token (401): it is wrong, expired or revoked.',
      remedy: "Send a valid one (a workflow's own token ends with its job), or the repo's own token.",
    };
  }
  if (status === 403) {
    return {
      found: 'GitHub refused (403) to answer with it.',
      remedy:
        "A workflow's token needs `actions: read` and `contents: read`; a personal one access to the repo, with " +
        "single sign-on where the organization demands it. Or use the repo's own token.",
    };
  }
  return {
    found: `GitHub refused (${status ?? 'without a status'}) to answer with it.`,
    remedy: "Use the repo's own token, or have the operator check GITHUB_API_URL.",
  };
}
