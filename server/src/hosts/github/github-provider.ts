import type { Clock } from '../../platform/clock.ts';
import type { Logger } from '../../platform/logger.ts';
import type { Fetch } from '../../platform/outgoing.ts';
import type { Timers } from '../../platform/timers.ts';
import type { CheckRuns } from '../../ports/check-runs.ts';
import { CALL_TIME_LIMIT, type Provider } from '../../ports/provider.ts';
import { createWritePacer, type WritePacer } from '../write-pacer.ts';
import { createBoundedCalls, redactToken } from './bounded-calls.ts';
import { createChangedFiles } from './changed-files.ts';
import { createCheckRuns } from './check-runs.ts';
import { createComments } from './comments.ts';
import { createComparison } from './comparison.ts';
import { createFacts } from './facts.ts';
import { createFiles } from './files.ts';
import { createFirstParents } from './first-parents.ts';
import { type AskIdentity, createAskIdentity } from './identity.ts';
import * as say from './messages.ts';
import { createOctokitClient, type GithubClient, type Signature } from './octokit-client.ts';
import { createRememberedAnswers } from './remembered-answers.ts';
import { createRepos } from './repos.ts';
import type { CallsOf } from './requests.ts';
import { createRuns } from './runs.ts';
import { BY_TOKEN } from './sign-in.ts';
import { createStatuses } from './statuses.ts';

export type GithubProvider = Provider & CheckRuns;

/** Which GitHub is spoken to, and how fast. */
export interface GithubConnection {
  /** GITHUB_API_URL, such as `https://api.github.com` or `https://github.example/api/v3`. */
  readonly apiUrl: string;
  readonly fetch: Fetch;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly logger: Logger;
  /** Writes (statuses, comments, check runs) a second in the long run. Default 1, as GitHub asks for. */
  readonly writesPerSecond?: number;
  /** Writes that may go out at once after a rest. Default 20: with the above at most 80 a minute, GitHub's limit. */
  readonly writeBurst?: number;
  /** Milliseconds that a whole call may take. Default and at most CALL_TIME_LIMIT. */
  readonly callTimeLimit?: number;
  /** Milliseconds before a failed read is repeated within a call. Default 1,000. */
  readonly retryPause?: number;
}

export interface GithubProviderOptions extends GithubConnection {
  /** GITHUB_TOKEN; it appears in no log line and no failure. */
  readonly token: string;
}

/**
 * GitHub, or a GitHub Enterprise server, as a provider, signed in by a token: one for each. Throws ProviderFailures
 * only.
 */
export function createGithubProvider(options: GithubProviderOptions): GithubProvider {
  const { token, fetch, clock, timers } = options;
  const { client, timeLimit } = connectClient(options, { kind: 'token', token });
  const remember = createRememberedAnswers();
  const calls = createBoundedCalls({
    client,
    fetch,
    clock,
    timers,
    signIn: BY_TOKEN,
    redact: redactToken(token),
    timeLimit,
    remember,
  });
  return assembleProvider(() => calls, createAskIdentity());
}

/** A client with its own pace, and the milliseconds that a whole call of it may take. */
export function connectClient(
  options: GithubConnection,
  signature: Signature,
): { readonly client: GithubClient; readonly timeLimit: number } {
  const { apiUrl, logger, retryPause = 1_000 } = options;
  const timeLimit = Math.min(options.callTimeLimit ?? CALL_TIME_LIMIT, CALL_TIME_LIMIT);
  const pace = paceWrites(options, timeLimit);
  return { client: createOctokitClient({ apiUrl, signature, logger, pace, retryPause }), timeLimit };
}

function paceWrites(
  { clock, timers, writesPerSecond = 1, writeBurst = 20 }: GithubConnection,
  timeLimit: number,
): WritePacer {
  return createWritePacer({
    clock,
    perSecond: writesPerSecond,
    burst: writeBurst,
    // So that the request itself has half of the time left.
    longestWait: timeLimit / 2,
    sleep: timers.sleep,
    tooMany: say.TOO_MANY_WRITES,
  });
}

/** The whole port, each call with the credential for that repo. */
export function assembleProvider(callsOf: CallsOf, askIdentity: AskIdentity): GithubProvider {
  return {
    ...createStatuses(callsOf),
    ...createComments({ callsOf, askIdentity }),
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
