import { FINDINGS, type FindingRule } from './findings.ts';
import type { IgnorablePart, Reason, VerdictTexts } from './reason.ts';

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

/** `error`: there are no numbers, since the reports can never be merged. */
export type VerdictState = 'success' | 'failure' | 'incomplete' | 'error';

interface Ruling<R extends string> {
  readonly state: VerdictState;
  readonly rule: R;
  /** The repo's verdicts are informational: the state is shown, and no commit status fails by it. */
  readonly informational?: true | undefined;
  /** A maintainer accepted this failure: the state is shown, and no commit status fails by it. */
  readonly accepted?: true | undefined;
}

/** Failed by its rule, and a success anyway: by the repo's settings these parts alone do not fail it. */
export interface Forgiveness {
  readonly parts: readonly IgnorablePart[];
  readonly subject: 'build' | 'flag';
}

/** What it rests on; in results of earlier versions the words that were made of it. */
type Grounds = { readonly reason: Reason; readonly forgiven?: Forgiveness | undefined } | VerdictTexts;

/** The answer on a build. */
export type Verdict = Ruling<VerdictRule> &
  Grounds & {
    /** True while facts of the provider are missing and a second evaluation is to come. */
    readonly provisional: boolean;
  };

/** The answer on one flag, or on the changed lines. `not-reported` flags have no share in the total (rule 17). */
export type FlagVerdict = Ruling<FlagRule> & Grounds;

/**
 * For flags alone besides: `carried` ones never fail, since none of their tests ran here (rule 16); of groups alone:
 * `untouched` ones by the change.
 */
export const FLAG_RULES = [...VERDICT_RULES, 'not-reported', 'carried', 'untouched'] as const;
export type FlagRule = (typeof FLAG_RULES)[number];
