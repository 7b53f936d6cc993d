import { job, type RepoJson, sourceFile } from './coverage-api.ts';
import { createGitRepo, type GitRepo } from './git-repo.ts';
import type { GithubStandIn } from './github-stand-in/github-stand-in.ts';
import { loadGitHistory } from './github-stand-in/load-git-history.ts';
import type { CheckRunRecord } from './github-stand-in/model.ts';
import { mergeAsGithub, onBranch, type Place, type Pull } from './histories/places.ts';
import type { Service } from './service.ts';
import { waitFor } from './wait-for.ts';

/** Hits by file name. */
export type Hits = Readonly<Record<string, readonly (number | null)[]>>;

/** A repo at GitHub and here that wants its uncovered lines marked, with a git history of its own. */
export interface MarkedScene {
  readonly repo: RepoJson & { token: string };
  readonly git: GitRepo;
  /** Opens pull request 7 from `topic`, or brings it up to date. */
  pull(): Pull;
  /** Uploads a parallel job. */
  upload(number: string, at: Place, hits: Hits): Promise<void>;
  /** Uploads a job, closes its build, and waits until everything has arrived; answers the build's id. */
  built(number: string, at: Place, hits: Hits): Promise<string>;
  close(number: string): Promise<void>;
  /** Works a build out again. */
  rerun(number: string): Promise<void>;
  set(settings: object): Promise<{ readonly status: number; readonly text: string }>;
  /** Waits until no build is to be worked out and everything has arrived. */
  settled(): Promise<void>;
  checkRuns(commit: string): readonly CheckRunRecord[];
}

export interface SceneDeps {
  readonly github: GithubStandIn;
  readonly service: Service;
}

export const text = (...lines: readonly string[]): string => `${lines.join('\n')}\n`;

/** Deadlines of open builds are further away than this, and leases nearer, in ms. */
const SOON = 120_000;
let scenes = 0;

/** Begins with one commit on main and its build, both of these files; their lines are all covered. */
export async function beginMarked({ github, service }: SceneDeps, files: Readonly<Record<string, string>>): Promise<MarkedScene> {
  scenes += 1;
  const name = `octo/marked-${scenes}`;
  const git = createGitRepo();
  github.addRepo(name, { defaultBranch: 'main' });
  git.commit('Begin', files);
  const push = (): void => loadGitHistory(github, { directory: git.directory, repo: name });
  push();
  const repo = await service.newRepo({ service: 'github', name });
  const delivered = () => waitUntilDelivered(service);
  const upload = async (number: string, at: Place, hits: Hits): Promise<string> => {
    const source_files = Object.entries(hits).map(([file, lines]) => sourceFile(file, [...lines]));
    const ofBuild = { service_name: 'github', service_number: number, service_job_id: undefined, parallel: true };
    return (await service.upload({ ...job({ repo_token: repo.token, source_files }), ...ofBuild, ...at })).build;
  };
  const close = async (number: string): Promise<void> => {
    await service.close(repo.token, number);
    await delivered();
  };
  const scene: MarkedScene = {
    repo,
    git,
    pull: () => openPull({ github, git, push }, name),
    upload: async (number, at, hits) => void (await upload(number, at, hits)),
    async built(number, at, hits) {
      const build = await upload(number, at, hits);
      await close(number);
      return build;
    },
    close,
    async rerun(number) {
      const { status } = await service.api.send(`/rerun_build?repo_token=${repo.token}&build_num=${number}`);
      if (status !== 200) throw new Error(`The rerun was answered ${status}`);
      await delivered();
    },
    set: (settings) => changeSettings(service, name, settings),
    async settled() {
      await waitUntilWorkedOut(service);
      await delivered();
    },
    checkRuns: (commit) => github.checkRuns(name, commit),
  };
  const hits = Object.entries(files).map(([file, content]) => [
    file,
    content
      .split('\n')
      .slice(1)
      .map(() => 1),
  ]);
  await scene.built('1', onBranch(git.sha('main')), Object.fromEntries(hits));
  return scene;
}

function openPull(
  { github, git, push }: { readonly github: GithubStandIn; readonly git: GitRepo; readonly push: () => void },
  repo: string,
): Pull {
  const ends = { head: git.sha('topic'), base: git.sha('main') };
  const merge = mergeAsGithub(git, ends);
  push();
  const { head, base } = ends;
  const place = { headSha: head, headRef: 'topic', baseRef: 'main', baseSha: base };
  github.addPullRequest(repo, { number: 7, ...place, mergeCommitSha: merge });
  return { number: 7, branch: 'topic', head, baseBranch: 'main', base, merge };
}

async function changeSettings(service: Service, repo: string, settings: object) {
  const headers = { 'content-type': 'application/json', authorization: `token ${service.adminToken}` };
  const path = `/api/v1/repos/github/${repo}/settings`;
  return service.api.send(path, { method: 'PUT', headers, body: JSON.stringify(settings) });
}

async function waitUntilWorkedOut({ store }: Service): Promise<void> {
  const isQuiet = async (): Promise<boolean> =>
    ((await store.builds.nextDueAt()) ?? Number.POSITIVE_INFINITY) > Date.now() + SOON;
  await waitFor(isQuiet, { what: 'every build to be worked out', intervalMs: 5, timeoutMs: 20_000 });
}

async function waitUntilDelivered({ store }: Service): Promise<void> {
  const isDone = async (): Promise<boolean> => (await store.outbox.nextDueAt()) === undefined;
  await waitFor(isDone, { what: 'everything to arrive', intervalMs: 5, timeoutMs: 20_000 });
}
