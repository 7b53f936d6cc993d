import { isAccepted } from '../core/builds/acceptance.ts';
import type { FlagResult } from '../core/builds/build.ts';
import { type CoverageTotals, missedBranches, missedLines } from '../core/coverage/totals.ts';
import { type Reason, type Remedy, reasonOf } from '../core/verdict/reason.ts';
import type { ExplainedChange, FlagVerdict, Verdict } from '../core/verdict/verdict.ts';
import { counted, sayArrived, toSentence } from './phrases.ts';
import { foundWords } from './rule-words.ts';
import { explainVerdict, forgivenessClause } from './verdict-words.ts';

/** How a verdict is shown beside its words. */
export type VerdictLook = 'ok' | 'fail' | 'incomplete' | 'would';

export function lookOf(verdict: Pick<FlagVerdict, 'state' | 'informational' | 'accepted'>): VerdictLook {
  const { state, informational } = verdict;
  if (state === 'success' || isAccepted(verdict)) return 'ok';
  if (informational === true) return 'would';
  return state === 'incomplete' ? 'incomplete' : 'fail';
}

/** `Passed`, as one word of a verdict. */
export function wordOf(verdict: FlagVerdict): string {
  if (verdict.rule === 'not-reported') return 'Not reported';
  if (isAccepted(verdict)) return 'Accepted';
  if (verdict.state !== 'success' && verdict.informational === true) return WOULD_FAIL;
  return VERDICT_WORDS[verdict.state];
}

export const WOULD_FAIL = 'Would fail';

export const VERDICT_WORDS: Readonly<Record<Verdict['state'], string>> = {
  success: 'Passed',
  failure: 'Failed',
  incomplete: 'Incomplete',
  error: 'Error',
};

/**
 * One sentence of what a build's verdict found and by which rule, after its word. `base`: what its base is called;
 * `known`: `as far as is known`, or nothing.
 */
export function verdictSentence(verdict: Verdict, base: string, known = ''): string {
  const found = foundBy(verdict, base) + (known === '' ? '' : `, ${known}`);
  if (verdict.informational === true && verdict.state === 'failure') return `${WOULD_FAIL}: ${found}.`;
  return `${wordOf(verdict)}. ${toSentence(found)}`;
}

function foundBy(verdict: Verdict, base: string): string {
  const forgiven = forgivenessClause(verdict);
  if (forgiven !== undefined) return forgiven;
  const reason = reasonOf(verdict);
  switch (reason.kind) {
    case 'measured':
      return foundMeasured(reason, verdict);
    case 'text':
      return withoutStop(reason.explanation);
    case 'nothing-relevant':
      return 'no line is relevant';
    case 'incomplete':
      return incompleteWords(reason);
    case 'none-arrived':
      return `no coverage was uploaded; ${base} had ${counted(reason.relevantLines, 'relevant line')}`;
    case 'none-came': {
      const files = counted(reason.measuredChanges, 'changed file');
      return `coverage was expected, and none came: ${base} measures ${files}`;
    }
    default:
      return withoutStop(explainVerdict(verdict));
  }
}

function foundMeasured(reason: Extract<Reason, { kind: 'measured' }>, { informational, state }: Verdict): string {
  const isHint = informational === true && state === 'failure';
  const { findings, totals, steady = totals } = reason;
  const found = findings.map((finding) => foundWords(finding, steady, isHint)).join(', and ');
  return steady === totals ? found : `without a gain by lines that flip, ${found}`;
}

function incompleteWords({ flags, more, jobs }: Extract<Reason, { kind: 'incomplete' }>): string {
  const named = flags.slice(0, 3).join(', ');
  const others = flags.length - Math.min(3, flags.length) + (more ?? 0);
  const list = others > 0 ? `${named} and ${others} more` : named;
  const ofJobs = jobs === undefined ? [] : [sayArrived(jobs)];
  const ofFlags =
    flags.length === 0 ? [] : [`the ${flags.length + (more ?? 0) === 1 ? 'flag' : 'flags'} ${list} did not report`];
  return [...ofJobs, ...ofFlags].join('; ');
}

/** What to cover, with the part for a link first. Undefined if covering does not help, or is not needed. */
export interface RemedyWords {
  readonly what: string;
  readonly rest: string;
  /** `Cover all 2 missed changed lines`, where the name of a flag or group follows. */
  readonly within: string;
  /** `Cover 4 more lines`, wherever they are. */
  readonly short: string;
  /** Whether the lines of the change suffice. */
  readonly inChange: boolean;
}

/** `Cover 16 of the 19 missed lines and branches` ` in this change to pass.` */
export function remedyWords(
  { count, of }: Remedy,
  { changed, informational }: { readonly changed: CoverageTotals | undefined; readonly informational: boolean },
): RemedyWords {
  const inChange = of === 'changed-lines' || of === 'changed-code';
  const unit = of === 'changed-lines' || of === 'lines' ? 'lines' : 'lines and branches';
  const missed = changed && missedLines(changed) + (unit === 'lines' ? 0 : missedBranches(changed));
  const one = unit === 'lines' ? 'line' : 'line or branch';
  const goal = informational ? 'so that it would pass' : 'to pass';
  const short = `Cover ${counted(count, `more ${one}`, `more ${unit}`)}`;
  if (!inChange || missed === undefined)
    return { what: short, rest: ` in any file ${goal}.`, within: short, short, inChange };
  const some = count === missed ? (missed === 1 ? 'the' : `all ${missed}`) : `${count} of the ${missed}`;
  const code = missed === 1 ? one : unit;
  return {
    what: `Cover ${some} missed ${code}`,
    rest: ` in this change ${goal}.`,
    within: `Cover ${some} missed changed ${code}`,
    short,
    inChange,
  };
}

/** For an explanation whose data is known: results of earlier versions hold words. */
export function explainedBy(cause: object | undefined): ExplainedChange | undefined {
  return cause !== undefined && !('sentence' in cause) ? (cause as ExplainedChange) : undefined;
}

/** Says that the whole change is covered; undefined if it is not, or if nothing in it is relevant. */
export function allCovered(changed: CoverageTotals): string | undefined {
  const { relevantLines: lines, branches } = changed;
  if (lines + branches === 0 || missedLines(changed) + missedBranches(changed) > 0) return undefined;
  const ofBranches = branches === 0 ? '' : ` and ${counted(branches, 'branch', 'branches')}`;
  return lines === 1 && branches === 0
    ? 'The changed line is covered.'
    : `All ${counted(lines, 'changed line')}${ofBranches} are covered.`;
}

/** What a flag's row says beside its numbers; undefined if these say everything. */
export function flagRemark({
  verdict,
  cause,
  looksPastBase,
}: Pick<FlagResult, 'verdict' | 'cause' | 'looksPastBase'>): string | undefined {
  const isPlain =
    verdict.state === 'success' && verdict.rule !== 'not-reported' && forgivenessClause(verdict) === undefined;
  return isPlain && looksPastBase !== true ? undefined : explainVerdict(verdict, cause);
}

function withoutStop(sentence: string): string {
  return sentence.replace(/\.$/, '');
}
