import type { CoverageTotals } from '../coverage/totals.ts';
import type { FlagSettings, RepoSettings } from '../repo/repo.ts';
import { judgeFlag, judgeMissingFlag } from '../verdict/judge-build.ts';
import { asInformational, type FlagVerdict } from '../verdict/verdict.ts';
import { reportedFlags } from './base-build.ts';
import type { BasePick, Build, CarriedPick, FlagResult } from './build.ts';
import type { ComposedFlag } from './build-report.ts';
import { missingFlags } from './missing-flags.ts';

/** What the flags of a close are judged by. */
export interface FlagFindings {
  readonly settings: RepoSettings;
  readonly flags: readonly ComposedFlag[];
  readonly base: { readonly build: Build; readonly pick: BasePick } | undefined;
  readonly carried: readonly CarriedPick[];
  /** Those of the base that did not report before the build was closed for them (rule 13). */
  readonly lacking: readonly string[];
}

/** The flags that the build has a report of, then those that its base has and it lacks (rules 13 and 17). */
export function judgeFlags(findings: FlagFindings): readonly FlagResult[] {
  return [...findings.flags.map((flag) => reportedFlag(flag, findings)), ...missingFlagResults(findings)];
}

function reportedFlag(flag: ComposedFlag, findings: FlagFindings): FlagResult {
  const { base, settings, carried } = findings;
  const baseTotals = flagTotals(base?.build, flag.name);
  const verdict = judgeFlag({
    totals: flag.totals,
    base: base && baseTotals ? { number: base.pick.number, totals: baseTotals } : undefined,
    thresholds: settings,
    own: settingsOf(flag.name, settings),
  });
  return {
    name: flag.name,
    kind: flag.kind,
    totals: flag.totals,
    baseTotals,
    carried: flag.kind === 'carried' ? carried.find((pick) => pick.flag === flag.name) : undefined,
    lastSeen: undefined,
    verdict: settle(verdict, flag.name, settings),
  };
}

function missingFlagResults({ base, flags, settings, lacking }: FlagFindings): readonly FlagResult[] {
  if (base === undefined) return [];
  const present = flags.map((flag) => flag.name);
  return missingFlags(base.build, present).flatMap((name) => {
    const flag = base.build.result?.flags.find((one) => one.name === name);
    if (flag?.totals === undefined) return [];
    const lastSeen = { number: flag.carried?.number ?? base.build.number, totals: flag.totals };
    const verdict = settle(judgeMissingFlag(lastSeen, lacking.includes(name)), name, settings);
    return [{ name, kind: 'missing', totals: undefined, baseTotals: flag.totals, carried: undefined, lastSeen, verdict }];
  });
}

function settle(verdict: FlagVerdict, name: string, settings: RepoSettings): FlagVerdict {
  const informational = settings.informational || settingsOf(name, settings)?.informational === true;
  return informational ? asInformational(verdict) : verdict;
}

/** Names are compared as they are. */
function settingsOf(name: string, settings: RepoSettings): FlagSettings | undefined {
  return settings.flagSettings.find((one) => one.flag === name);
}

function flagTotals(build: Build | undefined, name: string): CoverageTotals | undefined {
  if (build === undefined || !reportedFlags(build).includes(name)) return undefined;
  return build.result?.flags.find((flag) => flag.name === name)?.totals;
}
