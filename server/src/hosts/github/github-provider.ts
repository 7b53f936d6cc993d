import type { CheckRuns, Provider } from '../../ports/provider.ts';
import { type CallsOf, type GithubConnection, openCalls } from './calls.ts';
import { createChangedFiles } from './changed-files.ts';
import { createCheckRuns } from './check-runs.ts';
import { createComments } from './comments.ts';
import { createComparison } from './comparison.ts';
import { createFacts } from './facts.ts';
import { createFiles } from './files.ts';
import { createFirstParents } from './first-parents.ts';
import { type AskIdentity, createAskIdentity } from './identity.ts';
import { createRememberedAnswers } from './remembered-answers.ts';
import { createRepos } from './repos.ts';
import { createRuns } from './runs.ts';
import { createStatuses } from './statuses.ts';

export type GithubProvider = Provider & CheckRuns;

export interface GithubProviderOptions extends GithubConnection {
  /** GITHUB_TOKEN; it appears in no log line and no failure. */
  readonly token: string;
}

/**
 * GitHub, or a GitHub Enterprise server, as a provider, signed in by a token: one for each. Throws ProviderFailures
 * only.
 */
export function createGithubProvider(options: GithubProviderOptions): GithubProvider {
  const { token } = options;
  const calls = openCalls(options, { kind: 'token', token }, createRememberedAnswers());
  return assembleProvider(() => calls, createAskIdentity());
}

/** The whole port, each call with the credential for that repo. */
export function assembleProvider(callsOf: CallsOf, askIdentity: AskIdentity): GithubProvider {
  return {
    ...createStatuses(callsOf),
    ...createComments(callsOf, askIdentity),
    ...createFacts(callsOf),
    ...createComparison(callsOf),
    ...createFirstParents(callsOf),
    ...createChangedFiles(callsOf),
    ...createFiles(callsOf),
    ...createRepos(callsOf),
    ...createRuns(callsOf),
    ...createCheckRuns(callsOf),
  };
}
