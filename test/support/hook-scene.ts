import { expect } from 'vitest';
import type { Build } from '../../server/src/core/builds/build.ts';
import { listHosts } from '../../server/src/core/repo/git-host.ts';
import type { Repo } from '../../server/src/core/repo/repo.ts';
import { createAskProvider } from '../../server/src/hosts/facts/ask-provider.ts';
import { createGithubProvider } from '../../server/src/hosts/github/github-provider.ts';
import { createGithubHook } from '../../server/src/hosts/github/webhook.ts';
import { systemTimers } from '../../server/src/platform/timers/system-timers.ts';
import type { Services } from '../../server/src/services/services.ts';
import type { Store } from '../../server/src/storage/store.ts';
import { registerHookRoutes } from '../../server/src/webhooks/http/hooks-routes.ts';
import { putRepo } from '../contract/records.ts';
import type { Delivery } from './github-stand-in/deliveries.ts';
import { startGithubStandIn } from './github-stand-in/github-stand-in.ts';
import { HOOK_SECRET, type HookReply, sendDelivery } from './hooks-client.ts';
import { githubHost } from './hosts.ts';
import { type HttpApp, startHttpApp } from './http-app.ts';
import { createLogbook } from './logbook.ts';

export const NAME = 'acme/shop';
export const [BASE, HEAD, MERGE, LANDED] = ['b', 'a', 'c', 'd'].map((digit) => digit.repeat(40)) as [
  string,
  string,
  string,
  string,
];

export interface HookSceneOptions {
  /** Default: HOOK_SECRET; null: none. */
  readonly secret?: string | null;
  /** The App that the server signs in as; undefined: it does otherwise. */
  readonly app?: number;
}

/**
 * The hook alone over a store and a stand-in of GitHub: a repo `acme/shop` whose pull request 7 goes to main. Nothing
 * is closed here, so that what an event writes can be seen.
 */
export async function startHookScene(options: HookSceneOptions = {}) {
  const { secret = HOOK_SECRET, app: appId } = options;
  const host = await startGithubStandIn({ now: () => Date.UTC(2026, 0, 1) });
  host.addRepo(NAME);
  host.addCommit(NAME, { sha: BASE, branch: 'main', tree: 'base' });
  host.addPullRequest(NAME, { number: 7, headSha: HEAD, baseRef: 'main', mergeCommitSha: MERGE });
  const seen = { due: 0, resumed: 0 };
  const forgotten: number[] = [];
  const logger = createLogbook();
  const provider = createGithubProvider({
    ...{ apiUrl: host.url, token: host.token, fetch, logger, retryPause: 1 },
    ...{ clock: { now: Date.now }, timers: systemTimers },
  });
  const hosts = listHosts([
    githubHost({
      provider,
      app: appId === undefined ? undefined : { id: appId, forgetInstallation: (id) => void forgotten.push(id) },
      webhook: createGithubHook({ secret: secret ?? undefined }),
    }),
  ]);
  const app: HttpApp = await startHttpApp({
    routes: [
      (router, services) =>
        registerHookRoutes(router, {
          ...services,
          hosts: hosts as Services['hosts'],
          askProvider: createAskProvider({ ...services, providerOf: () => provider, logger }),
          webhookNotes: { note: async () => {} },
          logger,
          onResumed: () => void seen.resumed++,
          onDue: () => void seen.due++,
        }),
    ],
  });
  const { store } = app;
  const repo = await putRepo(store, { name: NAME });
  const send = (delivery: Delivery): Promise<HookReply> => sendDelivery(app.url, delivery);
  return {
    app,
    host,
    store,
    repo,
    due: () => seen.due,
    resumed: () => seen.resumed,
    /** Installations that were forgotten, in order. */
    forgotten: (): readonly number[] => forgotten,
    send,
    /** Sends a delivery twice: the second time nothing changes. Answers what the first one did. */
    async sendTwice(delivery: Delivery): Promise<readonly string[]> {
      const first = await send(delivery);
      expect([first.status, first.json.outcome]).toEqual([200, 'heard']);
      const after = await everything(store, repo);
      app.time.now += 60_000;
      const second = await send(delivery);
      expect([second.status, second.json.effects]).toEqual([200, []]);
      expect(await everything(store, repo)).toEqual(after);
      return first.json.effects ?? [];
    },
    build: async (id: number): Promise<Build> => (await store.builds.find(id)) as Build,
    stored: async (): Promise<Repo> => (await store.repos.find(repo.id)) as Repo,
    async end(): Promise<void> {
      await app.stop();
      await host.close();
      expect(host.violations()).toEqual([]);
    },
  };
}

export type HookScene = Awaited<ReturnType<typeof startHookScene>>;

async function everything(store: Store, repo: Repo): Promise<unknown> {
  const { builds } = await store.builds.list({ repoId: repo.id, branch: undefined, offset: 0, limit: 100 });
  return { repo: await store.repos.find(repo.id), builds };
}
