import { generateKeyPairSync } from 'node:crypto';
import { describe, expect } from 'vitest';
import { BITBUCKET } from '../../server/src/hosts/bitbucket/host.ts';
import { BITBUCKET_SERVER } from '../../server/src/hosts/bitbucket-server/host.ts';
import { FORGEJO, GITEA } from '../../server/src/hosts/gitea/host.ts';
import { GITHUB, type GithubSettings } from '../../server/src/hosts/github/host.ts';
import { GITLAB } from '../../server/src/hosts/gitlab/host.ts';
import { systemTimers } from '../../server/src/platform/timers/system-timers.ts';
import type { Host } from '../../server/src/ports/host.ts';
import type { CheckRuns, Provider } from '../../server/src/ports/provider.ts';
import { startBitbucketServerStandIn } from '../support/bitbucket-server-stand-in/bitbucket-server-stand-in.ts';
import { startBitbucketStandIn } from '../support/bitbucket-stand-in/bitbucket-stand-in.ts';
import { startGiteaStandIn } from '../support/gitea-stand-in/gitea-stand-in.ts';
import { type GithubStandIn, startGithubStandIn } from '../support/github-stand-in/github-stand-in.ts';
import { startGitlabStandIn } from '../support/gitlab-stand-in/gitlab-stand-in.ts';
import { createLogbook } from '../support/logbook.ts';
import type { ProviderScene } from './provider/scene.ts';
import { describeProvider } from './provider-contract.ts';

type StandIn = ProviderScene['host'] & {
  violations(): readonly string[];
  close(): Promise<void>;
};

const DEPS = { fetch, clock: { now: Date.now }, timers: systemTimers, logger: createLogbook() };

/** GitHub as the server connects it. */
function connect(
  github: GithubStandIn,
  signIn: Partial<GithubSettings>,
): Host & { readonly provider: Provider & CheckRuns } {
  const settings: GithubSettings = {
    githubUrl: undefined,
    githubApiUrl: github.url,
    githubToken: undefined,
    githubApp: undefined,
    githubOauthApp: undefined,
    githubWebhookSecret: 'secret-of-the-webhook',
    githubOidcIssuers: undefined,
    githubWritesPerSecond: 1,
    ...signIn,
  };
  const host = GITHUB.connect(settings, { ...DEPS, retryPause: 1 }, []) as Host;
  return { ...host, provider: host.provider as Provider & CheckRuns };
}

async function end(github: GithubStandIn): Promise<void> {
  const violations = github.violations();
  await github.close();
  expect(violations).toEqual([]);
}

describeProvider('GitHub', async () => {
  const person = { login: 'coverage-bot', kind: 'user', access: 'write' } as const;
  const app = { login: 'coverage[bot]', kind: 'installation', access: 'write' } as const;
  const host = await startGithubStandIn({ tokens: { person, app } });
  const face = connect(host, { githubToken: 'person' });
  const { provider: appProvider } = connect(host, { githubToken: 'app' });
  const { provider } = face;
  return { host, face, provider, plainProvider: provider, appProvider, close: () => end(host) };
});

const keys = generateKeyPairSync('rsa', { modulusLength: 2048 });
const privateKey = keys.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();

describeProvider('GitHub, signed in as an App', async () => {
  const host = await startGithubStandIn();
  host.addApp({ id: 1_234, slug: 'coverage', publicKey: keys.publicKey });
  for (const owner of ['acme', 'acme-group', 'mona']) host.installApp({ app: 1_234, owner });
  const face = connect(host, { githubApp: { id: 1_234, privateKey } });
  const { provider: plainProvider } = connect(host, { githubToken: host.token });
  const { provider } = face;
  return { host, face, provider, plainProvider, appProvider: provider, close: () => end(host) };
});

/** A host that signs in in one way only. */
function sceneOf(host: StandIn, face: Host | undefined): ProviderScene {
  if (face?.provider === undefined) throw new Error('The host was not connected');
  const { provider } = face;
  const close = async () => {
    const violations = host.violations();
    await host.close();
    expect(violations).toEqual([]);
  };
  return { host, face, provider, plainProvider: provider, close };
}

describeProvider(
  'GitLab',
  async () => {
    const host = await startGitlabStandIn();
    const gitlab = { url: host.url, token: host.token, webhookSecret: 'secret-of-the-webhook', application: undefined };
    return sceneOf(host, GITLAB.connect({ gitlab }, DEPS, []));
  },
  {
    ...{ checkRuns: false, mergeCommits: false, trees: false, counts: false, runs: false, runIds: false, ranges: true },
    ...{ nests: true, cased: true, comparedFiles: 1_000, noCommit: 404, ids: /^\d+$/ },
  },
);

describeProvider(
  'Bitbucket',
  async () => {
    const host = await startBitbucketStandIn();
    const set = { url: undefined, apiUrl: host.url, token: host.token, application: undefined };
    return sceneOf(
      host,
      BITBUCKET.connect({ bitbucket: { ...set, webhookSecret: 'secret-of-the-webhook' } }, DEPS, []),
    );
  },
  {
    ...{ checkRuns: false, mergeCommits: false, trees: false, counts: false, runs: false, runIds: false, ranges: true },
    ...{ nests: false, cased: true, comparedFiles: 1_000, noCommit: 404, ids: /^\{[0-9a-f-]{36}\}$/ },
  },
);

describeProvider(
  'Bitbucket Data Center',
  async () => {
    const host = await startBitbucketServerStandIn();
    const set = { url: host.url, token: host.token, webhookSecret: 'secret-of-the-webhook', application: undefined };
    return sceneOf(host, BITBUCKET_SERVER.connect({ bitbucketServer: set }, DEPS, []));
  },
  {
    ...{ checkRuns: false, mergeCommits: false, trees: false, counts: false, runs: false, runIds: false, ranges: true },
    ...{ nests: false, cased: true, comparedFiles: Number.POSITIVE_INFINITY, noCommit: 404, ids: /^\d+$/ },
  },
);

describe.each(['gitea', 'forgejo'] as const)('%s', (flavor) => {
  describeProvider(
    flavor,
    async () => {
      const host = await startGiteaStandIn({ flavor });
      const set = { url: host.url, token: host.token, webhookSecret: 'secret-of-the-webhook', application: undefined };
      return sceneOf(
        host,
        flavor === 'gitea' ? GITEA.connect({ gitea: set }, DEPS, []) : FORGEJO.connect({ forgejo: set }, DEPS, []),
      );
    },
    {
      ...{ checkRuns: false, mergeCommits: false, trees: false, counts: true, runs: false, runIds: true },
      ...{ nests: false, cased: true, comparedFiles: Number.POSITIVE_INFINITY, ids: /^\d+$/ },
      ...{ ranges: flavor === 'gitea', noCommit: 404 },
    },
  );
});
