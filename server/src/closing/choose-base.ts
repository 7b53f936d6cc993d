import { defaultBranches } from '../core/builds/base-branches.ts';
import {
  type BaseStep,
  baseSteps,
  bestBase,
  branchOf,
  isBetterPick,
  keepsPicks,
  mayBeBase,
  mayImprove,
  tagOf,
  toBasePick,
} from '../core/builds/base-build.ts';
import type { BasePick, Build, UnmetComparison } from '../core/builds/build.ts';
import { testedAtMerge } from '../core/builds/merge-commit.ts';
import { shortCommitKey } from '../core/builds/short-commit.ts';
import type { Repo } from '../core/repo/repo.ts';
import type { Deadline } from '../hosts/facts/deadline.ts';
import { listAncestors } from '../hosts/facts/list-ancestors.ts';
import type { Services } from '../services/services.ts';
import type { BuildStore } from '../storage/build-store.ts';
import { completeCommit, findUnmet } from './complete-commit.ts';

const CANDIDATES = 20;

export interface ChosenBase {
  readonly build: Build;
  readonly pick: BasePick;
}

/** The outcome of the search for a base. */
export interface BaseChoice {
  readonly base: ChosenBase | undefined;
  /** What a better rule looked for and did not find, best first: it is evaluated again when that arrives (rule 20). */
  readonly missingBases: readonly string[];
  /** The provider did not list all ancestors: there may be a better base. */
  readonly unavailable: boolean;
  /** Why the provider denied us access; undefined: it did not. */
  readonly refusal?: string | undefined;
  /** What was the base before it was taken out of the bases. */
  readonly excluded?: BasePick | undefined;
  /** What its uploads asked to be compared with, and it is not. */
  readonly unmet?: readonly UnmetComparison[] | undefined;
}

interface Wanted {
  readonly build: Build;
  readonly repo: Repo;
  readonly flags: readonly string[];
  readonly deadline: Deadline;
}

/** By which bases are found. */
export type Past = Pick<Services, 'builds' | 'facts' | 'askProvider' | 'clock'>;

/**
 * Rule 18: the base build, by the first step that gives one. A build that had a base keeps it, unless a better one is
 * there now (rules 12 and 20); what it reads of the base is always the base's newest close.
 */
export async function chooseBase(services: Past, wanted: Wanted): Promise<BaseChoice> {
  const { builds } = services;
  const { build, repo } = wanted;
  const facts = { defaultBranches: defaultBranches(repo), testedAtMerge: testedAtMerge(build), provider: build.facts };
  const { kept, excluded } = await keepBase(builds, wanted);
  const found = await improve({ ...wanted, services }, baseSteps(build, facts), kept);
  const choice = { ...found, unmet: await findUnmet(builds, build, found.base?.pick.rule) };
  return excluded === undefined
    ? choice
    : { ...choice, excluded, missingBases: [...choice.missingBases, `build:${excluded.buildId}`] };
}

/** The kept base, unless a step gives a better one. */
async function improve(search: Search, steps: readonly BaseStep[], kept: ChosenBase | undefined): Promise<BaseChoice> {
  if (kept === undefined) return firstOf(search, steps);
  const better = isComplete(kept) ? steps.filter((step) => mayImprove(step, kept.pick)) : steps;
  const improving = await firstOf(search, better);
  return takesOver(improving.base, kept)
    ? improving
    : { ...improving, base: kept, missingBases: [...improving.missingBases, ...missingBasesOf(kept)] };
}

/** A complete base before an incomplete one (rule 13), then one by a better rule. */
function takesOver(found: ChosenBase | undefined, kept: ChosenBase): boolean {
  if (found === undefined || isComplete(found) !== isComplete(kept)) return found !== undefined && isComplete(found);
  return isBetterPick(found.pick, kept.pick);
}

/** Another build of the base's commit may have more flags in common, or be complete (rule 18). */
function missingBasesOf({ build }: ChosenBase): readonly string[] {
  return build.commit === undefined ? [] : [`commit:${build.commit}`];
}

interface Search extends Wanted {
  readonly services: Past;
}

/** The base of the first step that gives a complete one; an incomplete one is taken only if none does (rule 13). */
async function firstOf(search: Search, steps: readonly BaseStep[]): Promise<BaseChoice> {
  const missingBases: string[] = [];
  let incomplete: ChosenBase | undefined;
  let unavailable = false;
  let refusal: string | undefined;
  for (const step of steps) {
    const looked = await lookAt(search, step);
    unavailable ||= looked.unavailable;
    refusal = looked.refusal ?? refusal;
    const { found, pick = step } = looked;
    const chosen = found && { build: found, pick: toBasePick(found, pick) };
    missingBases.push(...looked.missingBases);
    if (chosen !== undefined) missingBases.push(...missingBasesOf(chosen));
    if (chosen !== undefined && isComplete(chosen)) return { base: chosen, missingBases, unavailable, refusal };
    incomplete ??= chosen;
  }
  return { base: incomplete, missingBases, unavailable, refusal };
}

interface Looked {
  readonly found: Build | undefined;
  readonly pick?: Pick<BasePick, 'rule' | 'commitsAway' | 'foundAs' | 'tag'>;
  /** What would have been taken, had it been there. */
  readonly missingBases: readonly string[];
  readonly unavailable: boolean;
  readonly refusal?: string | undefined;
}

function lookAt(search: Search, step: BaseStep): Promise<Looked> {
  const { look } = step;
  if ('commit' in look) return lookAtCommit(search, step, look.commit);
  return 'ancestorsOf' in look ? lookAtAncestors(search, look.ancestorsOf) : lookAtRef(search, step, look);
}

