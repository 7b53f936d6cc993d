import {
  type BaseStep,
  baseSteps,
  bestBase,
  isHigherRule,
  mayBeBase,
  toBasePick,
  USUAL_DEFAULT_BRANCHES,
} from '../domain/build/base-build.ts';
import type { BasePick, Build } from '../domain/build/build.ts';
import type { Repo } from '../domain/repo/repo.ts';
import type { BuildStore } from '../ports/store.ts';

const CANDIDATES = 20;

export interface ChosenBase {
  readonly build: Build;
  readonly pick: BasePick;
}

export type ChooseBase = (input: {
  readonly build: Build;
  readonly repo: Repo;
  readonly flags: readonly string[];
}) => Promise<ChosenBase | undefined>;

/**
 * Rule 18: the base build, by the first step that gives one. A build that had a base keeps it, unless a higher rule gives one
 * now (rule 12); what it reads of the base is always the base's newest close.
 */
export function createChooseBase(deps: { readonly builds: BuildStore }): ChooseBase {
  const { builds } = deps;
  return async ({ build, repo, flags }) => {
    const kept = build.result?.base;
    const steps = baseSteps(build, { defaultBranches: defaultBranches(repo), testedAtMerge: testedAtMerge(build) });
    const still = kept && (await keepBase(builds, build, kept));
    if (kept === undefined || still === undefined) return firstOf(builds, { steps, build, flags });
    const higher = steps.filter((step) => isHigherRule(step.rule, kept.rule));
    const found = await firstOf(builds, { steps: higher, build, flags });
    return found !== undefined && (isComplete(found) || !isComplete(still)) ? found : still;
  };
}

/** The base of the first step that gives a complete one; an incomplete one is taken only where none does (rule 13). */
async function firstOf(
  builds: BuildStore,
  search: { readonly steps: readonly BaseStep[]; readonly build: Build; readonly flags: readonly string[] },
): Promise<ChosenBase | undefined> {
  const { steps, build, flags } = search;
  let incomplete: ChosenBase | undefined;
  for (const step of steps) {
    const found = await lookAt(builds, { step, build, flags });
    if (found === undefined) continue;
    const chosen = { build: found, pick: toBasePick(found, step) };
    if (isComplete(chosen)) return chosen;
    incomplete ??= chosen;
  }
  return incomplete;
}

function isComplete(chosen: ChosenBase): boolean {
  return chosen.build.result?.verdict.state !== 'incomplete';
}

/** The setting, else the usual names (rule 18). */
export function defaultBranches(repo: Repo): readonly string[] {
  return repo.settings.defaultBranch === undefined ? USUAL_DEFAULT_BRANCHES : [repo.settings.defaultBranch];
}

/** The branch a build is measured against: its pull request's base, else the default branch (rules 13 and 15). */
export function baseBranchesOf(build: Build, repo: Repo): readonly string[] {
  if (build.pullRequest !== undefined && build.baseBranch !== undefined && build.trust !== 'run') return [build.baseBranch];
  return defaultBranches(repo);
}

function testedAtMerge(build: Build): boolean {
  if (build.testedCommit !== undefined && build.testedCommit !== build.commit) return true;
  return build.target !== undefined && build.commit !== undefined && build.target !== build.commit;
}

async function keepBase(builds: BuildStore, build: Build, kept: BasePick): Promise<ChosenBase | undefined> {
  const base = await builds.find(kept.buildId);
  if (base === undefined || !mayBeBase(base, build)) return undefined;
  return { build: base, pick: { ...kept, closeCount: base.result?.closeCount ?? kept.closeCount } };
}

async function lookAt(
  builds: BuildStore,
  search: { readonly step: BaseStep; readonly build: Build; readonly flags: readonly string[] },
): Promise<Build | undefined> {
  const { step, build, flags } = search;
  const { repoId } = build;
  if ('commit' in step.look) return bestBase(await builds.ofCommit(repoId, step.look.commit), build, flags);
  const isPush = build.pullRequest === undefined;
  const before = isPush ? build.sequence : undefined;
  const notCommit = isPush ? build.commit : undefined;
  const onBranch = await builds.bases({ repoId, scope: { branch: step.look.branch }, before, notCommit, limit: CANDIDATES });
  const first = onBranch.find((candidate) => mayBeBase(candidate, build));
  const ofSameCommit = onBranch.filter(
    (candidate) => candidate === first || (first?.commit !== undefined && candidate.commit === first.commit),
  );
  return bestBase(ofSameCommit, build, flags);
}
