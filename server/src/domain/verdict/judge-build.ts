import {
  compareRatios,
  exactDecimal,
  type Ratio,
  showPercent,
  showPoints,
  subtractRatios,
  totalPercent,
} from '../coverage/percent.ts';
import type { CoverageTotals } from '../coverage/totals.ts';
import { type FlagVerdict, toSentence, type Verdict, type VerdictRule } from './verdict.ts';

/** The thresholds of a repo: percent and percentage points from 0 to 100, null where none is set. */
export interface Thresholds {
  readonly minimum: number | null;
  readonly allowedDrop: number | null;
}

/** The base's numbers, with the number it has for people. */
export interface JudgedBase {
  readonly number: string;
  readonly totals: CoverageTotals;
}

export interface JudgedBuild {
  readonly totals: CoverageTotals;
  readonly base: JudgedBase | undefined;
  readonly thresholds: Thresholds;
  /** Flags that did not report before the build was closed for them (rule 13). */
  readonly unavailable: readonly string[];
  /**
   * Only of a build that no job came for: how many of the files that changed the base measured; undefined where nobody
   * knows.
   */
  readonly measuredChanges?: number | undefined;
}

export interface JudgedFlag {
  readonly totals: CoverageTotals;
  readonly base: JudgedBase | undefined;
  /** The repo's. */
  readonly thresholds: Thresholds;
  /** The flag's own, which go before the repo's; what is null there is not set. */
  readonly own?: Thresholds | undefined;
}

/** What one rule says; `clause` follows the percentage and a comma. */
interface Finding {
  readonly passes: boolean;
  readonly rule: VerdictRule;
  readonly clause: string;
  /** Where the clause can be said in fewer words: follows the percentage. */
  readonly brief?: string | undefined;
}

/** The verdict on a build: rules 4 and 13, then the table of minimum and allowed drop. */
export function judgeBuild(build: JudgedBuild): Verdict {
  if (build.unavailable.length > 0) return { ...incomplete(build.unavailable), provisional: false };
  const percent = totalPercent(build.totals);
  if (percent === undefined) return { ...judgeNothing(build.base, build.measuredChanges), provisional: false };
  return { ...conclude(percent, judgeTotal(percent, build)), provisional: false };
}

/**
 * A flag is judged by change alone, against the same flag in the base; the repo's minimum applies to the build. One
 * with a minimum of its own is judged by the table, as a build is: by that minimum, and by an allowed drop where it or
 * the repo has one.
 */
export function judgeFlag(flag: JudgedFlag): FlagVerdict {
  const { totals, base } = flag;
  const percent = totalPercent(totals);
  if (percent === undefined) return judgeNothing(base);
  const thresholds = flagThresholds(flag);
  if (thresholds.minimum !== null) return conclude(percent, judgeTotal(percent, { base, thresholds }));
  return conclude(percent, judgeMovement(percent, base, { ...thresholds, minimum: flag.thresholds.minimum }));
}

/**
 * What can fail a flag: its own minimum, and its own or the repo's allowed drop. A flag that fails by a threshold fails
 * as a build with these would. (Where only the repo has a minimum no flag fails by one, though neither of these is
 * set.)
 */
export function flagThresholds({ thresholds, own }: Pick<JudgedFlag, 'thresholds' | 'own'>): Thresholds {
  return { minimum: own?.minimum ?? null, allowedDrop: own?.allowedDrop ?? thresholds.allowedDrop };
}

/** A flag that the base has and the build lacks (rule 17): no share in the total. */
export function judgeMissingFlag(
  lastSeen: { readonly number: string; readonly totals: CoverageTotals },
  unavailable: boolean,
): FlagVerdict {
  const last = `last ${showPercent(totalPercent(lastSeen.totals))} in build ${lastSeen.number}`;
  return unavailable
    ? inWords('incomplete', 'incomplete', `did not report before the build was closed; ${last}`)
    : inWords('success', 'not-reported', `not reported; ${last}`);
}

/** The table of minimum and allowed drop: the first that fails, else all that hold. */
function judgeTotal(percent: Ratio, build: Pick<JudgedBuild, 'base' | 'thresholds'>): Finding {
  const { minimum, allowedDrop } = build.thresholds;
  const findings: Finding[] = minimum === null ? [] : [judgeMinimum(percent, minimum)];
  const before = build.base && totalPercent(build.base.totals);
  if (build.base !== undefined && before !== undefined) {
    if (allowedDrop !== null) findings.push(judgeDrop(percent, before, build.base, allowedDrop));
    else if (minimum === null) findings.push(judgeDecrease(percent, before, build.base));
  }
  if (findings.length > 0) return findings.find((finding) => !finding.passes) ?? joinPassing(findings);
  return { passes: true, rule: 'first-build', clause: 'with no earlier build to compare with' };
}

