import type { ChangeCause } from '../build/build-facts.ts';
import { showChange, totalPercent } from '../coverage/percent.ts';
import { attributeChange, CHANGE_PARTS } from './attribute-change.ts';
import { describeRemedy, explainChange, isSplitOf } from './explain-change.ts';
import { forgivenParts, type IgnorablePart, type IgnoredParts } from './ignored-parts.ts';
import { type JudgedBuild, judgeBuild } from './judge-build.ts';
import type { ChangeSums } from './split-change.ts';
import { asInformational, toSentence, type Verdict } from './verdict.ts';

/** What a repo's settings say of verdicts besides its thresholds. */
export interface ChangeSettings extends IgnoredParts {
  readonly informational: boolean;
}

/** A verdict, and where the change that it judges comes from. */
export interface JudgedChange {
  readonly verdict: Verdict;
  /** Undefined where no split is known, and where the total did not fall and the verdict does not fail. */
  readonly cause: ChangeCause | undefined;
}

const ALLOWED: Readonly<Record<IgnorablePart, string>> = {
  removed: 'removed code',
  untouched: 'loss in untouched files',
};

/**
 * The verdict on a build with all that the split of its change tells: what made the total fall and what would pass are added to the
 * explanation; a failure by parts that the repo leaves out of account becomes a success that names them. An incomplete build and one
 * without a percentage have no cause: no coverage that lacks is explained by a drop (rules 4 and 13).
 */
export function judgeChange(judged: JudgedBuild, split: ChangeSums | undefined, settings: ChangeSettings): JudgedChange {
  const plain = judgeBuild(judged);
  const explicable = plain.state !== 'incomplete' && totalPercent(judged.totals) !== undefined;
  const known = explicable ? split : undefined;
  const forgiven = known && isSplitOf(judged, known) ? forgivenParts({ judged, split: known }, settings) : undefined;
  const cause = known && findCause(judged, known, forgiven !== undefined);
  const explained = cause === undefined ? plain : { ...plain, explanation: `${plain.explanation} ${cause.sentence}` };
  const verdict = forgiven === undefined ? explained : forgive(explained, forgiven);
  return { verdict: settings.informational ? asInformational(verdict) : verdict, cause };
}

/** The rule and both numbers stay in the words; that it passes all the same, and by what, comes after them. */
function forgive(verdict: Verdict, parts: readonly IgnorablePart[]): Verdict {
  const clause = `${parts.map((part) => ALLOWED[part]).join(' and ')} alone ${parts.length > 1 ? 'do' : 'does'} not fail`;
  return {
    ...verdict,
    state: 'success',
    explanation: `${verdict.explanation} By this repo's settings ${clause} a build.`,
    summary: `${verdict.summary}, but ${clause}`,
  };
}

/** What would pass is left out where it passes already. */
function findCause(judged: JudgedBuild, split: ChangeSums, passes: boolean): ChangeCause | undefined {
  const found = explainChange(judged, split);
  const { causeClause } = found ?? {};
  if (found === undefined || (passes && causeClause === undefined)) return undefined;
  return {
    sentence: passes && causeClause !== undefined ? toSentence(causeClause) : found.sentence,
    clause: causeClause,
    remedy: passes || found.remedy === undefined ? undefined : describeRemedy(found.remedy),
    parts: isSplitOf(judged, split) ? partsOf(split) : [],
  };
}

/** Those that moved the total, in a stable order. */
function partsOf(split: ChangeSums): ChangeCause['parts'] {
  const points = attributeChange(split);
  if (points === undefined) return [];
  return CHANGE_PARTS.filter((part) => points[part].numerator !== 0n).map((part) => ({ part, points: showChange(points[part]) }));
}
