import { compareRatios, exactDecimal, totalPercent } from '../coverage/percent.ts';
import type { CoverageTotals } from '../coverage/totals.ts';
import { judgesChanges } from '../repo/effective-settings.ts';
import { NO_FLOORS, type RepoRules } from '../repo/repo-rules.ts';
import type { PatchMinimum } from '../repo/setting.ts';
import type { RepoSettings } from '../repo/settings.ts';
import type { Timestamp } from '../time.ts';
import type { JudgedBase } from '../verdict/findings.ts';
import { isIgnoredChance } from '../verdict/ignored-parts.ts';
import type { JudgedBuild } from '../verdict/judge-build.ts';
import { judgeChange } from '../verdict/judge-change.ts';
import { judgePatch } from '../verdict/judge-patch.ts';
import type { MissingJobs } from '../verdict/reason.ts';
import type { ChangeSums } from '../verdict/split-change.ts';
import type { FlagVerdict, Verdict } from '../verdict/verdict.ts';
import { markAccepted } from './acceptance.ts';
import type { BasePick, Build, BuildResult, CarriedPick, UnmetComparison } from './build.ts';
import { withOverall } from './build-checks.ts';
import type { PatchResult } from './build-facts.ts';
import type { ComposedReport } from './build-report.ts';
import { closeWarnings } from './close-warnings.ts';
import { type CloseRules, composeVerdict } from './compose-verdict.ts';
import type { ClosedBy } from './due-tasks.ts';
import { lackedUploads, missingUploads } from './expected-jobs.ts';
import { isInformational, judgeFlags } from './flag-results.ts';
import type { GroupResult } from './group-result.ts';
import { incompleteOf, judgeGroups } from './group-results.ts';
import type { Job } from './job.ts';
import type { JudgedRules } from './judged-rules.ts';
import { findMissingJobs, missingFlags, unreportedFlags } from './missing-flags.ts';

/** All that a close has found out. */
export interface Findings {
  readonly build: Build;
  readonly settings: RepoSettings;
  readonly closedBy: ClosedBy;
  readonly at: Timestamp;
  /** The jobs that count; none, where a run ended without any, or all that it brings is carried. */
  readonly jobs: readonly Job[];
  readonly composed: Omit<ComposedReport, 'report'>;
  readonly base: { readonly build: Build; readonly pick: BasePick } | undefined;
  /** For flags that it lacks: the build before it that each is compared with, by name. */
  readonly flagBases?: ReadonlyMap<string, Build> | undefined;
  /** What was the base before it was taken out of the bases. */
  readonly excludedBase?: BasePick | undefined;
  readonly carried: readonly CarriedPick[];
  /** Flags that were to be carried and that no build holds (rule 16). */
  readonly notFound: readonly string[];
  /** What it asked to be compared with in another way than it is. */
  readonly unmet?: readonly UnmetComparison[] | undefined;
  /** Why the provider denied us access, a sentence; undefined: it did not. */
  readonly refusal?: string | undefined;
  /** Recent closed builds of the base branch, newest first (rule 13). */
  readonly recent: readonly Build[];
  /** By what it is judged besides the settings, which hold what the repo's file says in their words. */
  readonly rules?: CloseRules | undefined;
  /** The change of failing flags, by name, as far as it is known (flagsToSplit). */
  readonly flagSplits: ReadonlyMap<string, ChangeSums>;
}

