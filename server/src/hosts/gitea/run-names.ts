import type { HostRuns } from '../../core/repo/git-host.ts';
import { isNumericId } from '../answers.ts';
import type { Flavor } from './flavor.ts';

/**
 * How uploads name Actions and its runs. It looks like GitHub's to every client: whatever reads `GITHUB_RUN_ID` sends
 * the run's id, and calls itself GitHub's.
 */
export function runNamesOf({ service }: Flavor): HostRuns {
  return {
    serviceName: `${service}-actions`,
    isServiceName: (text) => /^(?:github|gitea|forgejo)/i.test(text),
    isRunId: isNumericId,
    forkProof: 'run-id',
    // The page's address holds the run's number in the repo, or its id, as the version wills.
    isPageOf: () => false,
    triggerOf(event) {
      if (event === 'push') return 'push';
      if (/^pull_request(?:_sync)?$/.test(event)) return 'pull-request';
      if (event === 'pull_request_target') return 'pull-request-base';
      if (event === 'workflow_run') return 'other-run';
      return event.startsWith('pull_request_review') ? 'review' : 'other';
    },
    botWithoutSecrets: () => undefined,
  };
}
