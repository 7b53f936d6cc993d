import { totalPercent } from '../coverage/percent.ts';
import type { RepoRules } from '../repo/repo-rules.ts';
import type { JudgedBase, Ratchet } from '../verdict/findings.ts';
import type { IgnoredParts } from '../verdict/ignored-parts.ts';
import { judgeBuild } from '../verdict/judge-build.ts';
import { type IgnorablePart, reasonOf } from '../verdict/reason.ts';
import type { Verdict } from '../verdict/verdict.ts';
import type { BuildSummary } from './build-summary.ts';
import { heldToFloor, patchVerdict } from './conclude-build.ts';

/** What a build would have got under other settings, by its stored numbers. */
export interface PreviewedVerdict {
  /** On its total. */
  readonly verdict: Pick<Verdict, 'state' | 'rule' | 'informational'>;
  /** Undefined if changed lines have no minimum, or are not known. */
  readonly patch: 'passes' | 'fails' | undefined;
}

/** What a close would judge by: those settings, with the repo's file above them. */
export interface PreviewRules {
  readonly rules: Pick<RepoRules, 'settings' | 'total' | 'changes' | 'floors'>;
  readonly ratchet?: Ratchet | undefined;
}

/**
 * Undefined before the first close. What was missing then is missing still; a part that was left out of account stays
 * so while the settings say it. Whether another part alone made a drop is known only at a close.
 */
export function previewVerdict(
  { result }: Pick<BuildSummary, 'result'>,
  by: PreviewRules,
): PreviewedVerdict | undefined {
  if (result === undefined) return undefined;
  return { verdict: judge(result, by), patch: previewPatch(result, by) };
}

type Result = NonNullable<BuildSummary['result']>;

function judge(result: Result, { rules, ratchet }: PreviewRules): PreviewedVerdict['verdict'] {
  const { totals, totalVerdict: verdict = result.verdict } = result;
  const { settings, total, floors } = rules;
  const hint = (ruled: PreviewedVerdict['verdict'] & Verdict): Verdict =>
    total.informational ? heldToFloor({ ...ruled, informational: true }, totals, floors.minTotal) : ruled;
  const isSettled = verdict.state === 'incomplete' || verdict.state === 'error' || totalPercent(totals) === undefined;
  if (isSettled) {
    const { informational: _, ...settled } = verdict;
    return hint(settled);
  }
  const thresholds = { ...settings, ratchet };
  const reason = reasonOf(verdict);
  const steady = settings.ignoreUnstableLines && reason.kind === 'measured' ? reason.steady : undefined;
  const plain = judgeBuild({ totals, base: baseOf(result), thresholds, unreported: [], steady });
  const forgiven = plain.state !== 'success' && isForgiven(verdict, settings);
  return hint(forgiven ? { ...plain, state: 'success' } : plain);
}

function isForgiven(verdict: Verdict, settings: IgnoredParts): boolean {
  if (!('forgiven' in verdict) || verdict.forgiven === undefined) return false;
  const ignored: Readonly<Record<IgnorablePart, boolean>> = {
    removed: settings.ignoreRemovedCode,
    untouched: settings.ignoreUntouchedFiles,
    unstable: settings.ignoreUnstableLines,
  };
  return verdict.forgiven.parts.every((part) => ignored[part]);
}

function previewPatch(result: Result, { rules }: PreviewRules): PreviewedVerdict['patch'] {
  const { patch } = result;
  const verdict = patch && patchVerdict(patch, { settings: rules.settings, rules, base: baseOf(result) });
  if (verdict?.rule !== 'patch-minimum') return undefined;
  return verdict.state === 'success' ? 'passes' : 'fails';
}

function baseOf({ base, baseTotals }: Result): JudgedBase | undefined {
  return base && baseTotals && { number: base.number, totals: baseTotals };
}
