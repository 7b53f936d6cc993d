import type { CloseAnswer, JobAnswer } from '@coverage/shared';
import type { Build } from '../../server/src/core/builds/build.ts';
import { jsonPost, type Reply, type RepoJson } from './coverage-api.ts';
import {
  type Fields,
  type ForkGithub,
  HEAD,
  MAIN,
  MALLORYS,
  MERGE,
  REPO,
  startForkGithub,
  uploadOf,
} from './fork-github.ts';
import { type Service, startService } from './service.ts';

/** And a service that knows it as a public repo. */
export interface ForkScene extends ForkGithub {
  readonly service: Service;
  readonly shop: RepoJson & { readonly token: string };
  /** Uploads without a token, as our action does in Eve's pull request. */
  upload(run: string, fields?: Fields): Promise<Reply<JobAnswer>>;
  close(fields: object, buildNumber?: string): Promise<Reply<CloseAnswer>>;
  set(settings: object, repo?: RepoJson): Promise<void>;
  /** Every build of acme/shop, oldest first, once nothing is due in any. */
  builds(): Promise<readonly Build[]>;
  /** All that is stored of acme/shop, and what GitHub holds of it. */
  everything(): Promise<object>;
  end(): Promise<void>;
}

export async function startForkScene(env: Readonly<Record<string, string>> = {}): Promise<ForkScene> {
  const { github, run } = await startForkGithub();
  const service = await startService({ github, env });
  const { api, store } = service;
  const shop = await service.newRepo({ service: 'github', name: REPO });
  const set = (settings: object, { name }: RepoJson = shop): Promise<void> => api.changeSettings(name, settings);
  await set({ visibility: 'public' });
  const post = <T>(path: string, body: object): Promise<Reply<T>> => api.send<T>(path, jsonPost(body));
  const builds = () => service.settledBuilds(shop.id);
  return {
    github,
    service,
    shop,
    run,
    upload: (run, fields) => post('/api/v1/jobs', { ...uploadOf(run), ...fields }),
    close: (fields, buildNumber) => post('/webhook', { ...fields, payload: { build_num: buildNumber } }),
    set,
    builds,
    async everything() {
      const settled = await builds();
      const commits = [MAIN, HEAD, MERGE, MALLORYS];
      return {
        builds: settled,
        jobs: await Promise.all(settled.map(({ id }) => store.jobs.ofBuild(id))),
        repo: await store.repos.find(shop.id),
        refused: (await store.refusals.list(shop.id, 0)).filter(({ unproven }) => unproven !== true),
        statuses: commits.map((commit) => github.statuses(REPO, commit)),
        comments: [7, 8, 9].map((pull) => github.comments(REPO, pull)),
      };
    },
    async end() {
      await service.stop();
      await github.close();
    },
  };
}
