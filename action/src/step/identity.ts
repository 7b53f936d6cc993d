import { withoutEndSlashes } from '../api/coverage-client.ts';
import { describeNetworkTrouble } from '../api/network-trouble.ts';

import { createRetryingFetches } from '../api/retrying-fetch.ts';
import { parsedObject } from '../api/stated-message.ts';
import * as say from '../messages/identity.ts';
import { ActionFailure } from '../runner/failure.ts';
import type { IdTokenRequest, Inputs } from './inputs.ts';
import type { Tools } from './run.ts';

type IdentityTools = Pick<Tools, 'runtime' | 'log'> & {
  /** Has the runner replace this text in the log from now on. */
  readonly maskSecret: (secret: string) => void;
};

const LIMITS = { totalMs: 15_000, tryMs: 5_000 };

/**
 * Does the step's work with the best that the run can show: the repo token, else an id-token, else GitHub's token of
 * the run, else (in a fork's pull request) the run alone. Where the server does not take one, the next is tried.
 */
export async function withIdentity<T>(
  inputs: Inputs,
  tools: IdentityTools,
  work: (inputs: Inputs) => Promise<T>,
): Promise<T> {
  const { log, maskSecret } = tools;
  const { idTokenRequest: request, githubToken, withoutSecret } = inputs;
  if (request === undefined) {
    if (inputs.token === '') log.info(say.AS_RUN);
    else log.info(inputs.token === githubToken ? say.AS_GITHUB_TOKEN : say.AS_REPO_TOKEN);
    return withTokenOrRun(inputs, tools, work);
  }
  const audience = withoutEndSlashes(inputs.endpoint.href);
  const asked = await askIdToken(request, audience, tools);
  if ('reason' in asked) {
    if (githubToken === '' && !withoutSecret)
      throw new ActionFailure('bad-input', say.noIdToken({ ...asked, next: say.NOTHING_INSTEAD }));
    log.info(say.noIdToken({ ...asked, next: githubToken === '' ? say.RUN_INSTEAD : say.GITHUB_TOKEN_INSTEAD }));
    return withTokenOrRun(inputs, tools, work);
  }
  maskSecret(asked.token);
  log.info(say.asIdToken(audience));
  try {
    return await work({ ...inputs, token: asked.token, readToken: '' });
  } catch (error) {
    const refusal = refusalOfToken(error);
    if (refusal === undefined || (githubToken === '' && !withoutSecret)) throw error;
    const next = githubToken === '' ? say.RUN_NEXT : say.GITHUB_TOKEN_NEXT;
    log.info(say.tokenRefused({ token: say.ID_TOKEN, next, said: refusal.message }));
    return withTokenOrRun(inputs, tools, work);
  }
}

/** A fork's run counts for itself where the server does not take its token. */
async function withTokenOrRun<T>(
  inputs: Inputs,
  { log }: IdentityTools,
  work: (inputs: Inputs) => Promise<T>,
): Promise<T> {
  try {
    return await work(inputs);
  } catch (error) {
    const refusal = refusalOfToken(error);
    if (refusal === undefined || inputs.token === '' || !inputs.withoutSecret) throw error;
    log.info(say.tokenRefused({ token: say.GITHUB_TOKEN, next: say.RUN_NEXT, said: refusal.message }));
    return work({ ...inputs, token: '', readToken: '' });
  }
}

/** What the server said of a token that it does not take; undefined: something else failed. */
function refusalOfToken(error: unknown): ActionFailure | undefined {
  if (!(error instanceof ActionFailure)) return undefined;
  return error.ofToken ? error : refusalOfToken(error.cause);
}

/** What a step of a job with `id-token: write` does (docs.github.com, "OpenID Connect reference"). */
async function askIdToken(
  { url: address, token }: IdTokenRequest,
  audience: string,
  { runtime, log }: Pick<IdentityTools, 'runtime' | 'log'>,
): Promise<{ readonly token: string } | { readonly reason: string }> {
  if (!URL.canParse(address)) return { reason: say.NO_ADDRESS };
  const url = new URL(address);
  const shownUrl = url.origin;
  url.searchParams.set('audience', audience);
  const headers = { accept: 'application/json', authorization: `Bearer ${token}` };
  try {
    const answer = await createRetryingFetches(runtime, log)(LIMITS)({ url, shownUrl, method: 'GET', headers });
    const { value } = (parsedObject(answer.text) ?? {}) as { readonly value?: unknown };
    if (answer.status === 200 && typeof value === 'string' && value !== '') return { token: value };
    return { reason: say.answeredOtherwise(answer.status) };
  } catch (error) {
    return { reason: describeNetworkTrouble(error instanceof ActionFailure ? error.cause : error) };
  }
}
