import type { CoverageTotals } from '../coverage/totals.ts';
import type { FlagSettings } from '../repo/setting.ts';
import type { RepoSettings } from '../repo/settings.ts';
import type { Timestamp } from '../time.ts';
import { type JudgedFlag, judgeCarriedFlag, judgeMissingFlag } from '../verdict/judge-build.ts';
import { failsByThreshold, judgeFlagChange } from '../verdict/judge-change.ts';
import type { ChangeSums } from '../verdict/split-change.ts';
import type { FlagVerdict } from '../verdict/verdict.ts';
import { reportedFlags } from './base-build.ts';
import type { BasePick, Build, CarriedPick, FlagResult } from './build.ts';
import type { ComposedFlag } from './build-report.ts';
import type { CloseRules } from './compose-verdict.ts';
import { lackedUploads, missingUploads } from './expected-jobs.ts';
import { baseOf, decisive, judgeLines } from './group-results.ts';
import type { Job } from './job.ts';
import { missingFlags } from './missing-flags.ts';

/** What the flags of a close are judged by. */
export interface FlagFindings {
  readonly settings: RepoSettings;
  readonly flags: readonly ComposedFlag[];
  readonly base: { readonly build: Build; readonly pick: BasePick } | undefined;
  /** For flags that the base lacks: the build before it that each is compared with, by name. */
  readonly flagBases?: ReadonlyMap<string, Build> | undefined;
  readonly carried: readonly CarriedPick[];
  /** Those of the base that did not report before the build was closed for them (rule 13). */
  readonly unreported: readonly string[];
  /** The change of flags that flagsToSplit names, by name, as far as it is known. */
  readonly splits: ReadonlyMap<string, ChangeSums>;
  /** What the repo's file says of flags, and of how many uploads; absent: nothing. */
  readonly rules?: Pick<CloseRules, 'rules'> | undefined;
  /** The jobs that count. */
  readonly jobs: readonly Job[];
  readonly build: Pick<Build, 'lastJobAt' | 'runConclusion'>;
  readonly at: Timestamp;
  /** The base was made by another choice of files: its numbers of a flag are those of the split. */
  readonly countsBaseAnew?: boolean | undefined;
}

/** Failing flags of one build whose change is split: each costs as much as merging it did. */
const MAX_SPLIT_FLAGS = 20;

/** The flags that the build has a report of, then those that only its base has (rules 13 and 17). */
export function judgeFlags(findings: FlagFindings): readonly FlagResult[] {
  return [...findings.flags.map((flag) => reportedFlag(flag, findings)), ...missingFlagResults(findings)];
}

/**
 * The flags whose change is worth splitting: they fail by a threshold, or their base is counted again, and jobs
 * uploaded their reports to this build and to its base. Never a carried flag: it did not run on the new text, so that
 * every rewritten line would pass for removed code.
 */
export function flagsToSplit(
  found: Pick<FlagFindings, 'settings' | 'flags' | 'base' | 'countsBaseAnew'>,
): readonly string[] {
  const before = found.base?.build.result?.flags ?? [];
  const uploadedBefore = new Set(before.filter(({ kind }) => kind === 'uploaded').map(({ name }) => name));
  return found.flags
    .filter(({ name, kind }) => kind === 'uploaded' && uploadedBefore.has(name))
    .filter((flag) => found.countsBaseAnew || failsByThreshold(toJudge(flag, found)))
    .map(({ name }) => name)
    .slice(0, MAX_SPLIT_FLAGS);
}

