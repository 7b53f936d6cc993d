import { expect } from 'vitest';
import { createDeliverer } from '../../server/src/announcing/deliverer.ts';
import type { Message, StatusContent } from '../../server/src/core/announce/delivery.ts';
import {
  connectBitbucket,
  createProvider as createBitbucketProvider,
} from '../../server/src/hosts/bitbucket/provider.ts';
import {
  connectDataCenter,
  createProvider as createDataCenterProvider,
} from '../../server/src/hosts/bitbucket-server/provider.ts';
import { type Flavor, FORGEJO_FLAVOR, GITEA_FLAVOR } from '../../server/src/hosts/gitea/flavor.ts';
import { connectGitea, createProvider as createGiteaProvider } from '../../server/src/hosts/gitea/provider.ts';
import { createGithubProvider } from '../../server/src/hosts/github/github-provider.ts';
import { connectGitlab, createProvider as createGitlabProvider } from '../../server/src/hosts/gitlab/provider.ts';
import type { HostDeps } from '../../server/src/hosts/host-kind.ts';
import { systemTimers } from '../../server/src/platform/timers/system-timers.ts';
import type { Provider } from '../../server/src/ports/provider.ts';
import { startBitbucketServerStandIn } from './bitbucket-server-stand-in/bitbucket-server-stand-in.ts';
import { startBitbucketStandIn } from './bitbucket-stand-in/bitbucket-stand-in.ts';
import { createHandClock } from './delivery-rounds.ts';
import { createFakeOutbox } from './fake-outbox.ts';
import { startGiteaStandIn } from './gitea-stand-in/gitea-stand-in.ts';
import { head, setUpScene } from './github-scene.ts';
import type { FaultedRequest } from './github-stand-in/faults.ts';
import { startGithubStandIn } from './github-stand-in/github-stand-in.ts';
import type { HostContents, HostSetUp } from './github-stand-in/host-set-up.ts';
import { startGitlabStandIn } from './gitlab-stand-in/gitlab-stand-in.ts';
import { createLogbook } from './logbook.ts';

/** When every test begins. */
export const START = Date.parse('2030-01-01T00:00:00Z');
export const repo = 'acme/shop';
type OtherStand = HostSetUp & { violations(): readonly unknown[]; close(): Promise<void> };
let host: OtherStand | undefined;
/** The fake outbox has no repos: what the record was made with goes. */
export const NO_REPOS = { find: async () => undefined, follow: async () => undefined };

/** After each test: everything that was sent was as GitHub's description wants it; the stand-in ends. */
export async function endScene(): Promise<void> {
  const violations = host?.violations() ?? [];
  await host?.close();
  host = undefined;
  expect(violations).toEqual([]);
}

const AN_APP = { login: 'coverage[bot]', kind: 'installation', access: 'write' } as const;

interface OutboxOptions {
  readonly callTimeLimit?: number;
}

/** The stand-in, the provider and the outbox on one clock that the test moves. Delays are without jitter. */
function outboxAt<Stand extends OtherStand>(
  startStand: (options: { readonly now: () => number }) => Promise<Stand>,
  connect: (stand: Stand, deps: HostDeps, timeLimit: number) => Provider,
) {
  return async ({ callTimeLimit = 10_000 }: OutboxOptions = {}) => {
    const clock = createHandClock(START);
    const logger = createLogbook();
    const stand = await startStand({ now: clock.now });
    host = stand;
    setUpScene(stand);
    stand.addCommit(repo, { sha: head, branch: 'topic' });
    const provider = connect(stand, { fetch, clock, timers: systemTimers, logger }, callTimeLimit);
    const outbox = createFakeOutbox();
    // The repo of the fake outbox is at `github`, whatever answers here.
    const providerOf = ({ service }: { readonly service: string }) => (service === 'github' ? provider : undefined);
    const deliver = createDeliverer({ outbox, repos: NO_REPOS, providerOf, clock, logger, random: () => 0 });
    const want = (message: Message): void => outbox.announce({ message, at: clock.now() });
    return { stand, provider, outbox, deliver, clock, logger, want, rounds: { outbox, deliver, clock } };
  };
}

