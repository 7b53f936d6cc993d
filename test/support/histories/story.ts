import type { BuildJson } from '@coverage/shared';
import { job, sourceFile } from '../coverage-api.ts';
import type { GithubStandIn } from '../github-stand-in/github-stand-in.ts';
import type { Service } from '../service.ts';
import { closeBuild } from './close-build.ts';
import type { CommitGraph } from './commit-graph.ts';
import type { Place, Pull } from './places.ts';

/** Lines by flag: each flag has a file of its own name. */
export type Flags = Readonly<Record<string, readonly (number | null)[]>>;

/** A job of one flag. */
export interface Leg {
  /** The build's service_number. */
  readonly number: string;
  readonly at: Place;
  readonly flag: string;
  readonly lines: readonly (number | null)[];
}

/** One repo at the git host and here, with the history of a commit graph. Builds are named by their service_number. */
export interface Story {
  readonly repo: string;
  /** Brings the host up to date, as a push does. */
  push(): void;
  /**
   * Opens a pull request, or brings it up to date: where its head or its base moved, there is another temporary merge
   * commit.
   */
  pull(pull: { readonly number: number; readonly branch: string; readonly baseBranch?: string }): Pull;
  /** Uploads a parallel job. */
  upload(leg: Leg): Promise<void>;
  close(number: string, carryforward?: string): Promise<BuildJson>;
  /** Uploads a job for each flag (one flag, unit, with one of two lines covered) and closes the build. */
  built(number: string, at: Place, flags?: Flags): Promise<BuildJson>;
  /** A build as it is now. */
  build(number: string): Promise<BuildJson>;
  /** A build's base as `<number> <rule> <commits away>`; `none` without one. */
  baseOf(number: string): Promise<string>;
  /** Waits until no close is due and everything wanted has arrived at the host. */
  settled(): Promise<void>;
  /** The last state of each context of a commit, as `state: description`. */
  told(commit: string): Readonly<Record<string, string>>;
}

export interface StoryDeps {
  readonly service: Service;
  readonly github: GithubStandIn;
  /** Shared by all stories on it: none may change it while others read. */
  readonly git: CommitGraph;
  /** Temporary merge commits of this graph, by head and base: its stories share them. */
  readonly merges: Map<string, string>;
}

export const UNIT: Flags = { unit: [1, 0] };

/** Begins a story: the repo is made at the git host and here. */
export async function beginStory(
  deps: StoryDeps,
  { repo, defaultBranch = 'main' }: { readonly repo: string; readonly defaultBranch?: string },
): Promise<Story> {
  const { service, github, git } = deps;
  github.addRepo(repo, { defaultBranch });
  const push = (): void => git.pushTo(github, repo);
  push();
  const { token } = await service.newRepo({ service: 'github', name: repo });
  const ids = new Map<string, string>();
  const idOf = (number: string): string => ids.get(number) ?? `(no build ${number})`;
  const build = (number: string): Promise<BuildJson> => service.build(idOf(number));
  const close = (number: string, carryforward?: string): Promise<BuildJson> =>
    closeBuild(service, { token, build: idOf(number), number, carryforward });
  const upload = async ({ number, at, flag, lines }: Leg): Promise<void> => {
    const source_files = [sourceFile(`src/${flag}.ts`, [...lines])];
    const place = { service_number: number, parallel: true, flag_name: flag, ...at };
    ids.set(number, (await service.upload(job({ repo_token: token, ...place, source_files }))).build);
  };
  return {
    repo,
    push,
    pull: (wanted) => openPull({ ...deps, push }, repo, wanted),
    upload,
    close,
    async built(number, at, flags = UNIT) {
      for (const [flag, lines] of Object.entries(flags)) await upload({ number, at, flag, lines });
      return close(number);
    },
    build,
    baseOf: async (number) => describeBase(await build(number), ids),
    settled: service.settled,
    told(commit) {
      const last = [...github.lastStatuses(repo, commit).values()];
      return Object.fromEntries(last.map(({ context, state, description }) => [context, `${state}: ${description}`]));
    },
  };
}

/** Opens a pull request, or brings it up to date. `merges`: temporary merge commits that there are. */
export function openPull(
  {
    github,
    git,
    merges = new Map(),
    push,
  }: Pick<StoryDeps, 'github' | 'git'> & {
    readonly merges?: Map<string, string>;
    readonly push: () => void;
  },
  repo: string,
  {
    number,
    branch,
    baseBranch = 'main',
  }: { readonly number: number; readonly branch: string; readonly baseBranch?: string },
): Pull {
  const [head, base] = [git.sha(branch), git.sha(baseBranch)];
  const key = `${head} ${base}`;
  const merge = merges.get(key) ?? git.mergeApart({ head, base });
  if (!merges.has(key)) push();
  merges.set(key, merge);
  const place = { headSha: head, headRef: branch, baseRef: baseBranch, baseSha: base };
  github.addPullRequest(repo, { number, ...place, mergeCommitSha: merge });
  return { number, branch, head, baseBranch, base, merge };
}

function describeBase({ base }: BuildJson, ids: ReadonlyMap<string, string>): string {
  if (base === null) return 'none';
  const number = [...ids].find(([, id]) => id === base.build)?.[0];
  return `${number} ${base.rule}${base.commits_away === null ? '' : ` ${base.commits_away}`}`;
}
