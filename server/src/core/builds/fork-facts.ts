import type { ForkRun } from '../repo/fork-run.ts';
import type { HostRuns } from '../repo/git-host.ts';
import type { JobFacts } from './job.ts';

/**
 * What an upload without a secret counts as saying (rule 29): where it belongs is what its run says, so that it lands
 * in no other build, branch or queue.
 */
export function factsOfForkRun(facts: JobFacts, run: ForkRun, { isPageOf }: Pick<HostRuns, 'isPageOf'>): JobFacts {
  const { id, number, headCommit, event, attempt, headBranch, pullRequest } = run;
  const { serviceJobId, commit, testedCommit } = facts;
  const pageOf = (url: string | undefined): string | undefined => (url && isPageOf(url, id) ? url : undefined);
  return {
    ...facts,
    // One build for each run, found by no other number than its own.
    serviceNumber: id,
    serviceJobId: serviceJobId === undefined || serviceJobId.startsWith(id) ? serviceJobId : `${id}-${serviceJobId}`,
    ...(facts.serviceRun !== undefined && { serviceRun: id }),
    serviceAttempt: Math.min(facts.serviceAttempt, attempt),
    serviceEventType: event,
    pullRequest,
    commit: headCommit,
    testedCommit: [testedCommit, commit].find((one) => one !== undefined && one !== headCommit),
    branch: headBranch,
    tag: false,
    mergeQueue: false,
    buildUrl: pageOf(facts.buildUrl),
    jobUrl: pageOf(facts.jobUrl),
    trust: 'run',
    vouchedRun: { id, number, headCommit },
  };
}
