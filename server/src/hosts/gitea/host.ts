import { USUAL_TERMS } from '../../core/repo/git-host.ts';
import type { Host } from '../../ports/host.ts';
import type { HostDeps, HostKind, OauthApplication } from '../host-kind.ts';

import { createCheckup } from './checkup.ts';
import { type Flavor, FORGEJO_FLAVOR, GITEA_FLAVOR } from './flavor.ts';
import { giteaIdTokens } from './id-tokens.ts';
import { createPeople } from './people.ts';
import { connectGitea, createProvider } from './provider.ts';
import { REFS } from './refs.ts';
import { runNamesOf } from './run-names.ts';
import { workflowsOf } from './snippets.ts';
import { createOpenTokenView } from './token-view.ts';
import { tokenFormsOf, tokensOf } from './tokens.ts';
import { createGiteaHook } from './webhook.ts';

/** Settings of one of both, as the configuration reads them. */
export interface GiteaSettings {
  /** Without a slash at its end; it may hold a path. Undefined: the server has none. */
  readonly url: string | undefined;
  /** Without TLS: no ID token is believed. */
  readonly isReadable?: boolean;
  readonly token: string | undefined;
  readonly webhookSecret: string | undefined;
  /** Undefined: nobody signs in with it. */
  readonly application?: OauthApplication | undefined;
}

/** How the server has a Gitea, and a Forgejo. */
export const GITEA = kindOf<{ readonly gitea: GiteaSettings }>(GITEA_FLAVOR, ({ gitea }) => gitea);
export const FORGEJO = kindOf<{ readonly forgejo: GiteaSettings }>(FORGEJO_FLAVOR, ({ forgejo }) => forgejo);

function kindOf<Settings>(flavor: Flavor, setOf: (settings: Settings) => GiteaSettings): HostKind<Settings> {
  return {
    connect: (settings, deps) => connectHost(flavor, setOf(settings), deps),
    tokenForms: tokenFormsOf(flavor),
  };
}

function connectHost(flavor: Flavor, { url: web, ...set }: GiteaSettings, deps: HostDeps): Host | undefined {
  if (web === undefined) return undefined;
  const { service, name, setting } = flavor;
  const { token, webhookSecret, application } = set;
  const own = token === undefined ? undefined : connectGitea(deps, { flavor, web, token });
  const lost = "the server's user lost its access to the repo; make it a collaborator again";
  return {
    service,
    name,
    credential: `${setting}_TOKEN`,
    provider: own && createProvider(own, webhookSecret),
    app: undefined,
    appSetup: undefined,
    checkRuns: undefined,
    accessLosses: { uninstalled: lost, suspended: lost, deselected: lost },
    // It keeps HTML comments and hides them, and folds `<details>`.
    terms: USUAL_TERMS,
    refs: REFS,
    runs: runNamesOf(flavor),
    tokens: tokensOf(flavor),
    webhook: createGiteaHook(flavor, webhookSecret),
    openTokenView: createOpenTokenView(flavor, deps, { web, own }),
    withToken: (other) => connectHost(flavor, { ...set, url: web, token: other }, deps),
    idTokens: giteaIdTokens(flavor, { web, isReadable: set.isReadable }),
    signIn: application && createPeople(flavor, deps, web, application),
    checkUp: createCheckup(flavor, deps, web, token),
    snippets: workflowsOf(flavor),
    linksOf: (repo) => ({
      lines: ({ commit, file, first, last }) => {
        const lines = first === last ? `L${first}` : `L${first}-L${last}`;
        return `${web}/${repo}/src/commit/${encodeURIComponent(commit.toWellFormed())}/${file}#${lines}`;
      },
      pull: (number) => `${web}/${repo}/pulls/${number}`,
    }),
  };
}