/** At GitHub. */
export const startOutbox = ({ isApp, ...options }: OutboxOptions & { readonly isApp?: boolean } = {}) =>
  outboxAt(
    ({ now }) => startGithubStandIn({ now, ...(isApp === true && { tokens: { app: AN_APP } }) }),
    ({ url: apiUrl, token }, deps, callTimeLimit) =>
      createGithubProvider({ ...deps, apiUrl, token, callTimeLimit, retryPause: 1, writeBurst: 1_000 }),
  )(options);

const startGitlabOutbox = outboxAt(startGitlabStandIn, ({ url: web, token }, deps, timeLimit) =>
  createGitlabProvider(connectGitlab(deps, { web, token, timeLimit })),
);

const startGiteaOutbox = (flavor: Flavor) =>
  outboxAt(
    ({ now }) => startGiteaStandIn({ flavor: flavor.service, now }),
    ({ url: web, token }, deps, timeLimit) =>
      createGiteaProvider(connectGitea(deps, { flavor, web, token, timeLimit })),
  );

const startBitbucketOutbox = outboxAt(startBitbucketStandIn, ({ url: api, token }, deps, timeLimit) =>
  createBitbucketProvider(connectBitbucket(deps, { api, token, timeLimit }), undefined),
);

const startDataCenterOutbox = outboxAt(startBitbucketServerStandIn, ({ url: web, token }, deps, timeLimit) =>
  createDataCenterProvider(connectDataCenter(deps, { web, token, timeLimit }), undefined),
);

/** Each host, and for how long it may be at work on a lost request, in ms. */
export const OUTBOXES = [
  { name: 'GitHub', start: startOutbox, settles: 10_000 },
  { name: 'GitLab', start: startGitlabOutbox, settles: 60_000 },
  { name: 'Gitea', start: startGiteaOutbox(GITEA_FLAVOR), settles: 10_000 },
  { name: 'Forgejo', start: startGiteaOutbox(FORGEJO_FLAVOR), settles: 10_000 },
  { name: 'Bitbucket', start: startBitbucketOutbox, settles: 10_000 },
  { name: 'Bitbucket Data Center', start: startDataCenterOutbox, settles: 10_000 },
] as const;

/** What the context of the scene's head commit is to show. */
export function status(state: StatusContent['state'], description: string = state, context = 'coverage'): Message {
  const content: StatusContent = { kind: 'status', state, description, targetUrl: 'https://coverage.example/builds/7' };
  return { target: { kind: 'status', commit: head, context }, content };
}

/** What the comment of pull request 7 is to say. */
export function comment(text: string): Message {
  const body = `<!-- coverage: https://coverage.example repo 1 -->\n\n${text}`;
  return { target: { kind: 'comment', pullRequest: 7 }, content: { kind: 'comment', body } };
}

/** What the check run of the scene's head commit is to mark; the text is its title. */
export function check(lines: readonly number[], title = 'some lines'): Message {
  const annotations = lines.map(
    (line) =>
      ({ file: 'web/cart.js', firstLine: line, lastLine: line, level: 'warning', message: 'Not covered.' }) as const,
  );
  const said = {
    conclusion: 'neutral',
    title,
    summary: 'Some.',
    detailsUrl: 'https://coverage.example/builds/7',
  } as const;
  return {
    target: { kind: 'check', commit: head, name: 'coverage annotations' },
    content: { kind: 'check', ...said, annotations },
  };
}

/** Last lines of the comments of pull request 7. */
export const bodiesOf = (stand: HostContents) => stand.comments(repo, 7).map(({ body }) => body.split('\n').at(-1));
/** Every description that was set on the head commit, in order. */
export const statesOf = (stand: HostContents) => stand.statuses(repo, head).map(({ description }) => description);
export const writes = ({ method }: Pick<FaultedRequest, 'method'>) => method !== 'GET';