function reportedFlag(flag: ComposedFlag, findings: FlagFindings): FlagResult {
  const { settings, carried, splits, flagBases } = findings;
  const judged = toJudge(flag, findings);
  const baseTotals = judged.base?.totals;
  const origin = flag.kind === 'carried' ? carried.find((pick) => pick.flag === flag.name) : undefined;
  if (origin !== undefined) {
    const verdict = judgeCarriedFlag({ number: origin.number, commit: origin.commit, totals: flag.totals });
    return { ...flag, baseTotals, carried: origin, lastSeen: undefined, verdict, cause: undefined };
  }
  const informational = isInformational(flag.name, settings);
  const ofTotal = judgeFlagChange(judged, splits.get(flag.name), { ...settings, informational });
  const { verdict, cause }: Judged =
    lackingVerdict(flag, findings) ?? decisive(ofTotal, ofLines(flag, findings)) ?? ofTotal;
  return {
    ...flag,
    baseTotals,
    ...(baseTotals !== undefined && flagBases?.has(flag.name) && { looksPastBase: true }),
    carried: undefined,
    lastSeen: undefined,
    verdict,
    cause,
  };
}

/** Fewer uploads than the repo's file states: its number is not the whole. */
function lackingVerdict(
  { name }: ComposedFlag,
  { rules, jobs, build, at, settings }: FlagFindings,
): Judged | undefined {
  const lacked = rules && lackedUploads(rules.rules, jobs).find(({ flag }) => flag === name);
  if (lacked === undefined) return undefined;
  const reason = { kind: 'incomplete', flags: [], jobs: missingUploads(lacked, { build, at }) } as const;
  return { verdict: withHint({ state: 'incomplete', rule: 'incomplete', reason }, isInformational(name, settings)) };
}

/** Its changed lines, where the repo's file has a rule for them and it is known what changed. */
function ofLines({ name, changes }: ComposedFlag, { rules, base, settings }: FlagFindings): Judged | undefined {
  const rule = rules?.rules.flags.get(name)?.changes;
  if (rule === undefined || changes === undefined) return undefined;
  const { verdict } = judgeLines(changes, rule, baseOf(base, base?.build.result?.totals));
  return { verdict: withHint(verdict, isInformational(name, settings)) };
}

interface Judged {
  readonly verdict: FlagVerdict;
  readonly cause?: FlagResult['cause'];
}

function withHint(verdict: FlagVerdict, informational: boolean): FlagVerdict {
  return informational ? { ...verdict, informational: true } : verdict;
}

function toJudge(
  { name, totals }: ComposedFlag,
  found: Pick<FlagFindings, 'base' | 'flagBases' | 'settings'> & Partial<FlagFindings>,
): JudgedFlag {
  const { base, flagBases, settings, splits, countsBaseAnew } = found;
  const build = flagBases?.get(name) ?? base?.build;
  const before = (countsBaseAnew && splits?.get(name)?.base) || flagTotals(build, name);
  return {
    totals,
    base: build && before ? { number: build.number, commit: build.commit, totals: before } : undefined,
    thresholds: settings,
    own: settingsOf(name, settings),
  };
}

function missingFlagResults({ base, flags, settings, unreported }: FlagFindings): readonly FlagResult[] {
  if (base === undefined) return [];
  const present = flags.map((flag) => flag.name);
  return missingFlags(base.build, present).flatMap((name) => {
    const flag = base.build.result?.flags.find((one) => one.name === name);
    if (flag?.totals === undefined) return [];
    const { number, commit } = flag.carried ?? base.build;
    const lastSeen = { number, commit, totals: flag.totals };
    const plain = judgeMissingFlag(lastSeen, unreported.includes(name));
    const verdict = withHint(plain, isInformational(name, settings));
    return [
      { name, kind: 'missing', totals: undefined, baseTotals: flag.totals, carried: undefined, lastSeen, verdict },
    ];
  });
}

export function isInformational(name: string, settings: RepoSettings): boolean {
  return settings.informational || settingsOf(name, settings)?.informational === true;
}

/** Names are compared as they are. */
function settingsOf(name: string, settings: RepoSettings): FlagSettings | undefined {
  return settings.flagSettings.find((one) => one.flag === name);
}

/** A flag's own numbers in a build that has a report of it. */
export function flagTotals(build: Build | undefined, name: string): CoverageTotals | undefined {
  if (build === undefined || !reportedFlags(build).includes(name)) return undefined;
  return build.result?.flags.find((flag) => flag.name === name)?.totals;
}
