import { totalPercent } from '../coverage/percent.ts';
import type { RepoSettings } from '../repo/settings.ts';
import type { JudgedBase } from '../verdict/findings.ts';
import type { IgnoredParts } from '../verdict/ignored-parts.ts';
import { judgeBuild } from '../verdict/judge-build.ts';
import { judgePatch } from '../verdict/judge-patch.ts';
import { type IgnorablePart, reasonOf } from '../verdict/reason.ts';
import type { Verdict } from '../verdict/verdict.ts';
import type { BuildSummary } from './build-summary.ts';

/** What a build would have got under other settings, by its stored numbers. */
export interface PreviewedVerdict {
  readonly verdict: Pick<Verdict, 'state' | 'rule' | 'informational'>;
  /** Undefined where changed lines are not judged, or not known. */
  readonly patch: 'passes' | 'fails' | undefined;
}

type PreviewSettings = Pick<
  RepoSettings,
  'minimum' | 'allowedDrop' | 'patchMinimum' | 'informational' | keyof IgnoredParts
>;

/**
 * Undefined before the first close. What was missing then is missing still; a part that was left out of account stays
 * so while the settings say it. Whether another part alone made a drop is known only at a close.
 */
export function previewVerdict(
  { result }: Pick<BuildSummary, 'result'>,
  settings: PreviewSettings,
): PreviewedVerdict | undefined {
  if (result === undefined) return undefined;
  return { verdict: judge(result, settings), patch: previewPatch(result, settings) };
}

type Result = NonNullable<BuildSummary['result']>;

function judge(result: Result, settings: PreviewSettings): PreviewedVerdict['verdict'] {
  const { totals, verdict } = result;
  const reason = reasonOf(verdict);
  if (verdict.state === 'incomplete' || verdict.state === 'error' || totalPercent(totals) === undefined) return verdict;
  const plain = judgeBuild({
    totals,
    base: baseOf(result),
    thresholds: settings,
    unreported: [],
    steady: settings.ignoreUnstableLines && reason.kind === 'measured' ? reason.steady : undefined,
  });
  if (plain.state !== 'success' && isForgiven(verdict, settings)) return { ...plain, state: 'success' };
  return settings.informational ? { ...plain, informational: true } : plain;
}

function isForgiven(verdict: Verdict, settings: PreviewSettings): boolean {
  if (!('forgiven' in verdict) || verdict.forgiven === undefined) return false;
  const ignored: Readonly<Record<IgnorablePart, boolean>> = {
    removed: settings.ignoreRemovedCode,
    untouched: settings.ignoreUntouchedFiles,
    unstable: settings.ignoreUnstableLines,
  };
  return verdict.forgiven.parts.every((part) => ignored[part]);
}

function previewPatch(result: Result, { patchMinimum }: PreviewSettings): PreviewedVerdict['patch'] {
  const { patch } = result;
  if (patch === undefined) return undefined;
  const { totals, complete } = patch;
  const { rule, state } = judgePatch({ totals, complete, minimum: patchMinimum, base: baseOf(result) });
  if (rule !== 'patch-minimum') return undefined;
  return state === 'success' ? 'passes' : 'fails';
}

function baseOf({ base, baseTotals }: Result): JudgedBase | undefined {
  return base && baseTotals && { number: base.number, totals: baseTotals };
}
