import { type Provider, ProviderFailure } from '../../ports/provider.ts';
import { fieldsOf, textOf } from './answers.ts';
import { createAppCalls } from './app-calls.ts';
import { createBoundedCalls, type GithubCalls } from './bounded-calls.ts';
import { unexpectedAnswer } from './call-failure.ts';
import { assembleProvider, connectClient, type GithubConnection } from './github-provider.ts';
import { createInstallationCalls } from './installation-calls.ts';
import { createInstallationTokens } from './installation-tokens.ts';
import { createInstallations, type Installation, type KnownInstallations } from './installations.ts';
import type { GithubApp } from './octokit-client.ts';
import { OPERATIONS } from './operations.ts';
import { createSharedAnswers, type RememberAnswers } from './remembered-answers.ts';
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
  const { app, clock, timers } = options;
  const { client, timeLimit } = connectClient(options, { kind: 'app', app });
  const appCalls = createBoundedCalls({ client, clock, timers, signIn: BY_APP, redact: redactJwt, timeLimit });
  const rememberFor = createSharedAnswers();
  const connect = (id: number): Installation =>
    connectInstallation(options, {
      id,
      appCalls,
      remember: rememberFor(String(id)),
      onRefused: () => installations.forgetInstallation(id),
    });
  const installations: KnownInstallations = createInstallations({ appCalls, connect, clock });
  const callsOf = createAppCalls({ installations, timers, timeLimit });
  const askIdentity = async () => ({ appId: app.id });
  return {
    provider: byRepo((repo) => assembleProvider(callsOf(repo), askIdentity)),
    forgetInstallation: installations.forgetInstallation,
  };
}

function connectInstallation(
  options: GithubAppOptions,
  means: TokenMeans & { readonly remember: RememberAnswers },
): Installation {
  const { id, remember } = means;
  const { clock, timers } = options;
  const { client, timeLimit } = connectClient(options, { kind: 'installation', id });
  // Half of a call's time, so that the request itself has the other half.
  const tokens = createInstallationTokens({ make: () => makeToken(means, timeLimit / 2), clock });
  return { id, tokens, calls: createInstallationCalls({ client, clock, timers, timeLimit, remember, tokens }) };
}

interface TokenMeans {
  readonly id: number;
  readonly appCalls: GithubCalls;
  /** GitHub gives no token: the installation is gone or suspended, and which one its repos belong to is unknown. */
  readonly onRefused: () => void;
}

async function makeToken({ id, appCalls, onRefused }: TokenMeans, within: number): Promise<string> {
  try {
    return await appCalls(async ({ client, ask }) => {
      const request = ask(OPERATIONS.makeToken);
      const { data } = await client.rest.apps.createInstallationAccessToken({ installation_id: id, request });
      const token = textOf(fieldsOf(data).token);
      if (token === undefined) throw unexpectedAnswer(OPERATIONS.makeToken);
      return token;
    }, within);
  } catch (error) {
    if (error instanceof ProviderFailure && error.kind === 'permanent') onRefused();
    throw error;
  }
}

/** The three parts of a JWT, the first two of which are JSON objects in base64url. */
function redactJwt(text: string): string {
  return text.replace(/eyJ[\w-]+\.eyJ[\w-]+\.[\w-]+/g, '[token]');
}

/** The whole port, each call by the provider of the repo that it is about. */
function byRepo(providerOf: (repo: string) => Provider): Provider {
  return {
    setStatus: (call) => providerOf(call.repo).setStatus(call),
    readStatus: (call) => providerOf(call.repo).readStatus(call),
    createComment: (call) => providerOf(call.repo).createComment(call),
    updateComment: (call) => providerOf(call.repo).updateComment(call),
    findComment: (call) => providerOf(call.repo).findComment(call),
    describePullRequest: (call) => providerOf(call.repo).describePullRequest(call),
    listOpenPullRequests: (call) => providerOf(call.repo).listOpenPullRequests(call),
    describeCommit: (call) => providerOf(call.repo).describeCommit(call),
    findMergeBase: (call) => providerOf(call.repo).findMergeBase(call),
    listFirstParents: (call) => providerOf(call.repo).listFirstParents(call),
    compareFiles: (call) => providerOf(call.repo).compareFiles(call),
    describeRepo: (call) => providerOf(call.repo).describeRepo(call),
    describeRepoById: (call) => providerOf(call.name).describeRepoById(call),
    readRun: (call) => providerOf(call.repo).readRun(call),
    createCheckRun: (call) => providerOf(call.repo).createCheckRun(call),
    updateCheckRun: (call) => providerOf(call.repo).updateCheckRun(call),
    findCheckRun: (call) => providerOf(call.repo).findCheckRun(call),
  };
}
