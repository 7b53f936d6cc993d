import { RecentMap } from '../../core/recent-map.ts';
import { CALL_TIME_LIMIT, type Provider } from '../../ports/provider.ts';
import type { HostDeps } from '../host-kind.ts';
import { createCalls } from '../rest/calls.ts';
import { createBudget } from './budget.ts';
import { createChangedFiles } from './changed-files.ts';
import { createComments } from './comments.ts';
import { createCommits } from './commits.ts';
import { createFacts } from './facts.ts';
import { createFiles } from './files.ts';
import { createHistories } from './histories.ts';
import { createHooks } from './hooks.ts';
import { createPipelines } from './pipelines.ts';
import type { Bitbucket } from './questions.ts';
import { createCodeInsights } from './reports.ts';
import { restApiOf } from './rest-api.ts';
import { createStatuses } from './statuses.ts';

const MAX_REMEMBERED = 5_000;

/** Bitbucket by one token. */
export function connectBitbucket(
  { clock, timers, fetch }: HostDeps,
  {
    api,
    token,
    timeLimit = CALL_TIME_LIMIT,
  }: { readonly api: string; readonly token: string; readonly timeLimit?: number },
): Bitbucket {
  const remembered = () => new RecentMap<string>({ max: MAX_REMEMBERED });
  return {
    calls: createCalls({ fetch, clock, timers, host: restApiOf(api), token, timeLimit }),
    budget: createBudget(clock),
    ids: remembered(),
    commits: remembered(),
    bases: remembered(),
  };
}

/** `webhookSecret`: BITBUCKET_WEBHOOK_SECRET. */
export function createProvider(bitbucket: Bitbucket, webhookSecret: string | undefined): Provider {
  return {
    ...createStatuses(bitbucket),
    ...createComments(bitbucket),
    ...createFacts(bitbucket),
    ...createCommits(bitbucket),
    ...createHistories(bitbucket),
    ...createChangedFiles(bitbucket),
    ...createFiles(bitbucket),
    ...createPipelines(bitbucket),
    ...createCodeInsights(bitbucket),
    ...createHooks(bitbucket, webhookSecret),
  };
}
