import { totalPercent } from '../coverage/percent.ts';
import { explainChange, isSplitOf } from './explain-change.ts';
import { forgivenParts, type IgnoredParts, withoutLuck } from './ignored-parts.ts';
import { flagThresholds, type JudgedBuild, type JudgedFlag, judgeBuild, judgeFlag } from './judge-build.ts';
import type { ChangeSums } from './split-change.ts';
import type { ExplainedChange, FlagVerdict, Forgiveness, Verdict } from './verdict.ts';

/** What a repo's settings say of verdicts besides its thresholds. */
export interface ChangeSettings extends IgnoredParts {
  readonly informational: boolean;
}

/** A verdict, and where the change that it judges comes from. */
export interface JudgedChange<V extends FlagVerdict = Verdict> {
  readonly verdict: V;
  /** Undefined if no split is known, and where the total did not fall and the verdict does not fail. */
  readonly cause: ExplainedChange | undefined;
}

/**
 * The verdict on a build with what made the total fall and what would pass; a failure by parts that the repo leaves out
 * of account becomes a success that names them.
 */
export function judgeChange(build: JudgedBuild, split: ChangeSums | undefined, settings: ChangeSettings): JudgedChange {
  const steady = split && isSplitOf(build, split) ? withoutLuck({ judged: build, split }, settings) : undefined;
  const judged = { ...build, steady };
  const plain = judgeBuild(judged);
  return tellChange({ plain, judged, split: explains(plain, judged) ? split : undefined, subject: 'build' }, settings);
}

/**
 * The same of a flag. Only a failure by a threshold is looked into, and only with a split of the very counts that were
 * judged: of any other nothing is claimed.
 */
export function judgeFlagChange(
  flag: JudgedFlag,
  split: ChangeSums | undefined,
  settings: ChangeSettings,
): JudgedChange<FlagVerdict> {
  const judged: JudgedBuild = { ...flag, thresholds: flagThresholds(flag), unreported: [] };
  const known = split !== undefined && failsByThreshold(flag) && isSplitOf(judged, split) ? split : undefined;
  return tellChange({ plain: judgeFlag(flag), judged, split: known, subject: 'flag' }, settings);
}

/** Whether a flag fails by its change or by its own minimum; missing coverage (rule 4) is another matter. */
export function failsByThreshold(flag: JudgedFlag): boolean {
  return totalPercent(flag.totals) !== undefined && judgeFlag(flag).state === 'failure';
}

/** A plain verdict, and what explains it. */
interface Telling<V extends FlagVerdict> {
  readonly plain: V;
  /** Fails by these thresholds where the plain verdict does. */
  readonly judged: JudgedBuild;
  readonly split: ChangeSums | undefined;
  readonly subject: Forgiveness['subject'];
}

/** Missing coverage is not explained by a drop (rules 4 and 13). */
function explains({ state }: FlagVerdict, { totals }: JudgedBuild): boolean {
  return state !== 'incomplete' && totalPercent(totals) !== undefined;
}

function tellChange<V extends FlagVerdict>(telling: Telling<V>, settings: ChangeSettings): JudgedChange<V> {
  const { plain, judged, split, subject } = telling;
  const parts = split && isSplitOf(judged, split) ? forgivenParts({ judged, split }, settings) : undefined;
  const found = explains(plain, judged) ? explainChange(judged, split, plain.state) : undefined;
  const verdict: V = settings.informational ? { ...plain, informational: true } : plain;
  if (parts === undefined) return { verdict, cause: found };
  // What would pass is left out where it passes already.
  const cause = found?.mainPart === undefined ? undefined : { ...found, remedy: undefined };
  return { verdict: { ...verdict, state: 'success', forgiven: { parts, subject } }, cause };
}
