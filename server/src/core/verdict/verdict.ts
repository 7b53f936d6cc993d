import type { FlagRule, IgnorablePart, Reason, VerdictRule, VerdictTexts } from './reason.ts';

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
