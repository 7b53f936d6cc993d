import type { CloseAnswer, JobAnswer, JobPayload } from '@coverage/shared';
import type { Build } from '../../server/src/domain/builds/build.ts';
import { job, type Reply, type RepoJson, shaOf } from './coverage-api.ts';
import { type GithubStandIn, startGithubStandIn } from './github-stand-in/github-stand-in.ts';
import type { RunSetUp } from './github-stand-in/set-up.ts';
import { type Service, startService } from './service.ts';
import { waitFor } from './wait-for.ts';

export const REPO = 'acme/shop';
export const MAIN = shaOf('main of the shop');
/** Eve's pull request 7, its temporary merge commit, and Mallory's pull request 8. */
export const [HEAD, MERGE, MALLORYS] = [shaOf('head of eve'), shaOf('merge of eve'), shaOf('head of mallory')];
/** A workflow's own token of acme/shop, as a fork's run has it too. */
export const FORK_TOKEN = 'ghs_workflow-of-a-fork';

/** Fields of an upload; what a test states wins. */
export type Fields = Partial<Record<keyof JobPayload, unknown>>;

/** GitHub with acme/shop, two forks of it and their pull requests, and a service that knows it as a public repo. */
export interface ForkScene {
  readonly github: GithubStandIn;
  readonly service: Service;
  readonly shop: RepoJson & { readonly token: string };
  /** A run of Eve's pull request that is under way, unless stated otherwise. */
  run(change?: Partial<RunSetUp>): string;
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
  const github = await startGithubStandIn({
    tokens: {
      'stand-in-token': { login: 'coverage-bot', kind: 'user', access: 'write' },
      [FORK_TOKEN]: { login: 'github-actions[bot]', kind: 'installation', access: 'read', repos: [REPO] },
    },
  });
  setUpGithub(github);
  const service = await startService({ github, env });
  const { api, store } = service;
  const shop = await service.newRepo({ service: 'github', name: REPO });
  const set = (settings: object, { name }: RepoJson = shop): Promise<void> => api.changeSettings(name, settings);
  await set({ visibility: 'public' });
  const post = <T>(path: string, body: object): Promise<Reply<T>> =>
    api.send<T>(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  const listed = async () =>
    (await store.builds.list({ repoId: shop.id, branch: undefined, offset: 0, limit: 100 })).builds.toReversed();
  const settled = () =>
    waitFor(
      async () => {
        const builds = await listed();
        const isDone = builds.every(({ due }) => due.every(({ kind }) => kind === 'deadline'));
        const left = await store.outbox.nextDueAt();
        return isDone && left === undefined ? builds : undefined;
      },
      { what: 'nothing to be due', intervalMs: 5, meanwhile: service.time.skipPause },
    );
  return {
    github,
    service,
    shop,
    run: (change) => String(github.addRun(REPO, { ...RUN_OF_EVE, ...change }).id),
    upload: (run, fields) => post('/api/v1/jobs', { ...uploadOf(run), ...fields }),
    close: (fields, buildNumber) => post('/webhook', { ...fields, payload: { build_num: buildNumber } }),
    set,
    builds: settled,
    async everything() {
      const builds = await settled();
      const commits = [MAIN, HEAD, MERGE, MALLORYS];
      return {
        builds,
        jobs: await Promise.all(builds.map(({ id }) => store.jobs.ofBuild(id))),
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

const RUN_OF_EVE = { event: 'pull_request', headSha: HEAD, headRepo: 'eve/shop', headBranch: 'prices', actor: 'eve' };

function setUpGithub(github: GithubStandIn): void {
  for (const name of [REPO, 'acme/other', 'acme/vault']) github.addRepo(name);
  for (const name of ['eve/shop', 'mallory/shop']) github.addRepo(name, { parent: REPO });
  github.addCommit(REPO, { sha: MAIN, branch: 'main' });
  const change = { baseRef: 'main', baseSha: MAIN };
  const ofEve = { headRepo: 'eve/shop', headRef: 'prices', headSha: HEAD, mergeCommitSha: MERGE };
  github.addPullRequest(REPO, { ...change, ...ofEve, number: 7, login: 'eve' });
  const ofMallory = { headRepo: 'mallory/shop', headRef: 'prices', headSha: MALLORYS };
  github.addPullRequest(REPO, { ...change, ...ofMallory, number: 8, login: 'mallory' });
}

function uploadOf(run: string): Fields {
  return {
    ...job({ repo_token: '' }),
    repo_token: undefined,
    service_name: 'github',
    service_number: run,
    service_job_id: `${run}-test`,
    service_event_type: 'pull_request',
    service_pull_request: '7',
    commit_sha: HEAD,
    git: undefined,
    repo_name: REPO,
  };
}
