import { Failure, quoteValue } from '../../core/failure.ts';
import type { GitHost } from '../../core/repo/git-host.ts';
import type { TrustProblem } from '../../core/repo/workflow-run.ts';
import * as say from '../../messages/access.ts';
import type { ProviderFailure } from '../../ports/provider.ts';

/** A host's token and the repo that was asked for with it. */
export interface TokenAndRepo {
  readonly host: Pick<GitHost, 'name' | 'tokens'>;
  readonly token: string;
  readonly repoName: string | undefined;
}

/**
 * The refusal of a host's token: its kind, the repo asked for, what was found and what to do; never the token
 * (wire.md).
 */
export function refuseToken(claim: TokenAndRepo, { found, remedy }: TrustProblem): Failure {
  const refused = { kind: kindOf(claim), repoName: claim.repoName && quoteValue(claim.repoName), found, remedy };
  return new Failure('repo-token-unknown', say.tokenRefused(refused), { field: 'repo_token' });
}

/**
 * What becomes of a question that the host did not answer: final answers refuse, all others are to be tried again.
 */
export function refuseUnanswered(claim: TokenAndRepo, failure: ProviderFailure): Failure {
  const { host, repoName } = claim;
  if (failure.kind === 'permanent') return refuseToken(claim, explainStatus(host, failure.status));
  const why = failure.kind === 'limited' ? say.hostAsksToWait(host.name) : say.hostTooSlow(host.name);
  const asked = repoName && quoteValue(repoName);
  const sentence = say.tokenUnchecked({ kind: kindOf(claim), host: host.name, repoName: asked, why });
  return new Failure('unavailable', sentence, { cause: failure });
}

function kindOf({ host, token }: TokenAndRepo): string {
  return host.tokens.describe(token) ?? say.tokenOfHost(host.name);
}

function explainStatus({ name, tokens }: TokenAndRepo['host'], status: number | undefined): TrustProblem {
  if (status === 401) {
    return {
      found: say.tokenUnknownToHost(name),
      remedy: say.SEND_VALID_TOKEN,
    };
  }
  if (status === 403) {
    return {
      found: say.hostForbids(name),
      remedy: say.orRepoToken(tokens.words.needs),
    };
  }
  return {
    found: say.hostRefuses(name, status),
    remedy: say.haveAddressChecked(tokens.words.address),
  };
}
