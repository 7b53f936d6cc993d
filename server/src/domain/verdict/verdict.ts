/** Names of the rules that decide a verdict (rules.md "Verdict"). */
export type VerdictRule =
  | 'no-decrease'
  | 'minimum'
  | 'allowed-drop'
  | 'first-build'
  | 'nothing-relevant'
  | 'no-coverage-arrived'
  | 'incomplete'
  /** Of changed lines alone: their minimum. */
  | 'patch-minimum'
  /** Of changed lines alone, where no minimum is set: how many are covered is shown. */
  | 'patch-change';

export type VerdictState = 'success' | 'failure' | 'incomplete';

/** The answer on a build, with the rule that decided and both numbers in words. */
export interface Verdict {
  readonly state: VerdictState;
  readonly rule: VerdictRule;
  /** A sentence with the rule in words and both numbers. */
  readonly explanation: string;
  /** The same in few words for a commit status: begins with the percentage where there is one. */
  readonly summary: string;
  /**
   * In the fewest words that still have the rule and both numbers; absent in results of earlier versions, and where
   * summary has no more.
   */
  readonly brief?: string | undefined;
  /** True while facts of the provider lack and a second evaluation is to come. */
  readonly provisional: boolean;
  /** The repo only wants to be told: the state is what it is, and no commit status fails by it. */
  readonly informational?: true | undefined;
}

/** The answer on one flag. `not-reported` flags have no share in the total (rule 17). */
export interface FlagVerdict {
  readonly state: VerdictState;
  readonly rule: VerdictRule | 'not-reported';
  readonly explanation: string;
  readonly summary: string;
  /** As of a build's. */
  readonly brief?: string | undefined;
  /** As of a build's, by the repo's setting or by the flag's own. */
  readonly informational?: true | undefined;
}

/** The verdict as one that fails no commit status, which a failing one says. */
export function asInformational<V extends FlagVerdict>(verdict: V): V & { readonly informational: true } {
  const note = verdict.state === 'success' ? '' : ' Informational only: no commit status fails by it.';
  return { ...verdict, explanation: verdict.explanation + note, informational: true };
}

/** A clause as a sentence of its own. */
export function toSentence(clause: string): string {
  return `${clause.charAt(0).toUpperCase()}${clause.slice(1)}.`;
}
