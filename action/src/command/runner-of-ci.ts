import type { RunFacts } from '../context/ci/read-ci.ts';
import type { GithubEvent } from '../context/event.ts';
import type { Runner } from '../context/github.ts';
import type { LocalCheckout } from './local-checkout.ts';

/**
 * The run of any CI as GitHub's runner would say it, so that the same steps read the commit, the branch and the pull
 * request from it. If the CI says nothing, the checkout does.
 */
export function runnerOf({ ofCi, facts }: RunFacts, checkout: LocalCheckout): Runner {
  const sha = ofCi.sha ?? checkout.headSha ?? '';
  const isMerge = testsMerge({ ofCi, facts });
  return {
    eventName: facts.eventType ?? '',
    sha,
    ref: isMerge ? `refs/pull/${facts.pullRequest}/merge` : '',
    refName: '',
    headRef: branchOf({ facts }, checkout),
    repository: facts.repoName ?? '',
    runId: '',
    runAttempt: '',
    job: '',
    serverUrl: '',
    workspace: checkout.bounds,
    event: facts.pullRequest === undefined ? {} : { pull_request: pullRequestOf({ ofCi, facts }, checkout) },
  };
}

/**
 * Whether it is known what the lines of a pull request are counted from: by the base commit, or by the parents of the
 * merge that is checked out. A first parent alone would leave out all commits but the last.
 */
export function knowsBase({ ofCi, facts }: RunFacts, checkout: LocalCheckout): boolean {
  if (facts.pullRequest === undefined || baseShaOf({ facts }, checkout) !== undefined) return true;
  return testsMerge({ ofCi, facts }) && checkout.headSha === ofCi.sha;
}

/** On a branch none is the answer where a tag or a single commit is checked out. */
function branchOf({ facts }: Pick<RunFacts, 'facts'>, { branch }: LocalCheckout): string {
  return facts.branch ?? branch ?? '';
}

function pullRequestOf(
  { ofCi, facts }: Pick<RunFacts, 'ofCi' | 'facts'>,
  checkout: LocalCheckout,
): NonNullable<GithubEvent['pull_request']> {
  const head = ofCi.headSha ?? ofCi.sha ?? checkout.headSha;
  const baseSha = baseShaOf({ facts }, checkout);
  return {
    number: Number(facts.pullRequest),
    head: { ...(head === undefined ? {} : { sha: head }), ref: branchOf({ facts }, checkout) },
    base: {
      ...(facts.baseBranch === undefined ? {} : { ref: facts.baseBranch }),
      ...(baseSha === undefined ? {} : { sha: baseSha }),
    },
  };
}

function baseShaOf({ facts }: Pick<RunFacts, 'facts'>, checkout: LocalCheckout): string | undefined {
  return facts.baseSha ?? (facts.baseBranch === undefined ? undefined : checkout.remoteSha(facts.baseBranch));
}

function testsMerge({ ofCi, facts }: Pick<RunFacts, 'ofCi' | 'facts'>): boolean {
  return facts.pullRequest !== undefined && ofCi.headSha !== undefined && ofCi.headSha !== ofCi.sha;
}
