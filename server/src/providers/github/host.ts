import type { Host } from '../../ports/host.ts';
import { createGithubAppProvider } from './app-provider.ts';
import { createGithubProvider, type GithubConnection } from './github-provider.ts';
import { githubIdTokens } from './id-tokens.ts';
import type { OauthApp } from './oauth-tokens.ts';
import type { GithubApp } from './octokit-client.ts';
import { createPeople } from './people.ts';
import { createOpenTokenView } from './token-view.ts';
import { githubTraits } from './traits.ts';
import { githubLines, githubWebAddress } from './web-address.ts';
import { createGithubHook } from './webhook.ts';

export { TOKEN_FORMS } from './tokens.ts';

/** Settings of the server, as config.ts reads them. */
export interface GithubSettings {
  readonly githubApiUrl: string;
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

type HostDeps = Pick<GithubConnection, 'clock' | 'timers' | 'logger' | 'retryPause'>;

/** GitHub, or a GitHub Enterprise server: the face of this folder. */
export function connectGithub(settings: GithubSettings, deps: HostDeps): Host {
  const { githubApiUrl: apiUrl, githubWebhookSecret: secret, githubOauthApp: oauthApp } = settings;
  const web = githubWebAddress(apiUrl);
  return {
    ...githubTraits(signIn(settings, deps)),
    webhook: createGithubHook({ secret }),
    signIn: oauthApp && createPeople({ apiUrl, web, app: oauthApp, ...deps }),
    openTokenView: createOpenTokenView({ apiUrl, ...deps }),
    idTokens: githubIdTokens(settings),
    linksOf: (repo) => ({ lines: githubLines(web, repo) }),
  };
}

/** By whichever way is set; without one nothing is asked or announced there. */
function signIn(settings: GithubSettings, deps: HostDeps): Pick<Host, 'provider' | 'app'> {
  const { githubApiUrl: apiUrl, githubToken: token, githubApp: app, githubWritesPerSecond: writesPerSecond } = settings;
  const connection = { apiUrl, writesPerSecond, ...deps };
  if (app !== undefined) {
    const { provider, forgetInstallation } = createGithubAppProvider({ ...connection, app });
    return { provider, app: { id: app.id, forgetInstallation } };
  }
  return { provider: token === undefined ? undefined : createGithubProvider({ ...connection, token }), app: undefined };
}