async function lookAtCommit({ services, build, flags }: Search, step: BaseStep, named: string): Promise<Looked> {
  const [commit, ...others] = await completeCommit(services.builds, build.repoId, named);
  const isOne = commit !== undefined && others.length === 0;
  const found = isOne ? bestBase(await services.builds.ofCommit(build.repoId, commit), build, flags) : undefined;
  const missing = isOne ? `commit:${commit}` : shortCommitKey(named);
  const pick = { ...step, foundAs: commit };
  return { found, pick, missingBases: found === undefined ? [missing] : [], unavailable: false };
}

/** Walks until a complete build is found, there are no more ancestors, or the deadline ends. */
async function lookAtAncestors(search: Search, commit: string): Promise<Looked> {
  const { services, repo, deadline } = search;
  let looked: Looked = { found: undefined, missingBases: [], unavailable: false };
  for (let beyond = 0; ; ) {
    const ancestors = await listAncestors(services, { repo, commit, beyond, deadline });
    if (ancestors.kind === 'unavailable') return { ...looked, unavailable: true, refusal: ancestors.refusal };
    const { commits, more } = ancestors.value;
    looked = await lookAmong(search, commits);
    const isFound = looked.found !== undefined && looked.found.result?.verdict.state !== 'incomplete';
    if (isFound || !more) return looked;
    beyond = commits.length;
  }
}

/** The nearest with a complete build, else the nearest with any. */
async function lookAmong({ services, build, flags }: Search, ancestors: readonly string[]): Promise<Looked> {
  const candidates = await services.builds.ofCommits(build.repoId, ancestors);
  const bases = ancestors.map((ancestor) => bestBase(candidates.filter(isOf(ancestor)), build, flags));
  const complete = bases.findIndex((base) => base !== undefined && base.result?.verdict.state !== 'incomplete');
  const place = complete >= 0 ? complete : bases.findIndex((base) => base !== undefined);
  const nearer = place < 0 ? ancestors : ancestors.slice(0, place);
  return {
    found: bases[place],
    pick: { rule: 'ancestor', commitsAway: place + 1, foundAs: ancestors[place] },
    missingBases: nearer.map((ancestor) => `commit:${ancestor}`),
    unavailable: false,
  };
}

/** A branch is waited for only if nothing is found on it: every push would change what it gives. */
async function lookAtRef(
  { services, build, flags }: Search,
  step: BaseStep,
  scope: { readonly branch: string } | { readonly tag: string },
): Promise<Looked> {
  const isPush = build.pullRequest === undefined;
  const before = isPush ? build.sequence : undefined;
  const notCommit = isPush ? build.commit : undefined;
  const onRef = await services.builds.bases({ repoId: build.repoId, scope, before, notCommit, limit: CANDIDATES });
  const first = onRef.find((candidate) => mayBeBase(candidate, build));
  const ofSameCommit = onRef.filter(
    (candidate) => candidate === first || (first?.commit !== undefined && candidate.commit === first.commit),
  );
  const found = bestBase(ofSameCommit, build, flags);
  const [missing, tag] = 'tag' in scope ? [`tag:${scope.tag}`, scope.tag] : [`branch:${scope.branch}`];
  return { found, pick: { ...step, tag }, missingBases: found === undefined ? [missing] : [], unavailable: false };
}

/** Builds that a commit leads to. */
export const isOf =
  (commit: string) =>
  (build: Build): boolean =>
    [build.commit, build.testedCommit, build.target, build.landed?.commit].includes(commit);

function isComplete(chosen: ChosenBase): boolean {
  return chosen.build.result?.verdict.state !== 'incomplete';
}

interface KeptBase extends Pick<BaseChoice, 'excluded'> {
  readonly kept: ChosenBase | undefined;
}

/**
 * The base of the close before as it is now; the one before that, where it was taken out of the bases and no longer is.
 */
async function keepBase(builds: BuildStore, { build, flags }: Pick<Wanted, 'build' | 'flags'>): Promise<KeptBase> {
  let excluded: BasePick | undefined;
  for (const pick of keepsPicks(build) ? [build.result?.excludedBase, build.result?.base] : []) {
    const stored = pick && (await builds.find(pick.buildId));
    if (pick === undefined || stored === undefined) continue;
    if (mayBeBase(stored, build)) return { kept: await bestOfCommit(builds, { build, stored, pick, flags }), excluded };
    if (stored.excludedAsBase !== undefined) excluded ??= pick;
  }
  return { kept: undefined, excluded };
}

/** The base, or a better build of the same commit that came since (rule 18). */
async function bestOfCommit(
  builds: BuildStore,
  found: { readonly build: Build; readonly stored: Build; readonly pick: BasePick; readonly flags: readonly string[] },
): Promise<ChosenBase> {
  const { build, stored, pick, flags } = found;
  const { commit } = stored;
  const ofCommit = commit === undefined ? [] : await builds.ofCommit(build.repoId, commit);
  // What was found by its branch stays on it: a pull request's build of the same commit is on none.
  const byBranch = pick.commitsAway === undefined && pick.rule !== 'compare-sha';
  const isOfRef = (one: Build): boolean =>
    pick.tag === undefined ? branchOf(one) === pick.branch : tagOf(one) === pick.tag;
  const siblings = ofCommit.filter((one) => one.commit === commit && (!byBranch || isOfRef(one)));
  const base = bestBase([stored, ...siblings.filter(({ id }) => id !== stored.id)], build, flags) ?? stored;
  return { build: base, pick: toBasePick(base, pick) };
}
