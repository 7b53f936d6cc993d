import { type Provider, ProviderFailure } from '../../ports/provider.ts';
import { textOf } from '../answers.ts';
import { type GithubConnection, openCalls, timeLimitOf } from './calls.ts';
import { assembleProvider } from './github-provider.ts';
import { createInstallationTokens } from './installation-tokens.ts';
import { createInstallations, type Installation } from './installations.ts';
import type { GithubApp } from './octokit-client.ts';
import { OPERATIONS } from './operations.ts';
import { createSharedAnswers } from './remembered-answers.ts';
import { askOnce } from './requests.ts';

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
  const { app } = options;
  const timeLimit = timeLimitOf(options);
  const appCalls = openCalls(options, { kind: 'app', app });
  const rememberFor = createSharedAnswers();
  const makeToken = (id: number): Promise<string> =>
    // Half of a call's time, so that the request itself has the other half.
    askOnce((run) => appCalls(run, timeLimit / 2), OPERATIONS.makeToken, {
      send: (rest, request) => rest.apps.createInstallationAccessToken({ installation_id: id, request }),
      read: ({ token }) => textOf(token),
    }).catch((error: unknown) => {
      // The installation is gone or suspended, and which one its repos belong to is unknown.
      if (error instanceof ProviderFailure && error.kind === 'permanent') forgetInstallation(id);
      throw error;
    });
  const connect = (id: number): Installation => {
    const tokens = createInstallationTokens(() => makeToken(id), options.clock);
    return { id, tokens, calls: openCalls(options, { kind: 'installation', id, tokens }, rememberFor(String(id))) };
  };
  const { callsOf, forgetInstallation } = createInstallations(appCalls, connect, { ...options, timeLimit });
  return { provider: assembleProvider(callsOf, async () => ({ appId: app.id })), forgetInstallation };
}
