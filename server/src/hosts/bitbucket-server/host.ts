import type { CiSnippets, SnippetWay } from '../../core/repo/ci-snippets.ts';
import type { HostRuns, HostTokens } from '../../core/repo/git-host.ts';
import type { Host } from '../../ports/host.ts';
import type { HostDeps, HostKind, OauthApplication } from '../host-kind.ts';
import { NO_REFS, NO_TOKEN_VIEW, PLAIN_TERMS } from '../plain-host.ts';
import { createCheckup } from './checkup.ts';
import { createPeople } from './people.ts';
import { connectDataCenter, createProvider } from './provider.ts';
import { createDataCenterHook } from './webhook.ts';

/** Settings of the server, as the configuration reads them. */
export interface BitbucketServerSettings {
  readonly bitbucketServer: {
    /** BITBUCKET_SERVER_URL, without a slash at its end; it may hold a path. */
    readonly url: string | undefined;
    readonly token: string | undefined;
    readonly webhookSecret: string | undefined;
    /** Undefined: nobody signs in with it. */
    readonly application: OauthApplication | undefined;
  };
}

const TOKEN = 'an HTTP access token of Bitbucket Data Center';
const FORM = /\bBBDC-[A-Za-z0-9+/@_-]{40,}/g;
const ACCESS_ENDED = "the server's token lost its access to the repo; give it access again";

/** How the server has a Bitbucket Data Center. */
export const BITBUCKET_SERVER: HostKind<BitbucketServerSettings> = {
  connect: connectHost,
  tokenForms: [{ form: FORM, kind: TOKEN }],
};

function connectHost({ bitbucketServer: set }: BitbucketServerSettings, deps: HostDeps): Host | undefined {
  const { url: web, token } = set;
  if (web === undefined) return undefined;
  return {
    service: 'stash',
    name: 'Bitbucket Data Center',
    credential: 'BITBUCKET_SERVER_TOKEN',
    provider:
      token === undefined ? undefined : createProvider(connectDataCenter(deps, { web, token }), set.webhookSecret),
    app: undefined,
    appSetup: undefined,
    checkRuns: { refusal: undefined },
    accessLosses: { uninstalled: ACCESS_ENDED, suspended: ACCESS_ENDED, deselected: ACCESS_ENDED },
    terms: PLAIN_TERMS,
    refs: NO_REFS,
    runs: NO_RUNS,
    tokens: TOKENS,
    webhook: createDataCenterHook(set.webhookSecret),
    openTokenView: NO_TOKEN_VIEW,
    withToken: (other) => connectHost({ bitbucketServer: { ...set, token: other } }, deps),
    idTokens: undefined,
    signIn: set.application && createPeople(deps, web, set.application),
    checkUp: createCheckup(deps, web, token),
    snippets: STAGES,
    linksOf: (repo) => ({
      lines: ({ commit, file, first, last }) => {
        const [project, slug] = repo.split('/');
        const lines = first === last ? first : `${first}-${last}`;
        const at = encodeURIComponent(commit.toWellFormed());
        return `${web}/projects/${project}/repos/${slug}/browse/${file}?at=${at}#${lines}`;
      },
      pull: (number) => `${web}/projects/${repo.split('/').join('/repos/')}/pull-requests/${number}`,
    }),
  };
}

/** Nothing that a CI says of its runs could be confirmed here. */
const NO_RUNS: HostRuns = {
  serviceName: 'stash',
  isServiceName: (text) => text === 'stash',
  isRunId: () => false,
  forkProof: undefined,
  isPageOf: () => false,
  triggerOf: (event) => (event === 'push' ? 'push' : 'other'),
  botWithoutSecrets: () => undefined,
};

/** None is taken as `repo_token`: it would say whose it is, and nothing of a run. */
const TOKENS: HostTokens = {
  kindOf: () => undefined,
  describe: (token) => (token.search(FORM) >= 0 ? TOKEN : undefined),
  words: {
    accepted: "the repo's token",
    ofJob: "the repo's token",
    runId: 'BUILD_ID',
    commit: 'GIT_COMMIT',
    mayPush: 'permission',
    covered: 'GET /repos',
    seeRun: "Use the repo's token.",
    needs: "Use the repo's token.",
    address: 'BITBUCKET_SERVER_URL',
  },
};

/** A stage of Jenkins, which most use beside it. */
const STAGES: CiSnippets = {
  called: 'stage',
  place:
    'Add this to `Jenkinsfile`, with the repo’s token as the credential `coverage-repo-token`. Put your own test ' +
    'command ' +
    'where the comment is. The agent needs Node 20.',
  whole: (way) =>
    ['pipeline {', '  agent any', '  stages {', ...stageOf(way, 'Coverage', 'npm ci && npm test', ''), '  }', '}'].join(
      '\n',
    ),
  several: 'Several stages? Add `--parallel` to each, and a last stage with `node coverage.mjs done`.',
  job: (way) => stageOf(way, 'End to end', 'npm run e2e', ' --parallel --job-flag=e2e').join('\n'),
  jobNeeds: 'The stage needs the same credential.',
  close: 'Then close the build in a last stage with `node coverage.mjs done`.',
  secret: 'COVERALLS_REPO_TOKEN',
  required: 'In Bitbucket, “Repository settings”, “Required builds”: add the build `coverage`.',
};

function stageOf({ root }: SnippetWay, name: string, tests: string, options: string): readonly string[] {
  return [
    `    stage('${name}') {`,
    `      environment { COVERALLS_REPO_TOKEN = credentials('coverage-repo-token') }`,
    '      steps {',
    `        sh '${tests}' // writes coverage/lcov.info`,
    `        sh 'curl -fsS ${root}/cli.mjs -o coverage.mjs'`,
    `        sh 'COVERAGE_ENDPOINT=${root} node coverage.mjs report${options}'`,
    '      }',
    '    }',
  ];
}
