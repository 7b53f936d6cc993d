import type { HostRuns } from '../../core/repo/git-host.ts';

/**
 * How uploads name GitLab CI and its pipelines. `service_number` is the pipeline's number in its project, never the id
 * by which it is asked for, so no field but `service_run_id` and the page's address is.
 */
export const RUN_NAMES: HostRuns = {
  serviceName: 'gitlab-ci',
  isServiceName: (text) => /^gitlab/i.test(text),
  isRunId: () => false,
  forkProof: 'job-token',
  isPageOf: (url, runId) =>
    url
      .split('/-/pipelines/')
      .slice(1)
      .some((rest) => /^\d*/.exec(rest)?.[0] === runId),
  triggerOf: (event) => (event === 'push' ? 'push' : event === 'merge_request_event' ? 'pull-request' : 'other'),
  botWithoutSecrets: () => undefined,
};
