import { type Provider, ProviderFailure } from '../../ports/provider.ts';
import { textOf } from '../answers.ts';
import { createAppCalls } from './app-calls.ts';
import { createBoundedCalls, type GithubCall, type GithubCalls } from './bounded-calls.ts';
import { assembleProvider, connectClient, type GithubConnection } from './github-provider.ts';
import { createInstallationCalls } from './installation-calls.ts';
import { createInstallationTokens } from './installation-tokens.ts';
import { createInstallations, type Installation, type KnownInstallations } from './installations.ts';
import type { GithubApp } from './octokit-client.ts';
import { OPERATIONS } from './operations.ts';
import { createSharedAnswers, type RememberAnswers } from './remembered-answers.ts';
import { request } from './requests.ts';
import { BY_APP } from './sign-in.ts';

export interface GithubAppOptions extends GithubConnection {
  /** Its key, the JWTs that it signs and the tokens that it is given appear in no log line and no failure. */
  readonly app: GithubApp;
}

export interface GithubAppProvider {
  readonly provider: Provider;
  /** What is known of an installation is out of date. */
  forgetInstallation(id: number): void;
}

/**
 * GitHub as a GitHub App sees it: every repo through the installation that it belongs to. Throws ProviderFailures only.
 */
export function createGithubAppProvider(options: GithubAppOptions): GithubAppProvider {
  const { app, fetch, clock, timers } = options;
  const { client, timeLimit } = connectClient(options, { kind: 'app', app });
  const appCalls = createBoundedCalls({ client, fetch, clock, timers, signIn: BY_APP, redact: redactJwt, timeLimit });
  const rememberFor = createSharedAnswers();
  const connect = (id: number): Installation =>
    connectInstallation(options, {
      id,
      appCalls,
      remember: rememberFor(String(id)),
      onRefused: () => installations.forgetInstallation(id),
    });
  const installations: KnownInstallations = createInstallations({ appCalls, connect, clock });
  const askIdentity = async () => ({ appId: app.id });
  return {
    provider: assembleProvider(createAppCalls({ installations, timers, timeLimit }), askIdentity),
    forgetInstallation: installations.forgetInstallation,
  };
}

function connectInstallation(
  options: GithubAppOptions,
  deps: TokenDeps & { readonly remember: RememberAnswers },
): Installation {
  const { id, remember } = deps;
  const { fetch, clock, timers } = options;
  const { client, timeLimit } = connectClient(options, { kind: 'installation', id });
  // Half of a call's time, so that the request itself has the other half.
  const tokens = createInstallationTokens({ make: () => makeToken(deps, timeLimit / 2), clock });
  return { id, tokens, calls: createInstallationCalls({ client, fetch, clock, timers, timeLimit, remember, tokens }) };
}

interface TokenDeps {
  readonly id: number;
  readonly appCalls: GithubCalls;
  /** GitHub gives no token: the installation is gone or suspended, and which one its repos belong to is unknown. */
  readonly onRefused: () => void;
}

async function makeToken({ id, appCalls, onRefused }: TokenDeps, within: number): Promise<string> {
  try {
    const make = (call: GithubCall): Promise<string> =>
      request(call, OPERATIONS.makeToken, {
        send: (rest, options) => rest.apps.createInstallationAccessToken({ installation_id: id, request: options }),
        read: ({ token }) => textOf(token),
      });
    return await appCalls(make, within);
  } catch (error) {
    if (error instanceof ProviderFailure && error.kind === 'permanent') onRefused();
    throw error;
  }
}

/** A word that may hold a JWT: its first two parts are JSON objects in base64url. */
export function redactJwt(text: string): string {
  return text.replace(/[\w-]+(?:\.[\w-]+)*/g, (word) => {
    const start = word.indexOf('eyJ');
    return start >= 0 && word.includes('.eyJ', start) ? '[token]' : word;
  });
}
