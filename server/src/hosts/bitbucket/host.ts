import type { Host } from '../../ports/host.ts';
import type { HostDeps, HostKind, OauthApplication } from '../host-kind.ts';
import { NO_REFS, NO_TOKEN_VIEW, PLAIN_TERMS } from '../plain-host.ts';
import { createCheckup } from './checkup.ts';
import { bitbucketIdTokens } from './id-tokens.ts';
import { createPeople } from './people.ts';
import { connectBitbucket, createProvider } from './provider.ts';
import { RUN_NAMES } from './run-names.ts';
import { STEPS } from './snippets.ts';
import { BITBUCKET_TOKENS, TOKEN_FORMS } from './tokens.ts';
import { createBitbucketHook } from './webhook.ts';

/** Settings of the server, as the configuration reads them. */
export interface BitbucketSettings {
  readonly bitbucket: {
    /** BITBUCKET_URL, without a slash at its end. */
    readonly url: string | undefined;
    /** BITBUCKET_API_URL with its `/2.0`. */
    readonly apiUrl: string | undefined;
    /** Without TLS: no ID token is believed. */
    readonly isReadable?: boolean;
    readonly token: string | undefined;
    readonly webhookSecret: string | undefined;
    /** Undefined: nobody signs in with it. */
    readonly application: OauthApplication | undefined;
  };
}

const ACCESS_ENDED = "the server's token lost its access to the repo; give it access again";

/** How the server has Bitbucket Cloud. */
export const BITBUCKET: HostKind<BitbucketSettings> = { connect: connectHost, tokenForms: TOKEN_FORMS };

function connectHost({ bitbucket: set }: BitbucketSettings, deps: HostDeps): Host | undefined {
  const { isReadable, ...given } = set;
  const { token, webhookSecret } = set;
  if (Object.values(given).every((one) => one === undefined)) return undefined;
  const web = set.url ?? 'https://bitbucket.org';
  const api = set.apiUrl ?? 'https://api.bitbucket.org/2.0';
  const own = token === undefined ? undefined : connectBitbucket(deps, { api, token });
  return {
    service: 'bitbucket',
    name: 'Bitbucket',
    credential: 'BITBUCKET_TOKEN',
    provider: own && createProvider(own, webhookSecret),
    app: undefined,
    appSetup: undefined,
    checkRuns: { refusal: undefined },
    accessLosses: { uninstalled: ACCESS_ENDED, suspended: ACCESS_ENDED, deselected: ACCESS_ENDED },
    terms: PLAIN_TERMS,
    refs: NO_REFS,
    runs: RUN_NAMES,
    tokens: BITBUCKET_TOKENS,
    webhook: createBitbucketHook(webhookSecret),
    openTokenView: NO_TOKEN_VIEW,
    withToken: (other) => connectHost({ bitbucket: { ...set, token: other } }, deps),
    idTokens: bitbucketIdTokens({ api, isReadable, now: deps.clock.now }),
    signIn: set.application && createPeople(deps, { web, api }, set.application),
    checkUp: createCheckup(deps, { api, token, own }),
    snippets: STEPS,
    linksOf: (repo) => ({
      lines: ({ commit, file, first, last }) => {
        const lines = first === last ? `lines-${first}` : `lines-${first}:${last}`;
        return `${web}/${repo}/src/${encodeURIComponent(commit.toWellFormed())}/${file}#${lines}`;
      },
      pull: (number) => `${web}/${repo}/pull-requests/${number}`,
    }),
  };
}
