import { type HostRuns, type HostTerms, USUAL_TERMS } from '../../core/repo/git-host.ts';
import type { Host } from '../../ports/host.ts';
import type { HostDeps, HostKind, OauthApplication } from '../host-kind.ts';
import { createCheckup } from './checkup.ts';
import { gitlabIdTokens } from './id-tokens.ts';
import * as say from './messages.ts';
import { createPeople } from './people.ts';
import { connectGitlab, createProvider } from './provider.ts';
import { REFS } from './refs.ts';
import { JOBS } from './snippets.ts';
import { createOpenTokenView } from './token-view.ts';
import { GITLAB_TOKENS, TOKEN_FORMS } from './tokens.ts';
import { createGitlabHook } from './webhook.ts';

/** Settings of the server, as the configuration reads them. */
export interface GitlabSettings {
  readonly gitlab: {
    /** GITLAB_URL, without a slash at its end; it may hold a path. */
    readonly url: string | undefined;
    /** Without TLS: no ID token is believed. */
    readonly isReadable?: boolean;
    readonly token: string | undefined;
    readonly webhookSecret: string | undefined;
    /** Undefined: nobody signs in with GitLab. */
    readonly application: OauthApplication | undefined;
  };
}

/** How the server has a GitLab: gitlab.com, or one of one's own. */
export const GITLAB: HostKind<GitlabSettings> = { connect: connectHost, tokenForms: TOKEN_FORMS };

function connectHost({ gitlab: set }: GitlabSettings, deps: HostDeps): Host | undefined {
  const { url, token, webhookSecret, application } = set;
  if ([url, token, webhookSecret, application].every((one) => one === undefined)) return undefined;
  const web = url ?? 'https://gitlab.com';
  const own = token === undefined ? undefined : connectGitlab(deps, { web, token });
  return {
    service: 'gitlab',
    name: 'GitLab',
    credential: say.CREDENTIAL,
    provider: own && createProvider(own, webhookSecret),
    app: undefined,
    appSetup: undefined,
    checkRuns: undefined,
    accessLosses: { uninstalled: say.ACCESS_ENDED, suspended: say.ACCESS_ENDED, deselected: say.ACCESS_ENDED },
    terms: GITLAB_TERMS,
    refs: REFS,
    runs: RUN_NAMES,
    tokens: GITLAB_TOKENS,
    webhook: createGitlabHook(webhookSecret),
    openTokenView: createOpenTokenView(deps, web, own),
    withToken: (other) => connectHost({ gitlab: { ...set, token: other } }, deps),
    idTokens: gitlabIdTokens(set.isReadable === true ? [] : [web]),
    signIn: application && createPeople(deps, web, application),
    checkUp: createCheckup(deps, web, token),
    snippets: JOBS,
    linksOf: (repo) => ({
      lines: ({ commit, file, first, last }) => {
        const lines = first === last ? `L${first}` : `L${first}-${last}`;
        return `${web}/${repo}/-/blob/${encodeURIComponent(commit.toWellFormed())}/${file}#${lines}`;
      },
      pull: (number) => `${web}/${repo}/-/merge_requests/${number}`,
    }),
  };
}

/**
 * How uploads name GitLab CI and its pipelines. `service_number` is the pipeline's number in its project, never the id
 * by which it is asked for, so no field but `service_run_id` and the page's address is.
 */
const RUN_NAMES: HostRuns = {
  serviceName: 'gitlab-ci',
  isServiceName: (text) => /^gitlab/i.test(text),
  isRunId: () => false,
  forkProof: 'job-token',
  isPageOf: (url, runId) =>
    url
      .split('/-/pipelines/')
      .slice(1)
      .some((rest) => /^\d*/.exec(rest)?.[0] === runId),
  triggerOf: (event) => (event === 'push' ? 'push' : event === 'merge_request_event' ? 'pull-request' : 'other'),
  botWithoutSecrets: () => undefined,
};

/** GitLab keeps HTML comments in a note and hides them, folds `<details>`, and takes far longer notes than ours. */
const GITLAB_TERMS: HostTerms = { ...USUAL_TERMS, pullRequest: 'merge request', symbol: '!' };
