import { findNotSent } from '../../platform/outgoing.ts';
import { ProviderFailure } from '../../ports/provider.ts';
import type { HostToken } from '../../ports/sign-in.ts';
import { type Fields, fieldsOf, idOf, textOf } from '../answers.ts';
import type { GithubConnection } from './calls.ts';
import * as say from './messages.ts';

/** For a GitHub App (or an OAuth App). */
export interface OauthApp {
  readonly clientId: string;
  readonly clientSecret: string;
}

const TIME_LIMIT = 10_000;

/** Gives a code, or a token to renew another by, for a token; throws a ProviderFailure. */
export function createExchange(
  { fetch, clock, timers }: GithubConnection,
  web: string,
  app: OauthApp,
): (grant: Readonly<Record<string, string>>) => Promise<HostToken> {
  return async (grant) => {
    const stop = new AbortController();
    const limit = timers.start(TIME_LIMIT, () => stop.abort());
    try {
      const fields = { client_id: app.clientId, client_secret: app.clientSecret, ...grant };
      const response = await fetch(`${web}/login/oauth/access_token`, {
        method: 'POST',
        headers: { accept: 'application/json', 'user-agent': 'coverage-service' },
        body: new URLSearchParams(fields),
        signal: stop.signal,
        redirect: 'error',
      });
      if (response.status >= 500) throw new ProviderFailure('transient', say.tokenNotGiven(response.status));
      return toToken(fieldsOf(await response.json()), clock.now());
    } catch (error) {
      if (error instanceof ProviderFailure) throw error;
      // What fetch throws may quote what was sent.
      throw new ProviderFailure('transient', say.TOKEN_NOT_ANSWERED, { cause: findNotSent(error)?.message });
    } finally {
      limit.cancel();
    }
  };
}

/** GitHub answers 200 to a refusal, too. */
function toToken(answer: Fields, now: number): HostToken {
  const access = textOf(answer.access_token);
  if (access === undefined) throw new ProviderFailure('permanent', say.CODE_REFUSED);
  const seconds = idOf(answer.expires_in);
  return {
    access,
    refresh: textOf(answer.refresh_token),
    expiresAt: seconds === undefined ? undefined : now + seconds * 1_000,
  };
}
