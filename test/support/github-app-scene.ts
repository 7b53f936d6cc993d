import { generateKeyPairSync } from 'node:crypto';
import { expect } from 'vitest';
import { createGithubAppProvider, type GithubAppOptions } from '../../server/src/hosts/github/app-provider.ts';
import { systemTimers } from '../../server/src/platform/timers/system-timers.ts';
import type { Provider } from '../../server/src/ports/provider.ts';
import { createHandClock } from './delivery-rounds.ts';
import { content, place } from './github-provider-scene.ts';
import { head } from './github-scene.ts';
import type { FaultedRequest } from './github-stand-in/faults.ts';
import { type GithubStandIn, startGithubStandIn } from './github-stand-in/github-stand-in.ts';
import { createLogbook } from './logbook.ts';

export const APP = 1_234_567;
const keys = generateKeyPairSync('rsa', { modulusLength: 2_048 });
/** The App's public key, which its GitHub knows. */
export const { publicKey } = keys;
export const privateKey = keys.privateKey.export({ type: 'pkcs1', format: 'pem' }).toString();
/** Repos of two owners, each with the App installed, a commit `head` and pull request 7. */
export const [shop, lab] = ['acme/shop', 'umbrella/lab'];
export const statusOf = (repo: string) => ({ ...place, repo, content });
/** Everything that the providers of one file logged. */
export const logbook = createLogbook();

export const isLookUp = ({ path }: FaultedRequest): boolean => path.endsWith('/installation');
export const isTokenRequest = ({ path }: FaultedRequest): boolean => path.endsWith('/access_tokens');
export const isStatus = ({ path, method }: FaultedRequest): boolean => method === 'POST' && path.includes('/statuses/');

let github: GithubStandIn | undefined;

/** A GitHub with the App on both owners' repos. `ahead`: its clock before ours, in ms. */
export async function startAppScene({ ahead = 0 } = {}) {
  const clock = createHandClock(Date.now());
  github = await startGithubStandIn({ now: () => clock.now() + ahead });
  const stand = github;
  stand.addApp({ id: APP, slug: 'coverage', publicKey });
  const installations = [shop, lab].map((repo) => {
    addRepo(stand, repo);
    return stand.installApp({ app: APP, owner: repo.split('/')[0] ?? '' });
  }) as [number, number];
  const connect = (options: Partial<GithubAppOptions> = {}) =>
    createGithubAppProvider({
      fetch,
      apiUrl: stand.url,
      app: { id: APP, privateKey },
      clock,
      timers: systemTimers,
      logger: logbook,
      retryPause: 1,
      ...options,
    });
  return {
    stand,
    installations,
    connect,
    provider: connect().provider,
    /** Moves all clocks. */
    pass: (ms: number) => clock.set(clock.now() + ms),
    /** How many requests of a kind arrived. */
    count: (kind: (request: FaultedRequest) => boolean) => stand.requests().filter(kind).length,
    /** How many of them were done. */
    done: (kind: (request: FaultedRequest) => boolean) =>
      stand.requests().filter((request) => kind(request) && (request.status ?? 500) < 300).length,
  };
}

/** After each test: everything that was sent was as GitHub's description wants it; the stand-in ends. */
export async function endAppScene(): Promise<void> {
  const violations = github?.violations() ?? [];
  await github?.close();
  github = undefined;
  expect(violations).toEqual([]);
}

export function addRepo(stand: GithubStandIn, repo: string): void {
  stand.addRepo(repo, { private: true });
  stand.addPullRequest(repo, { number: 7, headSha: head, baseRef: 'main' });
}

/** One call of each kind that a delivery makes. */
export const WRITES: readonly (readonly [string, (provider: Provider) => Promise<unknown>])[] = [
  ['setStatus', (provider) => provider.setStatus(statusOf(shop))],
  ['createComment', (provider) => provider.createComment({ repo: shop, pullRequest: 7, body: 'hello' })],
];
