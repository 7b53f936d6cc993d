/** Names of the rules that decide a verdict (rules.md "Verdict"). */
export type VerdictRule =
  | 'no-decrease'
  | 'minimum'
  | 'allowed-drop'
  | 'first-build'
  | 'nothing-relevant'
  | 'no-coverage-arrived'
  | 'incomplete';

export type VerdictState = 'success' | 'failure' | 'incomplete';

/** The answer on a build, with the rule that decided and both numbers in words. */
export interface Verdict {
  readonly state: VerdictState;
  readonly rule: VerdictRule;
  /** A sentence with the rule in words and both numbers. */
  readonly explanation: string;
  /** The same in few words for a commit status: begins with the percentage where there is one. */
  readonly summary: string;
  /** True while facts of the provider lack and a second evaluation is to come. */
  readonly provisional: boolean;
}

/** The answer on one flag. `not-reported` flags have no share in the total (rule 17). */
export interface FlagVerdict {
  readonly state: VerdictState;
  readonly rule: VerdictRule | 'not-reported';
  readonly explanation: string;
  readonly summary: string;
}
