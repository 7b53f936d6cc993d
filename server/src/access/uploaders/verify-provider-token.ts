import type { ForkRun } from '../../core/repo/fork-run.ts';
import type { ProviderTokenKind } from '../../core/repo/git-host.ts';
import { findNameProblem } from '../../core/repo/repo-name.ts';
import type { TrustProblem, VouchedRun } from '../../core/repo/workflow-run.ts';
import { type Counts, counted, type Texts } from '../../core/sentences.ts';
import type { Host } from '../../ports/host.ts';
import { ProviderFailure, type RefreshedRepo, type TokenView } from '../../ports/provider.ts';
import type { ForkClaim } from './fork-uploaders.ts';
import { refuseToken, refuseUnanswered, type TokenAndRepo } from './refuse-token.ts';
import type { SentToken } from './remembered-tokens.ts';
import type { UploaderServices } from './uploader-services.ts';
import { verifyForkRun } from './verify-fork-run.ts';
import type { RunClaim } from './verify-run.ts';

/** A host's token, and what is claimed with it. */
export interface TokenClaim extends TokenAndRepo, RunClaim, SentToken {
  readonly host: Host;
  readonly kind: ProviderTokenKind;
  /** Absent: no run without secrets counts. */
  readonly fork?: ForkClaim | undefined;
  /** Milliseconds that the request has taken so far. */
  readonly spent?: number | undefined;
}

/** What the provider vouches for. */
export interface Vouched {
  readonly repo: RefreshedRepo;
  /** For a workflow's own token, which speaks for this run alone. */
  readonly run: VouchedRun | undefined;
  /** The token may be of any run of the repo that is under way, a fork's too: the upload alone says which. */
  readonly isRunClaimed?: boolean;
  /** The same run, where it has no secrets: it speaks for its pull request alone. */
  readonly fork?: ForkRun;
}

/**
 * The repo for which the provider vouches, and the run. The token is used for these questions and forgotten. Throws a
 * Failure `repo-token-unknown` when it does not vouch, `unavailable` when it could not be asked.
 */
export async function verifyProviderToken(services: UploaderServices, claim: TokenClaim): Promise<Vouched> {
  const { retryUntilDeadline, refusedTokens } = services;
  const { host, token, kind, repoName: repo } = claim;
  const problem = findRepoNameProblem(claim);
  if (problem !== undefined) throw refuseToken(claim, problem);
  try {
    const ask = (timeLimit: number): Promise<Vouched | TrustProblem> => {
      const view = host.openTokenView({ token, timeLimit });
      if (kind === 'person' && repo !== undefined) return askPerson(view, host, repo);
      return askInstallation(services, view, claim);
    };
    const answer = await retryUntilDeadline((limit) => refusedTokens.ask(claim, () => ask(limit)), claim.spent);
    if ('found' in answer) throw refuseToken(claim, answer);
    return answer;
  } catch (error) {
    throw error instanceof ProviderFailure ? refuseUnanswered(claim, error) : error;
  }
}

function findRepoNameProblem({ host, kind, repoName }: TokenClaim): TrustProblem | undefined {
  if (repoName === undefined) {
    if (kind === 'installation') return undefined;
    return {
      found: 'Such a token covers everything that its owner can do, so it does not identify the repo.',
      remedy: "Send the repo with it as repo_name, <owner>/<name>, or use the repo's own token.",
    };
  }
  const problem = findNameProblem(host.service, repoName);
  return problem === undefined
    ? undefined
    : { found: `repo_name must be ${problem}.`, remedy: `No request was sent to ${host.name}.` };
}

/** A person's token counts where its owner may push: who reads only must not write coverage. */
async function askPerson(view: TokenView, host: Host, name: string): Promise<Vouched | TrustProblem> {
  const repo = await view.readRepo({ repo: name });
  if (repo === undefined) {
    return {
      found: `${host.name} does not show this token a repo of that name.`,
      remedy: "Check repo_name and give the token access to the repo, or use the repo's own token.",
    };
  }
  if (repo.mayPush) return { repo, run: undefined };
  return {
    found: `${host.name} says that its owner may not push to the repo (${host.tokens.words.mayPush}).`,
    remedy: "Use the token of somebody who can, or the repo's own token.",
  };
}

/**
 * A workflow's token is nobody's and often read-only: it counts where it covers the repo and its run vouches for the
 * upload.
 */
async function askInstallation(
  services: UploaderServices,
  view: TokenView,
  claim: TokenClaim,
): Promise<Vouched | TrustProblem> {
  const { host, runs, commits, repoName, fork } = claim;
  const { repo, covered, run: own } = await view.findInstalled({ repo: repoName });
  if (repo === undefined) return notCovered(covered, claim);
  const run = await services.verifyRun(view, { host, repo, runs, commits, own });
  if (!('found' in run)) return { repo, run, isRunClaimed: own === undefined };
  const { withoutSecrets: known } = run;
  if (known === undefined || fork === undefined) return run;
  const { pullRequest } = fork;
  const place = { host, repo: repo.name, repoId: repo.id };
  const ofFork = await verifyForkRun(services, view, { ...place, runs, commits, pullRequest, known });
  return 'found' in ofFork ? ofFork : { repo, run: ofFork, fork: ofFork };
}

function notCovered(covered: number, { host, repoName }: TokenClaim): TrustProblem {
  return {
    found: notCoveredText({ host: host.name, covered, repoName, asked: host.tokens.words.covered }),
    remedy:
      repoName === undefined
        ? 'Send the repo with it as repo_name, <owner>/<name>.'
        : "A workflow's own token covers only its own repo: send that as repo_name, or use the repo's own token.",
  };
}

function notCoveredText({
  host,
  covered,
  repoName,
  asked,
}: Texts<'host' | 'asked'> & Counts<'covered'> & { readonly repoName: string | undefined }): string {
  const other = repoName === undefined ? '' : ', and not this one';
  return `${host} says that it covers ${counted(covered, 'repo')}${other} (${asked}).`;
}
