import { Failure, quoteValue } from '../../core/failure.ts';
import type { GitHost } from '../../core/repo/git-host.ts';
import type { TrustProblem } from '../../core/repo/workflow-run.ts';
import type { Texts } from '../../core/sentences.ts';
import type { ProviderFailure } from '../../ports/provider.ts';
import { hostAsksToWait, hostTooSlow, tokenRefused } from './sentences.ts';

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
  return new Failure('repo-token-unknown', tokenRefused(refused), { field: 'repo_token' });
}

/**
 * What becomes of a question that the host did not answer: final answers refuse, all others are to be tried again.
 */
export function refuseUnanswered(claim: TokenAndRepo, failure: ProviderFailure): Failure {
  const { host, repoName } = claim;
  if (failure.kind === 'permanent') return refuseToken(claim, explainStatus(host, failure.status));
  const why = failure.kind === 'limited' ? hostAsksToWait(host.name) : hostTooSlow(host.name);
  const asked = repoName && quoteValue(repoName);
  const sentence = tokenUnchecked({ kind: kindOf(claim), host: host.name, repoName: asked, why });
  return new Failure('unavailable', sentence, { cause: failure });
}

function kindOf({ host, token }: TokenAndRepo): string {
  return host.tokens.describe(token) ?? `a token of ${host.name}`;
}

function explainStatus({ name, tokens }: TokenAndRepo['host'], status: number | undefined): TrustProblem {
  if (status === 401) {
    return {
      found: `${name} does not know this token (401): it is wrong, expired or revoked.`,
      remedy: "Send a valid one (a workflow's own token ends with its job), or the repo's own token.",
    };
  }
  if (status === 403) {
    return {
      found: `${name} refused it (403).`,
      remedy: `${tokens.words.needs} Or use the repo's own token.`,
    };
  }
  return {
    found: `${name} refused it (${status ?? 'without a status'}).`,
    remedy: `Use the repo's own token, or have the operator check ${tokens.words.address}.`,
  };
}

function tokenUnchecked({
  kind,
  host,
  repoName,
  why,
}: Texts<'kind' | 'host' | 'why'> & { readonly repoName: string | undefined }): string {
  const asked = repoName === undefined ? '' : ` for the repo ${repoName}`;
  const what = `repo_token is ${kind}, which ${host} has to confirm${asked}`;
  return `${what}, and ${why}. Nothing was stored; send it again.`;
}
