import type { HostRuns, RunTrigger } from '../../core/repo/git-host.ts';
import { isNumericId } from '../git-names.ts';

/** GitHub's words (docs.github.com, "Events that trigger workflows"); its other ones say nothing that matters here. */
const TRIGGERS: ReadonlyMap<string, RunTrigger> = new Map([
  ['push', 'push'],
  ['pull_request', 'pull-request'],
  ['pull_request_review', 'review'],
  ['pull_request_review_comment', 'review'],
  ['merge_group', 'merge-queue'],
  ['workflow_run', 'other-run'],
]);

/** How uploads name GitHub Actions and its runs. */
export const RUN_NAMES: HostRuns = {
  serviceName: 'github',
  isServiceName: (text) => /^github/i.test(text),
  isRunId: isNumericId,
  forkProof: 'run-id',
  isPageOf,
  triggerOf: (event) => TRIGGERS.get(event) ?? (event.startsWith('pull_request') ? 'pull-request-base' : 'other'),
  botWithoutSecrets: (login) => (login === 'dependabot[bot]' ? 'Dependabot' : undefined),
};

/** The whole number after `/actions/runs/` has to be the run's id, not only its beginning. */
function isPageOf(url: string, runId: string): boolean {
  return url
    .split('/actions/runs/')
    .slice(1)
    .some((rest) => /^\d*/.exec(rest)?.[0] === runId);
}
