import { findNotSent } from '../../platform/outgoing.ts';
import { ProviderFailure } from '../../ports/provider.ts';
import type { HostToken } from '../../ports/sign-in.ts';
import { type Fields, fieldsOf, idOf, textOf } from '../answers.ts';
import type { HostDeps } from '../host-kind.ts';

/** By which people sign in at a host. */
export interface OauthApplication {
  readonly clientId: string;
  readonly clientSecret: string;
}

export interface ExchangeDeps extends Pick<HostDeps, 'fetch' | 'clock' | 'timers'> {
  readonly app: OauthApplication;
  /** The host's. */
  readonly name: string;
  /** Where tokens are given. */
  readonly address: string;
}

const TIME_LIMIT = 10_000;

/** Gives a code, or a token to renew another by, for a token; throws a ProviderFailure. */
export function createExchange({ app, name, address, fetch, clock, timers }: ExchangeDeps) {
  return async (grant: Readonly<Record<string, string>>): Promise<HostToken> => {
    const stop = new AbortController();
    const limit = timers.start(TIME_LIMIT, () => stop.abort());
    try {
      const response = await fetch(address, {
        method: 'POST',
        headers: { accept: 'application/json', 'user-agent': 'coverage-service' },
        body: new URLSearchParams({ client_id: app.clientId, client_secret: app.clientSecret, ...grant }),
        signal: stop.signal,
        redirect: 'error',
      });
      if (response.status >= 500 || response.status === 429)
        throw new ProviderFailure('transient', `${name} answered ${response.status}.`);
      return toToken(fieldsOf(await response.json()), { name, now: clock.now() });
    } catch (error) {
      if (error instanceof ProviderFailure) throw error;
      // What fetch throws may quote what was sent.
      const sentence = `${name} did not answer when asked for a token.`;
      throw new ProviderFailure('transient', sentence, { cause: findNotSent(error)?.message });
    } finally {
      limit.cancel();
    }
  };
}

function toToken(answer: Fields, { name, now }: { readonly name: string; readonly now: number }): HostToken {
  const access = textOf(answer.access_token);
  if (access === undefined) throw new ProviderFailure('permanent', `${name} refused the code or the application.`);
  const seconds = idOf(answer.expires_in);
  return {
    access,
    refresh: textOf(answer.refresh_token),
    expiresAt: seconds === undefined ? undefined : now + seconds * 1_000,
  };
}