/** The result of a close: flags, verdict and warnings from what was found. */
export function concludeBuild(found: Findings): BuildResult {
  const findings = { ...found, base: countedBase(found) };
  const { build, composed, base, closedBy, at, jobs, carried, flagSplits } = findings;
  const unreported = findUnreported(findings);
  const { verdict: ofTotal, cause } = judgeTotal(findings, unreported);
  const groups = findGroups(findings, ofTotal);
  const elsewhere = judgeElsewhere(findings, ofTotal);
  const verdict = composeVerdict({ total: ofTotal, groups, elsewhere, rules: findings.rules });
  const result: BuildResult = {
    closeCount: (build.result?.closeCount ?? 0) + 1,
    closedAt: at,
    closedBy,
    totals: composed.totals,
    files: composed.files,
    baseTotals: base?.build.result?.totals,
    base: base?.pick,
    excludedBase: findings.excludedBase,
    flags: judgeFlags({
      ...findings,
      flags: composed.flags,
      unreported,
      splits: flagSplits,
      countsBaseAnew: composed.baseTotals !== undefined,
    }),
    carried,
    verdict,
    ...(verdict !== ofTotal && { totalVerdict: ofTotal }),
    ...(groups && { groups }),
    ...(composed.parts && composed.parts.owners.length > 0 && { owners: composed.parts.owners }),
    ...(elsewhere && { elsewhere }),
    ...(findings.rules && { rules: proposedVerdict(findings, unreported) }),
    countedJobs: jobs.map((job) => job.id),
    unflaggedJobs: countUnflagged(jobs),
    fileChanges: composed.fileChanges,
    fileChangeCount: composed.fileChangeCount,
    warnings: closeWarnings({ ...found, unmet: findings.unmet ?? [], jobs: jobs.length }),
    patch: composed.patch && {
      ...composed.patch,
      verdict: patchVerdict(composed.patch, {
        settings: findings.settings,
        rules: findings.rules?.rules,
        base: judgedBase(findings),
      }),
    },
    marks: composed.marks,
    cause,
  };
  return withOverall(markAccepted(result, build.acceptance));
}

/** The base by the files that the build counts, where it was made of others. */
function countedBase({ base, composed: { baseTotals } }: Findings): Findings['base'] {
  const { result } = base?.build ?? {};
  if (base === undefined || result === undefined || baseTotals === undefined) return base;
  return { ...base, build: { ...base.build, result: { ...result, totals: baseTotals } } };
}

/** By what it was judged, and how the total would be after the change of the rules is merged. */
function proposedVerdict(findings: Findings, unreported: readonly string[]): JudgedRules | undefined {
  const { rules } = findings;
  const { judged, proposed } = rules ?? {};
  if (rules === undefined || judged?.proposal === undefined || proposed === undefined) return judged;
  // What other files count would come to is not known here.
  if (filesOf(proposed) !== filesOf(rules.rules)) return judged;
  const by = { ...findings, settings: proposed.settings, rules: { ...rules, rules: proposed } };
  const { verdict } = judgeTotal(by, unreported);
  const would = verdict.informational ? 'success' : verdict.state;
  return { ...judged, proposal: { ...judged.proposal, would } };
}

function filesOf({ ignore, paths }: CloseRules['rules']): string {
  return JSON.stringify([ignore, paths]);
}

/** The total, which may be informational by itself. What the server's owner asks for is required anyway. */
function judgeTotal(findings: Findings, unreported: readonly string[]) {
  const { settings, composed, rules } = findings;
  const { informational } = rules?.rules.total ?? settings;
  const judged = judgeChange(toJudge(findings, unreported), composed.split, { ...settings, informational });
  const { minTotal } = rules?.rules.floors ?? NO_FLOORS;
  if (judged.verdict.informational !== true) return judged;
  return { ...judged, verdict: heldToFloor(judged.verdict, composed.totals, minTotal) };
}

/** Informational, unless the server's own minimum is not met. */
export function heldToFloor<V extends FlagVerdict>(
  verdict: V,
  totals: CoverageTotals,
  floor: number | null | undefined,
): V {
  const percent = totalPercent(totals);
  const isBelow = floor != null && percent !== undefined && compareRatios(percent, exactDecimal(floor)) < 0;
  const { informational: _, ...required } = verdict;
  return (isBelow ? required : { ...verdict, informational: true }) as V;
}

function findGroups({ composed, rules, base }: Findings, verdict: Verdict): readonly GroupResult[] | undefined {
  if (rules === undefined || composed.parts === undefined || rules.rules.groups.length === 0) return undefined;
  return judgeGroups({ rules: rules.rules, groups: composed.parts.groups, base, verdict });
}

