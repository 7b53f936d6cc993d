import type { Build } from '../core/builds/build.ts';
import { findTask, type LandingTask } from '../core/builds/due-tasks.ts';
import {
  type Adoption,
  findAdoption,
  isOwnBuild,
  type KnownTrees,
  type LandedCommit,
  mayLand,
  NO_TREES,
  planLanding,
} from '../core/builds/landing.ts';
import { testedCommitOf } from '../core/builds/merge-commit.ts';
import { quoteValue } from '../core/failure.ts';
import type { Repo } from '../core/repo/repo.ts';
import type { Answer } from '../hosts/facts/ask-provider.ts';
import { createDeadline, type Deadline } from '../hosts/facts/deadline.ts';
import type { CommitFacts } from '../ports/provider.ts';
import type { Services } from '../services/services.ts';

const NEWEST = 50;
/** Commits whose trees are asked for: the last that were tested. */
const MAX_LOOKUPS = 3;
/** In ms: a webhook's sender waits 10 s for an answer. */
const ANSWER_LIMIT = 6_000;

type Landing = Pick<Services, 'hosts' | 'builds' | 'askProvider' | 'clock' | 'timers' | 'onDue'>;

/**
 * A pull request was merged: the build that measured what landed counts for the base branch from now on. While the
 * provider gives no answer, its newest build keeps the question (its landing task). Answers what landed, in short
 * sentences.
 */
export async function landPullRequest(
  services: Landing,
  repo: Repo,
  { pullRequest, landed }: { readonly pullRequest: number; readonly landed: LandedCommit },
): Promise<readonly string[]> {
  const { builds } = services;
  const candidates = await builds.ofPullRequest(repo.id, pullRequest, NEWEST);
  if (candidates.length === 0) return [];
  const hasOwnBuild = (await builds.ofCommit(repo.id, landed.commit)).some((build) => isOwnBuild(build, landed));
  const adopted = await adopt(services, { repo, candidates, hasOwnBuild, landed });
  if (adopted === 'unavailable') return askLater(services, { repo, candidates, landed });
  const effects = adopted === undefined ? [] : await land(services, adopted, landed);
  // Last, so that a repeat after a crash finds that it has landed.
  await settle(services, candidates, landed);
  return effects;
}

/** A branch was moved to a commit: that of a merge queue has landed. */
export async function landQueue(services: Landing, repo: Repo, landed: LandedCommit): Promise<readonly string[]> {
  const found = await services.builds.ofCommit(repo.id, landed.commit);
  const queued = found.filter((build) => isQueuedFor(build, landed));
  const effects = [];
  for (const build of queued) effects.push(...(await land(services, { build, how: 'merge-queue' }, landed)));
  return effects;
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

/** The provider is asked only where the commits alone do not decide. */
async function adopt(services: Landing, search: Search): Promise<Adoption | 'unavailable' | undefined> {
  const { candidates, hasOwnBuild, landed } = search;
  const adoption = findAdoption(candidates, landed, { hasOwnBuild, trees: NO_TREES });
  const isDecided = candidates.some((build) => build.landed?.commit === landed.commit) || !candidates.some(mayLand);
  if (adoption !== undefined || hasOwnBuild || isDecided) return adoption;
  const trees = await askTrees(services, search);
  return trees === 'unavailable' ? trees : findAdoption(candidates, landed, { hasOwnBuild, trees });
}

async function askTrees(services: Landing, { repo, candidates, landed }: Search): Promise<KnownTrees | 'unavailable'> {
  const deadline = createDeadline(services.timers, ANSWER_LIMIT);
  const unknown = candidates.filter((build) => mayLand(build) && build.facts?.tree === undefined).map(testedCommitOf);
  const commits = [...new Set(unknown)].filter((commit) => commit !== undefined).slice(0, MAX_LOOKUPS);
  const describe = (commit: string): Promise<Answer<CommitFacts>> =>
    services.askProvider({
      repo,
      deadline,
      key: `commit/${commit}`,
      ask: (provider) => provider.describeCommit({ repo: repo.name, commit }),
    });
  const ofLanded = await describe(landed.commit);
  if (ofLanded.kind === 'unavailable') return 'unavailable';
  if (ofLanded.value === undefined) return NO_TREES;
  const { tree } = ofLanded.value;
  if (tree === undefined) return askSameTrees(services, { repo, deadline, landed: landed.commit, commits });
  const tested = new Map<string, string>();
  for (const [index, answer] of (await Promise.all(commits.map(describe))).entries()) {
    if (answer.kind === 'unavailable') return 'unavailable';
    if (answer.value?.tree !== undefined) tested.set(commits[index] as string, answer.value.tree);
  }
  return { landed: tree, tested };
}

/** For a host that names no trees: the landed commit stands for its own. */
async function askSameTrees(
  { askProvider }: Landing,
  asked: {
    readonly repo: Repo;
    readonly deadline: Deadline;
    readonly landed: string;
    readonly commits: readonly string[];
  },
): Promise<KnownTrees | 'unavailable'> {
  const { repo, deadline, landed, commits } = asked;
  const tested = new Map<string, string>();
  for (const commit of commits) {
    const answer = await askProvider({
      repo,
      deadline,
      key: `same-tree/${commit}/${landed}`,
      ask: async (provider) => provider.haveSameTree?.({ repo: repo.name, one: commit, other: landed }),
    });
    if (answer.kind === 'unavailable') return 'unavailable';
    if (answer.value === true) tested.set(commit, landed);
  }
  return { landed, tested };
}

/** The newest build that may land keeps the question; one that it keeps already is not reported again. */
async function askLater(
  { builds, hosts, clock, onDue }: Landing,
  { repo, candidates, landed }: Omit<Search, 'hasOwnBuild'>,
): Promise<readonly string[]> {
  const holder = candidates.find(({ due }) => isAbout(findTask(due, 'landing'), landed)) ?? candidates.find(mayLand);
  if (holder === undefined) return [];
  const task = findTask(holder.due, 'landing');
  const due = planLanding(task, landed, clock.now());
  await builds.revise({ buildId: holder.id, revision: { kind: 'landing-due', due } });
  onDue();
  if (isAbout(task, landed)) return [];
  return [landingUnknown(quoteValue(landed.branch), hosts.of(repo)?.name)];
}

/** Once answered, the question is forgotten. */
async function settle({ builds }: Landing, candidates: readonly Build[], landed: LandedCommit): Promise<void> {
  for (const { id, due } of candidates) {
    if (isAbout(findTask(due, 'landing'), landed))
      await builds.revise({ buildId: id, revision: { kind: 'landing-due', due: undefined } });
  }
}

function isAbout(due: LandingTask | undefined, { branch, commit }: LandedCommit): boolean {
  return due?.commit === commit && due.branch === branch;
}

async function land(
  { builds, clock, onDue }: Landing,
  { build, how }: Adoption,
  landed: LandedCommit,
): Promise<readonly string[]> {
  const { branch, commit } = landed;
  const landing = { branch, commit, how, at: clock.now() };
  await builds.revise({ buildId: build.id, revision: { kind: 'landed', landing } });
  onDue();
  return [`build ${build.number} counts for ${quoteValue(branch)} now (${how})`];
}

/** `host`: undefined if nothing is asked. */
function landingUnknown(branch: string, host = 'the provider'): string {
  return `what landed on ${branch} is asked again: ${host} gave no answer`;
}
