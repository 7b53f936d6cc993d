import { totalPercent } from '../coverage/percent.ts';
import type { CoverageTotals } from '../coverage/totals.ts';
import type { RepoSettings } from '../repo/repo.ts';
import { judgeBuild, judgeFlag, judgeMissingFlag } from '../verdict/judge-build.ts';
import { reportedFlags } from './base-build.ts';
import type { BasePick, Build, BuildResult, CarriedPick, ClosedBy, FlagResult } from './build.ts';
import type { ComposedFlag, ComposedReport } from './build-report.ts';
import type { Job, Timestamp } from './job.ts';
import { lackingFlags, missingFlags } from './missing-flags.ts';

const MAX_NOT_FOUND = 20;

/** All that a close has found out. */
export interface Findings {
  readonly build: Build;
  readonly settings: RepoSettings;
  readonly closedBy: ClosedBy;
  readonly at: Timestamp;
  /** The jobs that count. */
  readonly jobs: readonly Job[];
  readonly composed: Omit<ComposedReport, 'report'>;
  readonly base: { readonly build: Build; readonly pick: BasePick } | undefined;
  readonly carried: readonly CarriedPick[];
  /** Flags that were to be carried and that no build holds (rule 16). */
  readonly notFound: readonly string[];
  /** Recent closed builds of the base branch, newest first (rule 13). */
  readonly recent: readonly Build[];
}

/** The result of a close: flags, verdict and warnings from what was found. */
export function concludeBuild(findings: Findings): BuildResult {
  const { build, composed, base, closedBy, at, jobs, carried } = findings;
  const lacking = lackingOf(findings);
  const baseTotals = base?.build.result?.totals;
  return {
    closeCount: (build.result?.closeCount ?? 0) + 1,
    closedAt: at,
    closedBy,
    totals: composed.totals,
    files: composed.files,
    baseTotals,
    base: base?.pick,
    flags: [...composed.flags.map((flag) => reportedFlag(flag, findings)), ...missingFlagResults(findings, lacking)],
    carried,
    verdict: judgeBuild({
      totals: composed.totals,
      base: base && baseTotals ? { number: base.pick.number, totals: baseTotals } : undefined,
      thresholds: findings.settings,
      lacking,
    }),
    countedJobs: jobs.map((job) => job.id),
    fileChanges: composed.fileChanges,
    fileChangeCount: composed.fileChangeCount,
    warnings: warningsOf(findings),
  };
}

function lackingOf(findings: Findings): readonly string[] {
  return lackingFlags({
    missing: missingFlags(findings.base?.build, presentFlags(findings)),
    closedBy: findings.closedBy,
    recent: findings.recent,
    expected: findings.settings.expectedFlags,
  });
}

function presentFlags(findings: Findings): readonly string[] {
  return findings.composed.flags.map((flag) => flag.name);
}

function reportedFlag(flag: ComposedFlag, findings: Findings): FlagResult {
  const { base, settings, carried } = findings;
  const baseTotals = flagTotals(base?.build, flag.name);
  return {
    name: flag.name,
    kind: flag.kind,
    totals: flag.totals,
    baseTotals,
    carried: flag.kind === 'carried' ? carried.find((pick) => pick.flag === flag.name) : undefined,
    lastSeen: undefined,
    verdict: judgeFlag({
      totals: flag.totals,
      base: base && baseTotals ? { number: base.pick.number, totals: baseTotals } : undefined,
      thresholds: settings,
    }),
  };
}

function missingFlagResults(findings: Findings, lacking: readonly string[]): readonly FlagResult[] {
  const { base } = findings;
  if (base === undefined) return [];
  return missingFlags(base.build, presentFlags(findings)).flatMap((name) => {
    const flag = base.build.result?.flags.find((one) => one.name === name);
    if (flag?.totals === undefined) return [];
    const lastSeen = { number: flag.carried?.number ?? base.build.number, totals: flag.totals };
    const verdict = judgeMissingFlag(lastSeen, lacking.includes(name));
    return [{ name, kind: 'missing', totals: undefined, baseTotals: flag.totals, carried: undefined, lastSeen, verdict }];
  });
}

function flagTotals(build: Build | undefined, name: string): CoverageTotals | undefined {
  if (build === undefined || !reportedFlags(build).includes(name)) return undefined;
  return build.result?.flags.find((flag) => flag.name === name)?.totals;
}

function warningsOf(findings: Findings): readonly string[] {
  const { composed, notFound, jobs } = findings;
  const sentences = notFound
    .slice(0, MAX_NOT_FOUND)
    .map((flag) => `Flag ${flag} was to be carried forward, but no stored report of it was found.`);
  if (notFound.length > MAX_NOT_FOUND)
    sentences.push(`${notFound.length - MAX_NOT_FOUND} more flags to be carried forward were not found.`);
  if (composed.restrictedFiles > 0) {
    sentences.push(
      `${countFiles(composed.restrictedFiles)} of carried flags changed since; only lines that this build's own jobs call relevant count there.`,
    );
  }
  if (composed.digestConflicts > 0) {
    sentences.push(
      `${countFiles(composed.digestConflicts)} had different texts in different jobs (source_digest differs); their lines were merged by number.`,
    );
  }
  if (totalPercent(composed.totals) === undefined && jobs.length > 0)
    sentences.push('None of the jobs reported a relevant line.');
  return sentences;
}

function countFiles(count: number): string {
  return count === 1 ? '1 file' : `${count} files`;
}
