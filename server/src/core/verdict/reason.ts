import { changeOf, exactDecimal, type Ratio, type ShownChange } from '../coverage/percent.ts';
import type { CoverageTotals } from '../coverage/totals.ts';
import { FINDINGS, type Finding, type FindingOf, type FindingRule, type JudgedBase } from './findings.ts';

/** Names of the rules that decide a verdict (rules.md "Verdict"). */
export const VERDICT_RULES = [
  ...new Set(Object.values(FINDINGS).map(({ rule }): FindingRule => rule)),
  'nothing-relevant',
  'no-coverage-arrived',
  'incomplete',
  'cannot-merge',
  /** A group without a commit status of its own fails the build. */
  'group',
  /** A line that the change left as it is lost coverage. */
  'elsewhere',
  /** The change breaks the repo's own file. */
  'invalid-file',
  /** For changed lines alone: their minimum. */
  'patch-minimum',
  /** For changed lines alone, if no minimum is set: how many are covered is shown. */
  'patch-change',
] as const;
export type VerdictRule = (typeof VERDICT_RULES)[number];

/**
 * For flags alone besides: `carried` ones never fail, since none of their tests ran here (rule 16); of groups alone:
 * `untouched` ones by the change.
 */
export const FLAG_RULES = [...VERDICT_RULES, 'not-reported', 'carried', 'untouched'] as const;
export type FlagRule = (typeof FLAG_RULES)[number];

/** For what the missing lines would have to be, the narrowest that has enough of them. `code`: lines and branches. */
export type CoverableCode = 'changed-lines' | 'changed-code' | 'lines' | 'code';

/** What would make a failing verdict pass. */
export interface Remedy {
  /** At least 1. */
  readonly count: number;
  readonly of: CoverableCode;
}

/** Jobs without a flag of a build that was cut short (rule 13), or uploads that the repo's file asks for. */
export interface MissingJobs {
  readonly arrived: number;
  /** As many as its base had. */
  readonly expected: number;
  /** Milliseconds from the last job to the close. */
  readonly waited: number;
  /** How its run ended; undefined: the deadline closed it. */
  readonly run: 'failure' | 'cancelled' | undefined;
  /** The repo's file says how many there are, of the whole build or of one flag, whatever closed it. */
  readonly stated?: { readonly flag?: string | undefined } | undefined;
}

/** Parts of a change that a repo may leave out of account. */
export type IgnorablePart = 'removed' | 'untouched' | 'unstable';

/** The words of a verdict as results of earlier versions hold them. */
export interface VerdictTexts {
  /** Sentences with the rule in words and both numbers, the cause and what would pass. */
  readonly explanation: string;
  /** The same in few words for a commit status. */
  readonly summary: string;
  /** In the fewest words; absent if summary has no more. */
  readonly brief?: string | undefined;
}

/** Why a build's reports can never be merged, as they are and with the limits of now. */
export type MergeObstacle =
  /** More than a report can hold: `what` names it in the plural. */
  | { readonly kind: 'limit'; readonly what: string; readonly seen: number; readonly limit: number }
  /** Bytes. */
  | { readonly kind: 'memory'; readonly needed: number; readonly limit: number }
  /** Milliseconds. */
  | { readonly kind: 'time'; readonly limit: number }
  /** A stored report cannot be read. */
  | { readonly kind: 'damaged' };

