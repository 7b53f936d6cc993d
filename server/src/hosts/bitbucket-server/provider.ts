import { RecentMap } from '../../core/recent-map.ts';
import { CALL_TIME_LIMIT, type Provider } from '../../ports/provider.ts';
import type { HostDeps } from '../host-kind.ts';
import { createCalls } from '../rest/calls.ts';
import { createComments } from './comments.ts';
import { createFacts } from './facts.ts';
import { createHistories } from './histories.ts';
import { createHooks } from './hooks.ts';
import { type DataCenter, pathOf } from './questions.ts';
import { createCodeInsights } from './reports.ts';
import { restApiOf } from './rest-api.ts';
import { createStatuses } from './statuses.ts';

/** A Bitbucket Data Center by one token. */
export function connectDataCenter(
  { clock, timers, fetch }: HostDeps,
  {
    web,
    token,
    timeLimit = CALL_TIME_LIMIT,
  }: { readonly web: string; readonly token: string; readonly timeLimit?: number },
): DataCenter {
  const calls = createCalls({ fetch, clock, timers, host: restApiOf(web), token, timeLimit });
  return { calls, ids: new RecentMap({ max: 5_000 }) };
}

/** `webhookSecret`: BITBUCKET_SERVER_WEBHOOK_SECRET. */
export function createProvider(center: DataCenter, webhookSecret: string | undefined): Provider {
  const nothing = async ({ repo }: { readonly repo: string }) => void pathOf(repo);
  return {
    ...createStatuses(center),
    ...createComments(center),
    ...createFacts(center),
    ...createHistories(center),
    ...createCodeInsights(center),
    ...createHooks(center, webhookSecret),
    // It has no CI of its own.
    readRun: nothing,
    listRuns: nothing,
    listRunsOfCommit: async (call) => (await nothing(call)) ?? [],
    findPullRequestsOfRun: nothing,
  };
}
