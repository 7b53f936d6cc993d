import type { Host } from '../../ports/host.ts';
import type { HostApp } from '../../ports/host-apps.ts';
import type { HostDeps, HostKind } from '../host-kind.ts';
import { findGithub } from './addresses.ts';
import { createAppSetup } from './app-manifest.ts';
import { createGithubAppProvider } from './app-provider.ts';
import type { GithubConnection } from './calls.ts';
import { createCheckup } from './checkup.ts';
import { createGithubProvider } from './github-provider.ts';
import { githubIdTokens } from './id-tokens.ts';
import type { OauthApp } from './oauth-tokens.ts';
import type { GithubApp } from './octokit-client.ts';
import { createPeople } from './people.ts';
import { WORKFLOWS } from './snippets.ts';
import { createOpenTokenView } from './token-view.ts';
import { TOKEN_FORMS } from './tokens.ts';
import { githubTraits } from './traits.ts';
import { githubLines } from './web-address.ts';
import { createGithubHook } from './webhook.ts';

/** Settings of the server, as config.ts reads them. */
export interface GithubSettings {
  /** Undefined: by the other of the two; neither: github.com. */
  readonly githubUrl: string | undefined;
  readonly githubApiUrl: string | undefined;
  readonly githubToken: string | undefined;
  /** Never together with githubToken. */
  readonly githubApp: GithubApp | undefined;
  /** Undefined: nobody signs in with GitHub. */
  readonly githubOauthApp: OauthApp | undefined;
  readonly githubWebhookSecret: string | undefined;
  /** Undefined: its own. */
  readonly githubOidcIssuers: readonly string[] | undefined;
  readonly githubWritesPerSecond: number;
}

/** GitHub, or a GitHub Enterprise server. An App of `made` counts if none is set. */
function connect(set: GithubSettings, deps: HostDeps, made: readonly HostApp[]): Host {
  const { api: apiUrl, web, issuer } = findGithub(set);
  const configured = namesOf(set);
  const ours = made.find(({ service, host }) => service === 'github' && host === web);
  const inUse = configured.length === 0 ? ours : undefined;
  const settings = inUse === undefined ? set : { ...set, ...settingsOf(inUse) };
  const { githubWebhookSecret: secret, githubOauthApp: oauthApp } = settings;
  const connection = { apiUrl, ...deps };
  return {
    ...githubTraits(signIn(settings, connection)),
    webhook: createGithubHook({ secret }),
    signIn: oauthApp && createPeople(connection, web, oauthApp),
    openTokenView: createOpenTokenView(connection),
    idTokens: githubIdTokens({ ...settings, issuer }),
    snippets: WORKFLOWS,
    linksOf: (repo) => ({ lines: githubLines(web, repo), pull: (number) => `${web}/${repo}/pull/${number}` }),
    checkUp: createCheckup(connection, { token: settings.githubToken, app: settings.githubApp }),
    appSetup: createAppSetup(connection, web, { configured, inUse }),
  };
}

/** The public API of this folder. */
export const GITHUB: HostKind<GithubSettings> = { connect, tokenForms: TOKEN_FORMS };

/** What is set of that by which the server signs in, or takes webhooks. */
function namesOf(set: GithubSettings): readonly string[] {
  const all = {
    GITHUB_TOKEN: set.githubToken,
    GITHUB_APP_ID: set.githubApp,
    GITHUB_APP_CLIENT_ID: set.githubOauthApp,
    GITHUB_WEBHOOK_SECRET: set.githubWebhookSecret,
  };
  return Object.entries(all).flatMap(([name, value]) => (value === undefined ? [] : [name]));
}

function settingsOf({ id, privateKey, clientId, clientSecret, webhookSecret }: HostApp) {
  return {
    githubApp: { id, privateKey },
    githubOauthApp: { clientId, clientSecret },
    githubWebhookSecret: webhookSecret,
  } satisfies Partial<GithubSettings>;
}

/** By whichever way is set; without one nothing is asked or announced there. */
function signIn(settings: GithubSettings, deps: GithubConnection): Pick<Host, 'provider' | 'app'> {
  const { githubToken: token, githubApp: app, githubWritesPerSecond: writesPerSecond } = settings;
  const connection = { writesPerSecond, ...deps };
  if (app !== undefined) {
    const { provider, forgetInstallation } = createGithubAppProvider({ ...connection, app });
    return { provider, app: { id: app.id, forgetInstallation } };
  }
  return { provider: token === undefined ? undefined : createGithubProvider({ ...connection, token }), app: undefined };
}
