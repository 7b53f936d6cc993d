import { createHash } from 'node:crypto';
import { findNotSent } from '../../platform/outgoing.ts';
import { ProviderFailure } from '../../ports/provider.ts';
import type { HostToken, SignInAttempt } from '../../ports/sign-in.ts';
import { type Fields, fieldsOf, idOf, textOf } from '../answers.ts';
import type { HostDeps, OauthApplication } from '../host-kind.ts';

export interface OauthPlace extends Pick<HostDeps, 'fetch' | 'clock' | 'timers'> {
  readonly app: OauthApplication;
  /** For the host, in sentences. */
  readonly name: string;
  readonly authorizeAt: string;
  readonly tokenAt: string;
  readonly scopes: readonly string[];
}

export interface Oauth {
  /** Where the browser is sent. */
  begin(attempt: Pick<SignInAttempt, 'redirectUri' | 'state' | 'verifier'>): string;
  /** What the browser came back with, for a token; throws a ProviderFailure. */
  finish(
    attempt: Pick<SignInAttempt, 'redirectUri' | 'verifier'> & { readonly answer: URLSearchParams },
  ): Promise<HostToken>;
  /** Undefined: somebody must sign in again. */
  renew(refresh: string): Promise<HostToken | undefined>;
}

const EXCHANGE_LIMIT = 10_000;

/** Signing in by OAuth 2 with PKCE, which hosts that do not know it pass over. */
export function createOauth(place: OauthPlace): Oauth {
  const { app, authorizeAt, scopes } = place;
  // A renewal names the address too, which stays the same.
  let address: string | undefined;
  return {
    begin({ redirectUri, state, verifier }) {
      const asked = {
        client_id: app.clientId,
        redirect_uri: redirectUri,
        response_type: 'code',
        state,
        ...(scopes.length > 0 && { scope: scopes.join(' ') }),
        code_challenge: createHash('sha256').update(verifier).digest('base64url'),
        code_challenge_method: 'S256',
      };
      return `${authorizeAt}?${new URLSearchParams(asked)}`;
    },
    finish({ redirectUri, verifier, answer }) {
      address = redirectUri;
      const code = { code: answer.get('code') ?? '', redirect_uri: redirectUri, code_verifier: verifier };
      return exchange(place, { grant_type: 'authorization_code', ...code });
    },
    async renew(refresh) {
      const where = address === undefined ? {} : { redirect_uri: address };
      try {
        return await exchange(place, { grant_type: 'refresh_token', refresh_token: refresh, ...where });
      } catch (error) {
        if (error instanceof ProviderFailure && error.kind === 'permanent') return undefined;
        throw error;
      }
    },
  };
}

/** Gives a code, or a token to renew another by, for a token. */
async function exchange(
  { app, name, tokenAt, fetch, clock, timers }: OauthPlace,
  grant: Readonly<Record<string, string>>,
): Promise<HostToken> {
  const stop = new AbortController();
  const limit = timers.start(EXCHANGE_LIMIT, () => stop.abort());
  try {
    const response = await fetch(tokenAt, {
      method: 'POST',
      headers: { accept: 'application/json', 'user-agent': 'coverage-service' },
      body: new URLSearchParams({ client_id: app.clientId, client_secret: app.clientSecret, ...grant }),
      signal: stop.signal,
      redirect: 'error',
    });
    if (response.status >= 500 || response.status === 429)
      throw new ProviderFailure('transient', `${name} answered ${response.status}.`);
    return toToken(name, fieldsOf(await response.json()), clock.now());
  } catch (error) {
    if (error instanceof ProviderFailure) throw error;
    // What fetch throws may quote what was sent.
    const cause = findNotSent(error)?.message;
    throw new ProviderFailure('transient', `${name} did not answer when asked for a token.`, { cause });
  } finally {
    limit.cancel();
  }
}

function toToken(name: string, answer: Fields, now: number): HostToken {
  const access = textOf(answer.access_token);
  if (access === undefined) throw new ProviderFailure('permanent', `${name} refused the code or the application.`);
  const seconds = idOf(answer.expires_in);
  return {
    access,
    refresh: textOf(answer.refresh_token),
    expiresAt: seconds === undefined ? undefined : now + seconds * 1_000,
  };
}