/** Only where the repo's file asks for it, and it is known what changed. */
function judgeElsewhere({ composed: { split }, rules, settings }: Findings, total: Verdict): FlagVerdict | undefined {
  if (rules?.rules.elsewhere !== 'fail' || split === undefined) return undefined;
  const { outside, untouched, unstable } = split;
  const flipped = unstable === undefined || isIgnoredChance(unstable, settings) ? 0 : unstable.lostLines;
  const lines = outside.lostLines + untouched.lostLines + flipped;
  const judged: FlagVerdict = {
    state: lines === 0 ? 'success' : 'failure',
    rule: 'elsewhere',
    reason: { kind: 'elsewhere', lines },
  };
  const verdict = (lines === 0 ? undefined : incompleteOf(total)) ?? judged;
  return settings.informational ? { ...verdict, informational: true } : verdict;
}

function toJudge(findings: Findings, unreported: readonly string[]): JudgedBuild {
  const { build, composed, base, settings, jobs, closedBy, recent, at } = findings;
  return {
    totals: composed.totals,
    base: judgedBase(findings),
    thresholds: { ...settings, ratchet: findings.rules?.ratchet },
    unreported,
    missingFlags: missingFlags(
      base?.build,
      composed.flags.map(({ name }) => name),
    ),
    missingJobs:
      findMissingUploads(findings) ??
      findMissingJobs({
        arrived: countUnflagged(jobs),
        stated: build.expectedJobs,
        base: base?.build,
        closedBy,
        runConclusion: build.runConclusion,
        recent,
        waited: at - build.lastJobAt,
      }),
    measuredChanges: jobs.length === 0 ? composed.measuredChanges : undefined,
    patch: composed.patch?.totals,
  };
}

/** For flags that only inform, no upload is waited for. */
function findMissingUploads({ build, at, jobs, rules, settings }: Findings): MissingJobs | undefined {
  const lacked = rules === undefined ? [] : lackedUploads(rules.rules, jobs);
  const first = lacked.find(({ flag }) => flag === undefined || !isInformational(flag, settings));
  return first && missingUploads(first, { build, at });
}

function judgedBase({ base }: Findings): JudgedBase | undefined {
  const totals = base?.build.result?.totals;
  return base && totals && { number: base.pick.number, commit: base.pick.commit, totals };
}

function countUnflagged(jobs: readonly Job[]): number {
  return jobs.filter(({ facts }) => facts.flag === undefined).length;
}

function findUnreported({ build, base, composed, closedBy, recent, settings }: Findings): readonly string[] {
  const present = composed.flags.map((flag) => flag.name);
  return unreportedFlags({
    missing: missingFlags(base?.build, present),
    closedBy,
    runConclusion: build.runConclusion,
    recent,
    expected: settings.expectedFlags,
  });
}

/** Only where the repo asks for it. It fails no build: changed lines have a status of their own (rule 22). */
export function patchVerdict(
  patch: Pick<PatchResult, 'totals' | 'complete' | 'notMeasured'>,
  by: {
    readonly settings: Pick<RepoSettings, 'patchStatus' | 'patchMinimum' | 'informational'>;
    readonly rules: Pick<RepoRules, 'changes' | 'floors'> | undefined;
    readonly base: JudgedBase | undefined;
  },
): FlagVerdict | undefined {
  const { settings, rules, base } = by;
  const { patchMinimum } = settings;
  const { allowedDrop, informational } = rules?.changes ?? { ...settings, allowedDrop: 0 };
  if (!judgesChanges(settings)) return undefined;
  const { minChanges } = rules?.floors ?? NO_FLOORS;
  const { totals, complete, notMeasured } = patch;
  const judgedBy = (minimum: PatchMinimum): FlagVerdict =>
    judgePatch({ totals, complete, minimum, allowedDrop, base, notMeasured: notMeasured?.lines });
  // The total of the base may be below what the server's owner asks for.
  const byFloor = patchMinimum === 'base' && minChanges !== null ? judgedBy(minChanges) : undefined;
  const verdict = byFloor?.state === 'failure' ? byFloor : judgedBy(patchMinimum);
  return informational ? heldToFloor(verdict, totals, minChanges) : verdict;
}
