import { showChange, totalPercent } from '../coverage/percent.ts';
import { attributeChange, CHANGE_PARTS } from './attribute-change.ts';
import type { ChangeCause } from './change-cause.ts';
import { causeInBrief, remedyInBrief } from './change-in-brief.ts';
import { explainChange, isSplitOf } from './explain-change.ts';
import { forgivenParts, type IgnorablePart, type IgnoredParts } from './ignored-parts.ts';
import { flagThresholds, type JudgedBuild, type JudgedFlag, judgeBuild, judgeFlag } from './judge-build.ts';
import type { ChangeSums } from './split-change.ts';
import { asInformational, type FlagVerdict, toSentence, type Verdict } from './verdict.ts';

/** What a repo's settings say of verdicts besides its thresholds. */
export interface ChangeSettings extends IgnoredParts {
  readonly informational: boolean;
}

/** A verdict, and where the change that it judges comes from. */
export interface JudgedChange<V extends FlagVerdict = Verdict> {
  readonly verdict: V;
  /** Undefined where no split is known, and where the total did not fall and the verdict does not fail. */
  readonly cause: ChangeCause | undefined;
}

const ALLOWED: Readonly<Record<IgnorablePart, string>> = {
  removed: 'removed code',
  untouched: 'loss in untouched files',
};

/**
 * The verdict on a build with all that the split of its change tells: what made the total fall and what would pass are
 * added to the explanation; a failure by parts that the repo leaves out of account becomes a success that names them.
 * An incomplete build and one without a percentage have no cause: no coverage that lacks is explained by a drop (rules
 * 4 and 13).
 */
export function judgeChange(
  judged: JudgedBuild,
  split: ChangeSums | undefined,
  settings: ChangeSettings,
): JudgedChange {
  const plain = judgeBuild(judged);
  const explicable = plain.state !== 'incomplete' && totalPercent(judged.totals) !== undefined;
  const known = explicable ? split : undefined;
  return tellChange({ plain, judged, split: known, subject: 'build' }, settings);
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
  const judged: JudgedBuild = { ...flag, thresholds: flagThresholds(flag), unavailable: [] };
  const known = split !== undefined && failsByThreshold(flag) && isSplitOf(judged, split) ? split : undefined;
  return tellChange({ plain: judgeFlag(flag), judged, split: known, subject: 'flag' }, settings);
}

/** Whether a flag fails by its change or by its own minimum; no coverage at all (rule 4) is another matter. */
export function failsByThreshold(flag: JudgedFlag): boolean {
  return totalPercent(flag.totals) !== undefined && judgeFlag(flag).state === 'failure';
}

/** A plain verdict, and what there is to tell more of it. */
interface Telling<V extends FlagVerdict> {
  readonly plain: V;
  /** Fails by these thresholds where the plain verdict does. */
  readonly judged: JudgedBuild;
  readonly split: ChangeSums | undefined;
  readonly subject: 'build' | 'flag';
}

function tellChange<V extends FlagVerdict>(telling: Telling<V>, settings: ChangeSettings): JudgedChange<V> {
  const { plain, judged, split, subject } = telling;
  const forgiven = split && isSplitOf(judged, split) ? forgivenParts({ judged, split }, settings) : undefined;
  const cause = split && findCause(judged, split, forgiven !== undefined);
  const explained = cause === undefined ? plain : { ...plain, explanation: `${plain.explanation} ${cause.sentence}` };
  const verdict = forgiven === undefined ? explained : forgive(explained, forgiven, subject);
  return { verdict: settings.informational ? asInformational(verdict) : verdict, cause };
}

/** The rule and both numbers stay in the words; that it passes all the same, and by what, comes after them. */
function forgive<V extends FlagVerdict>(
  verdict: V,
  parts: readonly IgnorablePart[],
  subject: Telling<V>['subject'],
): V {
  const clause = `${parts.map((part) => ALLOWED[part]).join(' and ')} alone ${parts.length > 1 ? 'do' : 'does'} not fail`;
  return {
    ...verdict,
    state: 'success',
    explanation: `${verdict.explanation} By this repo's settings ${clause} a ${subject}.`,
    summary: `${verdict.summary}, but ${clause}`,
    brief: verdict.brief && `${verdict.brief}, but ${clause}`,
  };
}

/** What would pass is left out where it passes already. */
function findCause(judged: JudgedBuild, split: ChangeSums, passes: boolean): ChangeCause | undefined {
  const found = explainChange(judged, split);
  const { causeClause } = found ?? {};
  if (found === undefined || (passes && causeClause === undefined)) return undefined;
  return {
    sentence: passes && causeClause !== undefined ? toSentence(causeClause) : found.sentence,
    clause: found.cause && causeInBrief(found.cause.part, split),
    remedy: passes || found.remedy === undefined ? undefined : remedyInBrief(found.remedy),
    parts: isSplitOf(judged, split) ? partsOf(split) : [],
  };
}

/** Those that moved the total, in a stable order. */
function partsOf(split: ChangeSums): ChangeCause['parts'] {
  const points = attributeChange(split);
  if (points === undefined) return [];
  return CHANGE_PARTS.filter((part) => points[part].numerator !== 0n).map((part) => ({
    part,
    points: showChange(points[part]),
  }));
}