/** What a verdict rests on: data, from which wording/ makes sentences. */
export type Reason =
  /** The findings that fail, else all that hold. */
  | {
      readonly kind: 'measured';
      readonly totals: CoverageTotals;
      readonly findings: readonly Finding[];
      /** Which build it is compared with, whatever decides; absent without one, and in results of earlier versions. */
      readonly base?: JudgedBase | undefined;
      /** What the findings compare, where only a gain of lines that flip made up for a loss: the counts without it. */
      readonly steady?: CoverageTotals | undefined;
    }
  | {
      readonly kind: 'patch';
      readonly totals: CoverageTotals;
      /** False: not every changed line is known. */
      readonly complete: boolean;
      /** Changed lines that count neither as covered nor as missed. */
      readonly notMeasured?: number | undefined;
      readonly minimum?: FindingOf<'minimum'> | undefined;
      /** Where the minimum is the base's total. */
      readonly base?: FindingOf<'decrease'> | FindingOf<'drop'> | undefined;
      readonly remedy?: Remedy | undefined;
    }
  /** Rule 4. */
  | { readonly kind: 'nothing-relevant' }
  | { readonly kind: 'no-measured-change' }
  | {
      readonly kind: 'none-came';
      readonly measuredChanges: number;
      readonly baseNumber: string;
      readonly baseCommit?: string;
    }
  | {
      readonly kind: 'none-arrived';
      readonly relevantLines: number;
      readonly baseNumber: string;
      readonly baseCommit?: string;
    }
  /**
   * Rule 13, of a build: flags that did not report, at most MAX_NAMED of them, and how many more there are; or jobs
   * without a flag that did not arrive.
   */
  | {
      readonly kind: 'incomplete';
      readonly flags: readonly string[];
      readonly more?: number | undefined;
      readonly jobs?: MissingJobs | undefined;
    }
  /** For a flag that the base has: rule 13 where it was due, else rule 17. */
  | { readonly kind: 'missing-flag'; readonly due: boolean; readonly lastSeen: JudgedBase }
  /** For a flag that no job of the build has (rule 16): it fails by nothing. */
  | { readonly kind: 'carried'; readonly origin: JudgedBase }
  /** For a group that the change does not touch: its number, and no rule decides. */
  | { readonly kind: 'untouched'; readonly totals: CoverageTotals; readonly base?: JudgedBase | undefined }
  /** For a build whose total passes: groups that fail it, the first by its own reason, and how many more there are. */
  | { readonly kind: 'group'; readonly group: string; readonly of: Reason; readonly more: number }
  /** For a build whose change breaks the repo's own file: the first thing that is wrong with it. */
  | {
      readonly kind: 'invalid-file';
      readonly path: string;
      readonly problems: number;
      readonly line: number;
      /** Absent in results of earlier versions. */
      readonly column?: number | undefined;
      readonly message: string;
    }
  /** Lines that the change left as they are, and that lost coverage. */
  | { readonly kind: 'elsewhere'; readonly lines: number }
  /** For a build: no further try can succeed. */
  | { readonly kind: 'cannot-merge'; readonly obstacle: MergeObstacle }
  | ({ readonly kind: 'text' } & VerdictTexts);

/** Flags that a verdict names: a build may have tens of thousands. */
export const MAX_NAMED = 100;

/** The change of what a verdict judges, as it is shown everywhere; undefined if either has no percentage. */
export function judgedChange(judged: {
  readonly totals: CoverageTotals | undefined;
  readonly baseTotals: CoverageTotals | undefined;
  readonly verdict: { readonly reason: Reason } | VerdictTexts;
}): ShownChange | undefined {
  const change = changeOf(judged.totals, judged.baseTotals);
  return change && { ...change, beyond: exceededDrop(reasonOf(judged.verdict)) };
}

/** The allowed drop that a failing verdict is over; undefined without one. */
export function exceededDrop(reason: Reason): Ratio | undefined {
  const over =
    reason.kind === 'measured' &&
    reason.steady === undefined &&
    reason.findings.find(({ kind, passes }) => kind === 'drop' && !passes);
  return over && over.kind === 'drop' ? exactDecimal(over.allowed) : undefined;
}

/** Results of earlier versions hold sentences: they stay what they were. */
export function reasonOf(verdict: { readonly reason: Reason } | VerdictTexts): Reason {
  if ('reason' in verdict) return verdict.reason;
  const { explanation, summary, brief } = verdict;
  return { kind: 'text', explanation, summary, brief };
}
