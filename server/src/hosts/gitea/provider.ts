import { CALL_TIME_LIMIT, type Provider } from '../../ports/provider.ts';
import type { HostDeps } from '../host-kind.ts';
import { createCalls } from '../rest/calls.ts';
import { createChangedFiles } from './changed-files.ts';
import { createComments } from './comments.ts';
import { createFacts } from './facts.ts';
import { createFiles } from './files.ts';
import { apiOf, type Flavor } from './flavor.ts';
import { createHistories } from './histories.ts';
import { createHooks } from './hooks.ts';
import { giteaOperations } from './operations.ts';
import type { Gitea } from './questions.ts';
import { createRuns } from './runs.ts';
import { createStatuses } from './statuses.ts';

export interface Connection {
  readonly flavor: Flavor;
  /** Its address for people, without a slash at its end. */
  readonly web: string;
  readonly token: string;
  readonly timeLimit?: number;
}

/** Gitea or Forgejo by one token. Neither limits requests. */
export function connectGitea(
  { fetch, clock, timers }: HostDeps,
  { flavor, web, token, timeLimit = CALL_TIME_LIMIT }: Connection,
): Gitea {
  const host = apiOf(flavor, web);
  const calls = createCalls({ host, fetch, clock, timers, token, timeLimit });
  return { flavor, operations: giteaOperations(host), calls };
}

/** `webhookSecret`: GITEA_WEBHOOK_SECRET, FORGEJO_WEBHOOK_SECRET. */
export function createProvider(gitea: Gitea, webhookSecret?: string): Provider {
  return {
    ...createStatuses(gitea),
    ...createComments(gitea),
    ...createFacts(gitea),
    ...createHistories(gitea),
    ...createChangedFiles(gitea),
    ...createFiles(gitea),
    ...createRuns(gitea),
    ...createHooks(gitea, webhookSecret),
  };
}
