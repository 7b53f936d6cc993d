import type { ProviderTokenKind } from '../../domain/repo/provider-token.ts';
import { findNameProblem } from '../../domain/repo/repo-name.ts';
import type { Doubt } from '../../domain/repo/workflow-run.ts';
import { type OpenTokenView, ProviderFailure, type RefreshedRepo, type TokenView } from '../../ports/provider.ts';
import { refuseToken, refuseUnanswered, type TokenAndRepo } from './refuse-token.ts';
import type { RetryUntilDeadline } from './retry-until-deadline.ts';
import type { RunClaim, VerifyRun } from './verify-run.ts';

/** A provider's token, and what is claimed with it. */
export interface TokenClaim extends TokenAndRepo, RunClaim {
  readonly kind: ProviderTokenKind;
  /** Milliseconds that the request has taken so far. */
  readonly spent?: number | undefined;
}

/**
 * The repo for which the provider vouches. The token is used for these questions and forgotten. Throws a Failure
 * `repo-token-unknown` when it does not vouch, `unavailable` when it could not be asked.
 */
export type VerifyProviderToken = (claim: TokenClaim) => Promise<RefreshedRepo>;

export interface VerifyProviderTokenDeps {
  readonly openTokenView: OpenTokenView;
  readonly retryUntilDeadline: RetryUntilDeadline;
  readonly verifyRun: VerifyRun;
}

export function createVerifyProviderToken(deps: VerifyProviderTokenDeps): VerifyProviderToken {
  const { openTokenView, retryUntilDeadline, verifyRun } = deps;
  return async (claim) => {
    const { token, kind, repoName: repo } = claim;
    const problem = findNameDoubt(claim);
    if (problem !== undefined) throw refuseToken(claim, problem);
    try {
      const answer = await retryUntilDeadline(async (timeLimit) => {
        const view = openTokenView({ token, timeLimit });
        if (kind === 'person' && repo !== undefined) return askPerson(view, repo);
        return askInstallation(view, { verifyRun, claim });
      }, claim.spent);
      if ('found' in answer) throw refuseToken(claim, answer);
      return answer;
    } catch (error) {
      throw error instanceof ProviderFailure ? refuseUnanswered(claim, error) : error;
    }
  };
}

function findNameDoubt({ kind, repoName }: TokenClaim): Doubt | undefined {
  if (repoName === undefined) {
    if (kind === 'installation') return undefined;
    return {
      found: 'Such a token is for everything that its owner may do.',
      remedy: "Send the repo beside it as repo_name, <owner>/<name>, or use the repo's own token.",
    };
  }
  const problem = findNameProblem('github', repoName);
  return problem === undefined
    ? undefined
    : { found: `repo_name must be ${problem}.`, remedy: 'Nothing was asked of GitHub.' };
}

/** A person's token counts where its owner may push: who reads only must not write coverage. */
async function askPerson(view: TokenView, name: string): Promise<RefreshedRepo | Doubt> {
  const repo = await view.readRepo({ repo: name });
  if (repo === undefined) {
    return {
      found: 'GitHub shows this token no such repo.',
      remedy: "Check repo_name and give the token access to the repo, or use the repo's own token.",
    };
  }
  if (repo.mayPush) return repo;
  return {
    found: 'GitHub says that its owner may not push there (permissions.push).',
    remedy: "Use the token of somebody who may, or the repo's own token.",
  };
}

/**
 * A workflow's token is nobody's and often read-only: it counts where it covers the repo and its run vouches for the
 * upload.
 */
async function askInstallation(
  view: TokenView,
  { verifyRun, claim }: { readonly verifyRun: VerifyRun; readonly claim: TokenClaim },
): Promise<RefreshedRepo | Doubt> {
  const { runs, commits, repoName } = claim;
  const { repo, covered } = await view.findInstalled({ repo: repoName });
  if (repo === undefined) return notCovered(covered, repoName);
  return (await verifyRun(view, { repo, runs, commits })) ?? repo;
}

function notCovered(covered: number, repoName: string | undefined): Doubt {
  const count = covered === 1 ? '1 repo' : `${covered} repos`;
  return {
    found:
      `GitHub says that it covers ${count}${repoName === undefined ? '' : ', and not this one'} (GET ` +
      '/installation/repositories).',
    remedy:
      repoName === undefined
        ? 'Send the repo beside it as repo_name, <owner>/<name>.'
        : "A workflow's own token covers its own repo alone: send that as repo_name, or use the repo's own token.",
  };
}
