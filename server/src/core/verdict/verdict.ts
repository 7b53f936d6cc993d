import type { CoverageTotals } from '../coverage/totals.ts';
import type { ChangePart } from './attribute-change.ts';
import type { FlagRule, IgnorablePart, Reason, Remedy, VerdictRule, VerdictTexts } from './reason.ts';
import type { ChangeSums } from './split-change.ts';

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

/** Where a change against the base comes from, and what would make a failing verdict pass. */
export interface ExplainedChange {
  /** The part that took most percentage points; undefined if the total did not fall. */
  readonly mainPart: ChangePart | undefined;
  /** Undefined if the split that is known is of other counts than the verdict judged. */
  readonly split: ChangeSums | undefined;
  /** The changed lines as the patch counts them; absent if the split counts the same. */
  readonly changed?: CoverageTotals | undefined;
  /** Undefined if the verdict does not fail. */
  readonly remedy: Remedy | undefined;
  /** What did not report, where the total fell and no line of the change is the reason. */
  readonly missing?: MissingReports | undefined;
}

/** Flags that the base has, and that did not report and are not carried. */
export interface MissingReports {
  /** At most MAX_NAMED. */
  readonly flags: readonly string[];
  /** How many more there are. */
  readonly more: number;
  /** What only the base names, and the diff does not take out; undefined if no diff is known. */
  readonly vanished: ChangeSums['vanished'];
}

/** The words of a change as results of earlier versions hold them. */
export interface CauseTexts {
  /** What moved the most, and what would pass. */
  readonly sentence: string;
  /** What moved the most in few words; undefined if the total did not fall. */
  readonly clause: string | undefined;
  /** What would pass in few words; absent if the verdict does not fail. */
  readonly remedy?: string | undefined;
  /** Percentage points with as many decimals as they need; exact, they sum to the change. */
  readonly parts: readonly { readonly part: ChangePart; readonly points: string }[];
}

export type ChangeCause = ExplainedChange | CauseTexts;
