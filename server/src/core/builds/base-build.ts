import { totalPercent } from '../coverage/percent.ts';
import type { BasePick, BaseRule, Build } from './build.ts';
import type { BuildFacts } from './build-facts.ts';
import { isRefused } from './conclude-refused.ts';
import { readGitRef } from './git-ref.ts';
import { testedCommitOf } from './merge-commit.ts';
import { namesNoBase } from './run-origin.ts';

/** One place to look for the base build (rule 18), tried in order. */
export interface BaseStep {
  readonly rule: BaseRule;
  readonly look:
    | { readonly commit: string }
    | { readonly ancestorsOf: string }
    | { readonly branch: string }
    | { readonly tag: string };
  /** Steps along first parents that were walked to that commit; undefined if none were counted. */
  readonly commitsAway: number | undefined;
}

/** What else is known of the build's repo and pull request. */
export interface BaseFacts {
  /** Names of the default branch in order of preference: the setting, else the provider's, else `main`, `master`. */
  readonly defaultBranches: readonly string[];
  /** Whether the pull request was tested at its merge commit, by the upload's own word or by rule 21. */
  readonly testedAtMerge: boolean;
  /** What the provider says; undefined if it has not answered, or does not know the repo. */
  readonly provider?: Pick<BuildFacts, 'mergeParent' | 'mergeBase' | 'pull'> | undefined;
}

/** Rule 18's order. */
export const BASE_RULES = [
  'compare-sha',
  'compare-ref',
  'merge-parent',
  'merge-base',
  'ancestor',
  'base-branch',
  'previous-on-branch',
  'default-branch',
] as const satisfies readonly BaseRule[];

/**
 * Whether a base found so replaces a kept one: by a rule earlier in the order, or fewer steps away (rules 12
 * and 20).
 */
export function isBetterPick(
  pick: Pick<BasePick, 'rule' | 'commitsAway'>,
  than: Pick<BasePick, 'rule' | 'commitsAway'>,
): boolean {
  const [ours, theirs] = [BASE_RULES.indexOf(pick.rule), BASE_RULES.indexOf(than.rule)];
  return ours < theirs || (ours === theirs && (pick.commitsAway ?? 0) < (than.commitsAway ?? 0));
}

/** Whether a step can give a better base than a kept one. */
export function mayImprove(step: Pick<BaseStep, 'rule'>, kept: Pick<BasePick, 'rule' | 'commitsAway'>): boolean {
  return isBetterPick({ rule: step.rule, commitsAway: step.rule === 'ancestor' ? 1 : 0 }, kept);
}

export const USUAL_DEFAULT_BRANCHES: readonly string[] = ['main', 'master'];

/**
 * Where to look, best first, for a build's base, as far as the uploads say. An unverified run names no base itself
 * (rule 29).
 */
export function baseSteps(build: Build, facts: BaseFacts): readonly BaseStep[] {
  const stated = namesNoBase(build) ? NOTHING_STATED : build;
  const asked: BaseStep[] = [];
  if (stated.compareCommit !== undefined) asked.push(commitStep('compare-sha', stated.compareCommit, undefined));
  if (stated.compareRef !== undefined) asked.push(...compareRefSteps(stated.compareRef));
  return [
    ...asked,
    ...(build.pullRequest === undefined ? pushSteps(build, facts) : pullRequestSteps(stated, build.mergeQueue, facts)),
  ];
}

/**
 * Whether a build may be this one's base: closed once and not refused, with a percentage (rule 4), verified (rule
 * 29), and rule 18's last words.
 */
export function mayBeBase(candidate: Build, build: Build): boolean {
  if (candidate.id === build.id || candidate.trust === 'run' || candidate.result === undefined) return false;
  if (candidate.excludedAsBase !== undefined || isRefused(candidate)) return false;
  if (totalPercent(candidate.result.totals) === undefined) return false;
  if (build.pullRequest !== undefined) return true;
  const ownCommit =
    build.commit !== undefined && (candidate.commit === build.commit || candidate.testedCommit === build.commit);
  return !ownCommit && candidate.sequence < build.sequence;
}

/**
 * The best base among builds of one commit: complete before incomplete, the same service_name, most flags in common,
 * newest. `flags` are the build's own.
 */
export function bestBase(candidates: readonly Build[], build: Build, flags: readonly string[]): Build | undefined {
  const ranked = candidates
    .filter((candidate) => mayBeBase(candidate, build))
    .map((candidate) => ({ candidate, rank: baseRank(candidate, build, flags) }));
  ranked.sort((a, b) => compareRanks(b.rank, a.rank));
  return ranked[0]?.candidate;
}

/** The flags that a closed build has a report of, uploaded or carried. */
export function reportedFlags(build: Build): readonly string[] {
  return (build.result?.flags ?? []).filter((flag) => flag.kind !== 'missing').map((flag) => flag.name);
}

/**
 * The branch that a build counts for: where it landed; else a pull request's, a tag's and a merge queue's count for
 * none (rules.md "Branches").
 */
export function branchOf(
  build: Pick<Build, 'branch' | 'pullRequest' | 'tag' | 'mergeQueue' | 'landed'>,
): string | undefined {
  if (build.landed !== undefined) return build.landed.branch;
  return build.pullRequest === undefined && !build.tag && !build.mergeQueue ? build.branch : undefined;
}

