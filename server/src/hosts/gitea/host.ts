import { USUAL_TERMS } from '../../core/repo/git-host.ts';
import type { Host } from '../../ports/host.ts';
import type { HostDeps, HostKind, OauthApplication } from '../host-kind.ts';

import { createCheckup } from './checkup.ts';
import { type Flavour, FORGEJO_FLAVOUR, GITEA_FLAVOUR } from './flavour.ts';
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
  /** Without TLS: no id-token is believed. */
  readonly isReadable?: boolean;
  readonly token: string | undefined;
  readonly webhookSecret: string | undefined;
  /** Undefined: nobody signs in with it. */
  readonly application?: OauthApplication | undefined;
}

/** How the server has a Gitea, and a Forgejo. */
export const GITEA = kindOf<{ readonly gitea: GiteaSettings }>(GITEA_FLAVOUR, ({ gitea }) => gitea);
export const FORGEJO = kindOf<{ readonly forgejo: GiteaSettings }>(FORGEJO_FLAVOUR, ({ forgejo }) => forgejo);

function kindOf<Settings>(flavour: Flavour, setOf: (settings: Settings) => GiteaSettings): HostKind<Settings> {
  return {
    connect: (settings, deps) => connectHost(flavour, setOf(settings), deps),
    tokenForms: tokenFormsOf(flavour),
  };
}

function connectHost(flavour: Flavour, { url: web, ...set }: GiteaSettings, deps: HostDeps): Host | undefined {
  if (web === undefined) return undefined;
  const { service, name, setting } = flavour;
  const { token, webhookSecret, application } = set;
  const own = token === undefined ? undefined : connectGitea(deps, { flavour, web, token });
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
    runs: runNamesOf(flavour),
    tokens: tokensOf(flavour),
    webhook: createGiteaHook(flavour, webhookSecret),
    openTokenView: createOpenTokenView(flavour, deps, { web, own }),
    withToken: (other) => connectHost(flavour, { ...set, url: web, token: other }, deps),
    idTokens: giteaIdTokens(flavour, { web, isReadable: set.isReadable }),
    signIn: application && createPeople(flavour, deps, web, application),
    checkUp: createCheckup(flavour, deps, web, token),
    snippets: workflowsOf(flavour),
    linksOf: (repo) => ({
      lines: ({ commit, file, first, last }) => {
        const lines = first === last ? `L${first}` : `L${first}-L${last}`;
        return `${web}/${repo}/src/commit/${encodeURIComponent(commit.toWellFormed())}/${file}#${lines}`;
      },
      pull: (number) => `${web}/${repo}/pulls/${number}`,
    }),
  };
}
