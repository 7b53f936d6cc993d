import { job, type RepoJson, sourceFile } from './coverage-api.ts';
import { APP, privateKey, publicKey } from './github-app-scene.ts';
import type { GithubStandIn } from './github-stand-in/github-stand-in.ts';
import type { CheckRunRecord } from './github-stand-in/model.ts';
import { type CommitGraph, createCommitGraph } from './histories/commit-graph.ts';
import { onBranch, type Place, type Pull } from './histories/places.ts';
import { type Stage, startStage } from './histories/stage.ts';
import { openPull } from './histories/story.ts';

/** Makes a GitHub App that is installed for these owners; answers what a server is set to that signs in as it. */
function signInAsApp(github: GithubStandIn, owners: readonly string[]): Readonly<Record<string, string>> {
  github.addApp({ id: APP, slug: 'coverage', publicKey });
  for (const owner of owners) github.installApp({ app: APP, owner });
  return { GITHUB_TOKEN: '', GITHUB_APP_ID: String(APP), GITHUB_APP_PRIVATE_KEY: privateKey };
}

/** Hits by file name. */
type Hits = Readonly<Record<string, readonly (number | null)[]>>;

/** A repo at GitHub and here that wants its uncovered lines marked, with a history of its own. */
export interface MarkedScene {
  readonly repo: RepoJson & { token: string };
  readonly git: CommitGraph;
  /** Opens pull request 7 from `topic`, or brings it up to date. */
  pull(): Pull;
  /** Uploads a parallel job. */
  upload(number: string, at: Place, hits: Hits): Promise<void>;
  /** Uploads a job, closes its build, and waits until everything has arrived; answers the build's id. */
  built(number: string, at: Place, hits: Hits): Promise<string>;
  close(number: string): Promise<void>;
  /** Works a build out again. */
  rerun(number: string): Promise<void>;
  set(settings: object): Promise<void>;
  /** Waits until no close is due and everything has arrived. */
  settled(): Promise<void>;
  checkRuns(commit: string): readonly CheckRunRecord[];
  /** The state of the build's own context. */
  stateOf(commit: string): string | undefined;
}

/** GitHub, and a service that signs in there as an App, for one test file. */
export interface MarkedStage extends Pick<Stage, 'github' | 'service' | 'end'> {
  /** A repo whose branch topic makes OLD in `src/a.ts` NEW; annotated unless the test says otherwise. */
  begin(settings?: object): Promise<MarkedScene>;
}

export const OLD = ['m1', 'm2', 'm3', 'm4', 'm5', 'm6'];
/** Lines 3 to 5 and 10 are new. */
export const NEW = ['m1', 'm2', 'n3', 'n4', 'n5', 'm3', 'm4', 'm5', 'm6', 'n10'];
/** Lines 3, 4 and 10 are not covered, nor is line 1, which was not changed. */
export const LINES = [0, 1, 0, 0, 1, 1, 1, 1, 1, 0];
export const HITS: Hits = { 'src/a.ts': LINES };
export const MARKS = ['src/a.ts 3-4', 'src/a.ts 10-10'];

export async function startMarkedStage(): Promise<MarkedStage> {
  const stage = await startStage((github) => signInAsApp(github, ['octo']));
  return {
    ...stage,
    async begin(settings = { annotations: true }) {
      const scene = await beginMarked(stage, { 'src/a.ts': text(...OLD), 'src/b.ts': text('b1') });
      await scene.set(settings);
      scene.git.switchTo('topic');
      scene.git.commit('Add lines', { 'src/a.ts': text(...NEW) });
      return scene;
    },
  };
}

export function marksOf(run: CheckRunRecord | undefined): readonly string[] {
  return (run?.annotations ?? []).map((one) => `${one.path} ${one.start_line}-${one.end_line}`);
}

/** For the check runs of a commit, in the order in which they were made: what each marks. */
export function marksOn(scene: MarkedScene, commit: string): readonly (readonly string[])[] {
  return scene.checkRuns(commit).map(marksOf);
}

export const text = (...lines: readonly string[]): string => `${lines.join('\n')}\n`;

let scenes = 0;

/** Begins with one commit on main and its build, both of these files; their lines are all covered. */
async function beginMarked(
  { github, service }: Pick<Stage, 'github' | 'service'>,
  files: Readonly<Record<string, string>>,
): Promise<MarkedScene> {
  scenes += 1;
  const name = `octo/marked-${scenes}`;
  const git = createCommitGraph();
  github.addRepo(name, { defaultBranch: 'main' });
  git.commit('Begin', files);
  const push = (): void => git.pushTo(github, name);
  push();
  const repo = await service.newRepo({ service: 'github', name });
  const upload = async (number: string, at: Place, hits: Hits): Promise<string> => {
    const source_files = Object.entries(hits).map(([file, lines]) => sourceFile(file, [...lines]));
    const ofBuild = { service_name: 'github', service_number: number, service_job_id: undefined, parallel: true };
    return (await service.upload({ ...job({ repo_token: repo.token, source_files }), ...ofBuild, ...at })).build;
  };
  const close = async (number: string): Promise<void> => {
    await service.close(repo.token, number);
    await service.delivered();
  };
  const scene: MarkedScene = {
    repo,
    git,
    pull: () => openPull({ github, git, push }, name, { number: 7, branch: 'topic' }),
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
      await service.delivered();
    },
    set: (settings) => service.api.changeSettings(name, settings),
    settled: service.settled,
    checkRuns: (commit) => github.checkRuns(name, commit),
    stateOf: (commit) => github.lastStatuses(name, commit).get('coverage')?.state,
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