/** The tag that a build counts for. */
export function tagOf(
  build: Pick<Build, 'branch' | 'pullRequest' | 'tag' | 'mergeQueue' | 'landed'>,
): string | undefined {
  const { tag, pullRequest, mergeQueue, landed } = build;
  return tag && pullRequest === undefined && !mergeQueue && landed === undefined ? build.branch : undefined;
}

/** A branch goes before a tag of the same name. */
export function compareRefSteps(compareRef: string): readonly BaseStep[] {
  const ref = readGitRef(compareRef, undefined, []);
  const name = ref.branch ?? compareRef;
  const tagStep: BaseStep = { rule: 'compare-ref', look: { tag: name }, commitsAway: undefined };
  return ref.tag ? [tagStep] : [branchStep('compare-ref', name), tagStep];
}

/**
 * Rule 12: base and carried picks stay, unless they were provisional and the provider is back, or the base branch is
 * another.
 */
export function keepsPicks({ result, baseForgotten, facts }: Build): boolean {
  // While the provider is away they stay: else each push to the base branch would give others.
  const wasProvisional = result?.provisionalSince !== undefined && facts?.complete !== false;
  return baseForgotten !== true && !wasProvisional;
}

/** What a build keeps of its base (rule 19). */
export function toBasePick(base: Build, step: Pick<BasePick, 'rule' | 'commitsAway' | 'foundAs' | 'tag'>): BasePick {
  return {
    buildId: base.id,
    number: base.number,
    commit: base.commit,
    branch: branchOf(base),
    tag: step.tag,
    rule: step.rule,
    commitsAway: step.commitsAway,
    foundAs: step.foundAs,
    closeCount: base.result?.closeCount ?? 0,
  };
}

/**
 * The commit to compare with for what changed since a base: an ancestor whose text its report is about. Undefined
 * where the base was found by another commit than it was tested at (a pull request's head, tested merged), or by none.
 */
export function baseTextCommit(
  base: Pick<Build, 'commit' | 'testedCommit' | 'landed'>,
  { rule, foundAs = base.commit }: BasePick,
): string | undefined {
  const isAncestor = rule === 'merge-parent' || rule === 'merge-base' || rule === 'ancestor';
  return isAncestor && foundAs !== undefined && hasTextOf(base, foundAs) ? foundAs : undefined;
}

/** Whether a build's report is about a commit's text: the one it was tested at, or the one that it landed as. */
export function hasTextOf(base: Pick<Build, 'commit' | 'testedCommit' | 'landed'>, commit: string): boolean {
  return [testedCommitOf(base), base.landed?.commit].includes(commit);
}

const NOTHING_STATED = {
  compareCommit: undefined,
  compareRef: undefined,
  baseCommit: undefined,
  baseBranch: undefined,
} satisfies Partial<Build>;

type StatedBase = Pick<Build, 'compareCommit' | 'compareRef' | 'baseCommit' | 'baseBranch'>;

function pullRequestSteps(stated: StatedBase, mergeQueue: boolean, facts: BaseFacts): readonly BaseStep[] {
  const { provider, testedAtMerge } = facts;
  const statedParent = testedAtMerge || mergeQueue ? stated.baseCommit : undefined;
  const mergeParent = provider?.mergeParent ?? statedParent;
  const mergeBase = mergeParent === undefined ? provider?.mergeBase : undefined;
  // The provider knows a pull request that was given another base since.
  const baseBranch = provider?.pull?.baseBranch ?? stated.baseBranch;
  return [
    ...(mergeParent === undefined ? [] : [commitStep('merge-parent', mergeParent, 0), ancestorsStep(mergeParent)]),
    ...(mergeBase === undefined ? [] : [commitStep('merge-base', mergeBase, 0), ancestorsStep(mergeBase)]),
    ...(baseBranch === undefined ? defaultSteps(facts) : [branchStep('base-branch', baseBranch)]),
  ];
}

function pushSteps(build: Build, facts: BaseFacts): readonly BaseStep[] {
  const ancestors = build.commit === undefined ? [] : [ancestorsStep(build.commit)];
  const own = build.branch !== undefined && !build.tag ? [branchStep('previous-on-branch', build.branch)] : [];
  return [...ancestors, ...own, ...defaultSteps(facts)];
}

function defaultSteps(facts: BaseFacts): readonly BaseStep[] {
  return facts.defaultBranches.map((branch) => branchStep('default-branch', branch));
}

function commitStep(rule: BaseRule, commit: string, commitsAway: number | undefined): BaseStep {
  return { rule, look: { commit }, commitsAway };
}

function ancestorsStep(ancestorsOf: string): BaseStep {
  return { rule: 'ancestor', look: { ancestorsOf }, commitsAway: undefined };
}

function branchStep(rule: BaseRule, branch: string): BaseStep {
  return { rule, look: { branch }, commitsAway: undefined };
}

function baseRank(candidate: Build, build: Build, flags: readonly string[]): readonly number[] {
  const theirs = new Set(reportedFlags(candidate));
  return [
    candidate.result?.verdict.state === 'incomplete' ? 0 : 1,
    candidate.serviceName === build.serviceName ? 1 : 0,
    flags.filter((flag) => theirs.has(flag)).length,
    candidate.sequence,
  ];
}

function compareRanks(a: readonly number[], b: readonly number[]): number {
  const index = a.findIndex((value, place) => value !== b[place]);
  return index < 0 ? 0 : (a[index] as number) - (b[index] as number);
}