function judgeMovement(percent: Ratio, base: JudgedBase | undefined, thresholds: Thresholds): Finding {
  const before = base && totalPercent(base.totals);
  if (base === undefined || before === undefined)
    return { passes: true, rule: 'first-build', clause: 'with no earlier report of this flag to compare with' };
  if (thresholds.allowedDrop !== null) return judgeDrop(percent, before, base, thresholds.allowedDrop);
  const finding = judgeDecrease(percent, before, base);
  if (finding.passes || thresholds.minimum === null) return finding;
  const decides = "only the build's minimum decides";
  return {
    passes: true,
    rule: 'minimum',
    clause: `${changeClause(percent, before, base)}; ${decides}`,
    brief: `${fromBase(before, base)}; ${decides}`,
  };
}

/** By exact counts; the clause follows a percentage. */
export function judgeMinimum(percent: Ratio, minimum: number): Finding {
  const passes = compareRatios(percent, exactDecimal(minimum)) >= 0;
  return { passes, rule: 'minimum', clause: `${passes ? 'at least' : 'below'} the minimum of ${minimum}%` };
}

function judgeDecrease(percent: Ratio, before: Ratio, base: JudgedBase): Finding {
  const passes = compareRatios(percent, before) >= 0;
  const limit = passes ? '' : '; no decrease is allowed';
  return {
    passes,
    rule: 'no-decrease',
    clause: changeClause(percent, before, base) + limit,
    brief: fromBase(before, base) + limit,
  };
}

function judgeDrop(percent: Ratio, before: Ratio, base: JudgedBase, allowed: number): Finding {
  const drop = subtractRatios(before, percent);
  const passes = compareRatios(drop, exactDecimal(allowed)) <= 0;
  const limit =
    drop.numerator <= 0n ? '' : passes ? `, within the allowed ${allowed}%` : `; more than the allowed ${allowed}%`;
  const clause = changeClause(percent, before, base, passes ? undefined : exactDecimal(allowed));
  return { passes, rule: 'allowed-drop', clause: clause + limit, brief: fromBase(before, base) + limit };
}

/**
 * Rule 4. Where no job came at all, what the change touches decides: nothing was due where the base measures none of
 * it.
 */
function judgeNothing(base: JudgedBase | undefined, measuredChanges?: number): FlagVerdict & Pick<Verdict, 'rule'> {
  const relevant = base?.totals.relevantLines ?? 0;
  if (base === undefined || relevant === 0) return inWords('success', 'nothing-relevant', 'no relevant lines');
  if (measuredChanges === 0) return inWords('success', 'nothing-relevant', 'no measured file changed');
  if (measuredChanges !== undefined) {
    const files = measuredChanges === 1 ? '1 changed file is' : `${measuredChanges} changed files are`;
    return inWords(
      'failure',
      'no-coverage-arrived',
      `coverage was expected, none came: ${files} measured in build ${base.number}`,
    );
  }
  const lines = relevant === 1 ? '1 relevant line' : `${relevant} relevant lines`;
  return inWords('failure', 'no-coverage-arrived', `no coverage arrived; the base (build ${base.number}) had ${lines}`);
}

function incomplete(unavailable: readonly string[]): FlagVerdict & Pick<Verdict, 'rule'> {
  return inWords(
    'incomplete',
    'incomplete',
    `incomplete: ${unavailable.join(', ')} did not report before the build was closed`,
  );
}

/** Where both a minimum and an allowed drop hold, both are named. */
function joinPassing(findings: readonly Finding[]): Finding {
  const [first, second] = findings as readonly [Finding, Finding?];
  if (second === undefined) return first;
  return { ...first, clause: `${first.clause}, and ${second.clause}`, brief: `${second.brief}, and ${first.clause}` };
}

function fromBase(before: Ratio, base: JudgedBase): string {
  return `from ${showPercent(before)} in build ${base.number}`;
}

function changeClause(percent: Ratio, before: Ratio, base: JudgedBase, beyond?: Ratio): string {
  const change = subtractRatios(percent, before);
  if (change.numerator === 0n) return `unchanged from build ${base.number}`;
  return `${change.numerator > 0n ? 'up' : 'down'} ${showPoints(change, beyond)}% ${fromBase(before, base)}`;
}

function conclude(percent: Ratio, { passes, rule, clause, brief }: Finding): FlagVerdict & Pick<Verdict, 'rule'> {
  const shown = showPercent(percent);
  const summary = `${shown}, ${clause}`;
  return {
    state: passes ? 'success' : 'failure',
    rule,
    explanation: `Coverage is ${summary}.`,
    summary,
    brief: brief === undefined ? summary : `${shown} ${brief}`,
  };
}

function inWords<R extends FlagVerdict['rule']>(
  state: Verdict['state'],
  rule: R,
  summary: string,
): FlagVerdict & { readonly rule: R } {
  return { state, rule, explanation: toSentence(summary), summary };
}
