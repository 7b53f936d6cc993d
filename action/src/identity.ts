import { withoutEndSlashes } from './api/coverage-client.ts';
import { describeNetworkTrouble } from './api/network-trouble.ts';

import { createRetryingFetches } from './api/retrying-fetch.ts';
import { parsedObject } from './api/stated-message.ts';
import { ActionFailure } from './failure.ts';
import type { IdTokenRequest, Inputs } from './inputs.ts';
import * as say from './messages/identity.ts';
import type { Tools } from './run.ts';

type IdentityTools = Pick<Tools, 'runtime' | 'log'> & {
  /** Has the runner replace this text in the log from now on. */
  readonly maskSecret: (secret: string) => void;
};

const LIMITS = { totalMs: 15_000, tryMs: 5_000 };

/**
 * Does the step's work with the best that the run can show: the repo token, else an id-token, else GitHub's token of
 * the run. Where the server does not take the id-token (an older one, or one by another address than its BASE_URL), the
 * work is done once more as it was before there were id-tokens.
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
    return work(inputs);
  }
  const audience = withoutEndSlashes(inputs.endpoint.href);
  const asked = await askIdToken(request, audience, tools);
  if ('reason' in asked) {
    if (githubToken === '' && !withoutSecret)
      throw new ActionFailure('bad-input', say.noIdToken({ ...asked, next: say.NOTHING_INSTEAD }));
    log.info(say.noIdToken({ ...asked, next: githubToken === '' ? say.RUN_INSTEAD : say.GITHUB_TOKEN_INSTEAD }));
    return work(inputs);
  }
  maskSecret(asked.token);
  log.info(say.asIdToken(audience));
  try {
    return await work({ ...inputs, token: asked.token, readToken: '' });
  } catch (error) {
    if (githubToken === '' || !(error instanceof ActionFailure) || !error.ofToken) throw error;
    log.info(say.idTokenRefused(error.message));
    return work(inputs);
  }
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
