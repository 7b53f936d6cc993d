import type { Build } from '../../domain/build/build.ts';
import {
  type Adoption,
  findAdoption,
  isOwnBuild,
  type KnownTrees,
  type LandedCommit,
  mayLand,
  NO_TREES,
  testedCommitOf,
} from '../../domain/build/landing.ts';
import { Failure, quoteValue } from '../../domain/failure.ts';
import type { Repo } from '../../domain/repo/repo.ts';
import type { BuildStore } from '../../ports/build-store.ts';
import type { Clock } from '../../ports/clock.ts';
import type { AskProvider } from '../ask-provider.ts';
import { createPatience, type Patience } from '../patience.ts';

const NEWEST = 50;
/** Commits whose trees are asked for: the last that were tested. */
const MOST_ASKED = 3;
/** GitHub waits 10 s for an answer. */
const ANSWER_LIMIT = 6_000;

export interface LandDeps {
  readonly builds: Pick<BuildStore, 'ofPullRequest' | 'ofCommit' | 'revise'>;
  readonly askProvider: AskProvider;
  readonly clock: Clock;
  readonly onDue: () => void;
}

/** What landed, in short sentences. Throws a Failure `unavailable` when the provider gives no answer. */
export interface LandBuilds {
  /** A pull request was merged: the build that measured what landed counts for the base branch from now on. */
  ofPullRequest(repo: Repo, pullRequest: number, landed: LandedCommit): Promise<readonly string[]>;
  /** A branch was moved to a commit: that of a merge queue has landed. */
  ofQueue(repo: Repo, landed: LandedCommit): Promise<readonly string[]>;
}

export function createLandBuilds(deps: LandDeps): LandBuilds {
  const { builds } = deps;
  return {
    async ofPullRequest(repo, pullRequest, landed) {
      const candidates = await builds.ofPullRequest(repo.id, pullRequest, NEWEST);
      if (candidates.length === 0) return [];
      const hasOwnBuild = (await builds.ofCommit(repo.id, landed.commit)).some((build) => isOwnBuild(build, landed));
      const adopted = await adopt(deps, { repo, candidates, hasOwnBuild, landed });
      return adopted === undefined ? [] : land(deps, adopted, landed);
    },
    async ofQueue(repo, landed) {
      const found = await builds.ofCommit(repo.id, landed.commit);
      const queued = found.filter((build) => isQueuedFor(build, landed));
      const effects = [];
      for (const build of queued) effects.push(...(await land(deps, { build, how: 'merge-queue' }, landed)));
      return effects;
    },
  };
}

/** The queue's own branch is pushed to before anything lands. */
function isQueuedFor(build: Build, { branch, commit }: LandedCommit): boolean {
  const isItsBase = (build.baseBranch ?? branch) === branch && build.branch !== branch;
  return mayLand(build) && build.mergeQueue && build.commit === commit && build.landed === undefined && isItsBase;
}

interface Search {
  readonly repo: Repo;
  readonly candidates: readonly Build[];
  readonly hasOwnBuild: boolean;
  readonly landed: LandedCommit;
}

/** The provider is asked only where commits alone do not tell. */
async function adopt(deps: LandDeps, search: Search): Promise<Adoption | undefined> {
  const { candidates, hasOwnBuild, landed } = search;
  const adoption = findAdoption(candidates, landed, { hasOwnBuild, trees: NO_TREES });
  const isDecided = candidates.some((build) => build.landed?.commit === landed.commit) || !candidates.some(mayLand);
  if (adoption !== undefined || hasOwnBuild || isDecided) return adoption;
  return findAdoption(candidates, landed, { hasOwnBuild, trees: await askTrees(deps, search) });
}

async function askTrees(deps: LandDeps, { repo, candidates, landed }: Search): Promise<KnownTrees> {
  const patience = createPatience(ANSWER_LIMIT);
  const unknown = candidates.filter((build) => mayLand(build) && build.facts?.tree === undefined).map(testedCommitOf);
  const commits = [...new Set(unknown)].filter((commit) => commit !== undefined).slice(0, MOST_ASKED);
  const landedTree = await askTree(deps, { repo, commit: landed.commit, patience });
  if (landedTree === undefined) return NO_TREES;
  const trees = await Promise.all(
    commits.map(async (commit) => [commit, await askTree(deps, { repo, commit, patience })] as const),
  );
  const tested = trees.flatMap(([commit, tree]) => (tree === undefined ? [] : [[commit, tree] as const]));
  return { landed: landedTree, tested: new Map(tested) };
}

/** Undefined: there is no such commit any more, or nobody to ask. */
async function askTree(
  { askProvider }: LandDeps,
  asked: { readonly repo: Repo; readonly commit: string; readonly patience: Patience },
): Promise<string | undefined> {
  const { repo, commit, patience } = asked;
  const call = { repo: repo.name, commit };
  const answer = await askProvider({ repo, patience, key: `commit/${commit}`, ask: (provider) => provider.describeCommit(call) });
  if (answer.kind === 'answer') return answer.value?.tree;
  const sentence = `GitHub gave no answer about commit ${commit}, so no build could be adopted by its branch. Send this delivery again.`;
  throw new Failure('unavailable', sentence);
}

async function land(
  { builds, clock, onDue }: LandDeps,
  { build, how }: Adoption,
  landed: LandedCommit,
): Promise<readonly string[]> {
  const { branch, commit } = landed;
  const landing = { branch, commit, how, at: clock.now() };
  await builds.revise({ buildId: build.id, revision: { kind: 'landed', landing } });
  onDue();
  return [`build ${build.number} counts for ${quoteValue(branch)} now (${how})`];
}
