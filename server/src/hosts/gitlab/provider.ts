import { CALL_TIME_LIMIT, type Provider } from '../../ports/provider.ts';
import type { HostDeps } from '../host-kind.ts';
import { createCalls } from '../rest/calls.ts';
import { createWritePacer } from '../write-pacer.ts';
import { createChangedFiles } from './changed-files.ts';
import { createFacts } from './facts.ts';
import { createFiles } from './files.ts';
import { createHistories } from './histories.ts';
import { createHooks } from './hooks.ts';
import * as say from './messages.ts';
import { createNotes } from './notes.ts';
import { createPipelines } from './pipelines.ts';
import { createProjects, type Gitlab } from './questions.ts';
import { restApiOf } from './rest-api.ts';
import { createStatuses } from './statuses.ts';

/** GitLab gives a request up after a minute. */
const SETTLING_TIME = 60_000;
/** No limit of writes is known that every GitLab has: a burst of one build's statuses goes out at once. */
const WRITES = { perSecond: 5, burst: 50 };

/** GitLab by one token. */
export function connectGitlab(
  { clock, timers, ...deps }: HostDeps,
  {
    web,
    token,
    timeLimit = CALL_TIME_LIMIT,
  }: { readonly web: string; readonly token: string; readonly timeLimit?: number },
): Gitlab {
  const longestWait = timeLimit / 2;
  const pace = createWritePacer({ ...WRITES, clock, sleep: timers.sleep, longestWait, tooMany: say.TOO_MANY_WRITES });
  const calls = createCalls({
    ...{ fetch: deps.fetch, clock, timers, host: restApiOf(web), token, timeLimit },
    pace: ({ writes }) => (writes ? pace() : undefined),
  });
  return { calls, projects: createProjects(() => clock.now()) };
}

/** `webhookSecret`: GITLAB_WEBHOOK_SECRET. */
export function createProvider(gitlab: Gitlab, webhookSecret?: string): Provider {
  return {
    settlingTime: SETTLING_TIME,
    ...createStatuses(gitlab),
    ...createNotes(gitlab),
    ...createFacts(gitlab),
    ...createHistories(gitlab),
    ...createChangedFiles(gitlab),
    ...createFiles(gitlab),
    ...createPipelines(gitlab),
    ...createHooks(gitlab, webhookSecret),
  };
}
