import { builtCommand } from '../built-command.ts';
import { startService } from '../service.ts';
import { startAccessGithub } from './access-github.ts';
import { type AccessHost, type AccessScene, createAccessScene, SCRAPE_TOKEN } from './access-scene.ts';
import { readAnswers } from './access-table.ts';
import { addLostGroup, LOST_GROUP_ENV } from './lost-group.ts';
import { type Walk, walkAccess } from './walk-access.ts';

/** A route of its own, as to who may ask. */
export const VERBOSE = 'GET /readyz?verbose';

/** A service in this process with everything that the tables of answers.md are about. */
export interface RunningAccess {
  readonly scene: AccessScene;
  readonly routes: readonly string[];
  /** Asks these of its routes, and compares the answers with answers.md. */
  walk(asked: (route: string) => boolean): Promise<Walk>;
  stop(): Promise<void>;
}

export async function startAccess(startHost: () => Promise<AccessHost> = startAccessGithub): Promise<RunningAccess> {
  await builtCommand();
  const host = await startHost();
  const service = await startService({ env: { ...LOST_GROUP_ENV, METRICS_TOKEN: SCRAPE_TOKEN, ...host.env } });
  const { url, adminToken, store } = service;
  const routes = [...service.routes, VERBOSE];
  const scene = await createAccessScene({
    host,
    url,
    adminToken,
    newToken: service.tokenOf,
    newLostGroup: () => addLostGroup(store),
    async revoke(user) {
      for (const token of await store.tokens.list())
        if (token.user === user) await store.tokens.revoke(token.id, Date.now());
    },
  });
  return {
    scene,
    routes,
    walk: async (asked) => walkAccess(scene, { routes, markdown: await readAnswers(), asked }),
    async stop() {
      await service.stop();
      await host.close();
    },
  };
}

/** What one half of the tests asks; both take about as long, and together they are every route. */
export const isPage = (route: string): boolean => route.startsWith('GET ') && !/ \/(?:api|repos)\b/.test(route);
