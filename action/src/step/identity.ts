import { randomUUID } from 'node:crypto';
import { withoutEndSlashes } from '../api/coverage-client.ts';
import { describeNetworkTrouble } from '../api/network-trouble.ts';
import { createRetryingFetches, parsedObject } from '../api/retrying-fetch.ts';
import { ActionFailure } from '../runner/failure.ts';
import type { Texts } from '../runner/words.ts';
import type { IdTokenRequest, Inputs } from './inputs.ts';
import type { Tools } from './run.ts';

const AS_GITHUB_TOKEN =
  'Using the github-token: there is no repo-token, and the job may not ask for an ID token ' +
  '("permissions: id-token: write").';

const RUN_INSTEAD = 'the step uploads without a token instead, and the git host confirms the run';

const RUN_NEXT = 'the step sends it without a token instead, and the git host confirms the run';

type IdentityTools = Pick<Tools, 'runtime' | 'log'> & {
  /** Has the runner replace this text in the log from now on. */
  readonly maskSecret: (secret: string) => void;
};

const LIMITS = { totalMs: 15_000, tryMs: 5_000 };

/**
 * Does the step's work with the best that the run can show: the repo token, else an ID token, else GitHub's token of
 * the run, else (in a fork's pull request) the run alone. If the server does not take one, the next is tried.
 */
export async function withIdentity<T>(
  inputs: Inputs,
  tools: IdentityTools,
  work: (inputs: Inputs) => Promise<T>,
): Promise<T> {
  const { log, maskSecret } = tools;
  const { idTokenRequest: request, githubToken, withoutSecret } = inputs;
  if (request === undefined) {
    if (inputs.token === '') log.info('Uploading without a token: the git host confirms the run.');
    else log.info(inputs.token === githubToken ? AS_GITHUB_TOKEN : 'Using the repo token.');
    return withTokenOrRun(inputs, tools, work);
  }
  const audience = withoutEndSlashes(inputs.endpoint.href);
  const asked = await askIdToken(request, audience, tools);
  if ('reason' in asked) {
    if (githubToken === '' && !withoutSecret)
      throw new ActionFailure(
        'bad-input',
        noIdToken({ ...asked, next: 'and there is neither a repo-token nor a github-token' }),
      );
    log.info(noIdToken({ ...asked, next: githubToken === '' ? RUN_INSTEAD : 'the github-token is used instead' }));
    return withTokenOrRun(inputs, tools, work);
  }
  maskSecret(asked.token);
  log.info(`Using an ID token of this run for ${audience}: there is no repo-token, and the job may ask for one.`);
  try {
    return await work({ ...inputs, token: asked.token, readToken: '' });
  } catch (error) {
    const refusal = refusalOfToken(error);
    if (refusal === undefined || (githubToken === '' && !withoutSecret)) throw error;
    const next = githubToken === '' ? RUN_NEXT : 'the github-token is tried instead';
    log.info(tokenRefused({ token: 'the ID token', next, said: refusal.message }));
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
    log.info(
      tokenRefused({
        token: 'the GitHub token of this run, which has no secrets',
        next: RUN_NEXT,
        said: refusal.message,
      }),
    );
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
  if (!URL.canParse(address)) return { reason: 'ACTIONS_ID_TOKEN_REQUEST_URL is no address' };
  const headers = { accept: 'application/json', authorization: `Bearer ${token}` };
  const ask = async (wanted: string) => {
    const url = new URL(address);
    url.searchParams.set('audience', wanted);
    const asked = { url, shownUrl: url.origin, method: 'GET', headers } as const;
    const answer = await createRetryingFetches(runtime, log)(LIMITS)(asked);
    const { value } = (parsedObject(answer.text) ?? {}) as { readonly value?: unknown };
    if (answer.status === 200 && typeof value === 'string' && value !== '') return { token: value };
    return { reason: `it answered ${answer.status} without a token` };
  };
  try {
    const first = await ask(audience);
    // Without one, as at Forgejo, another job of the run has the same token in the same second.
    return 'reason' in first || hasId(first.token) ? first : await ask(`${audience}#${randomUUID()}`);
  } catch (error) {
    return { reason: describeNetworkTrouble(error instanceof ActionFailure ? error.cause : error) };
  }
}

/** Whether an ID token says how it differs from all others. */
function hasId(token: string): boolean {
  const claims = parsedObject(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
  return claims === undefined || 'jti' in claims;
}

/** `reason`: a clause. `next`: what is used instead. */
function noIdToken({ reason, next }: Texts<'reason' | 'next'>): string {
  return `The git host did not give this job an ID token (${reason}); ${next}.`;
}

/** `next`: a clause, what is tried then. */
function tokenRefused({ token, next, said }: Texts<'token' | 'next' | 'said'>): string {
  return `The server did not accept ${token}; ${next}. It said: ${said}`;
}
