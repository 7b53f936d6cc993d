import type { HostRuns } from '../../core/repo/git-host.ts';

/**
 * How uploads name Bitbucket Pipelines. `service_number` is the number of the pipeline in its repo, never the id by
 * which it is asked for.
 */
export const RUN_NAMES: HostRuns = {
  serviceName: 'bitbucket',
  isServiceName: (text) => /^bitbucket/i.test(text),
  isRunId: () => false,
  forkProof: undefined,
  isPageOf: (url, runId) => numberIn(url) === runId,
  triggerOf: (event) => (event === 'push' ? 'push' : event === 'pull_request' ? 'pull-request' : 'other'),
  botWithoutSecrets: () => undefined,
};

/** The number of the pipeline whose page it is: `.../pipelines/results/4`, `.../pipelines/home#!/results/4`. */
export function numberIn(url: string): string | undefined {
  return /\/pipelines\/(?:home#!\/)?results\/([1-9]\d{0,14})(?:\D|$)/.exec(url)?.[1];
}
