import { isAccepted } from '../core/builds/acceptance.ts';
import type { PatchResult } from '../core/builds/build-facts.ts';
import { changeText, type Ratio, showPart } from '../core/coverage/percent.ts';
import { type CoverageTotals, missedBranches, missedLines } from '../core/coverage/totals.ts';
import { printable } from '../core/printable.ts';
import { type ChangePart, splitRemoved } from '../core/verdict/attribute-change.ts';
import { exceededDrop, type Remedy, reasonOf } from '../core/verdict/reason.ts';
import type { ChangeSums, CommitsBefore, FlippedMovement, Movement } from '../core/verdict/split-change.ts';
import type { CauseTexts, ChangeCause, ExplainedChange, FlagVerdict, MissingReports } from '../core/verdict/verdict.ts';
import { counted, toSentence } from './phrases.ts';
import { describeBefore, describeCommits, shownPoints } from './shown-points.ts';

/** A change in words. */
export interface CauseWords extends Omit<CauseTexts, 'parts'> {
  /** `points` as the JSON has them; `shown` as pages do, absent in results of earlier versions. */
  readonly parts: readonly (CauseTexts['parts'][number] & {
    readonly shown?: string;
    /** For the part that others did. */
    readonly before?: CommitsBefore;
  })[];
  /** What caused it in the fewest words, where names are left out of them. */
  readonly shortClause?: string;
  /** What would pass in the fewest words, after others that say of what; absent if the verdict does not fail. */
  readonly shortRemedy?: string | undefined;
}

/**
 * Where the change of a verdict comes from, and what would pass, in words: without a full stop except for `sentence`,
 * which is empty if there is nothing to say.
 * Nobody is asked to cover anything where the verdict only informs, or its failure is accepted.
 */
export function describeCause(cause: ChangeCause, verdict: FlagVerdict): CauseWords {
  if ('sentence' in cause) return cause;
  const { mainPart, split, missing } = cause;
  const remedy = isAccepted(verdict) ? undefined : cause.remedy;
  const asked = verdict.informational === true ? undefined : remedy;
  const beyond = exceededDrop(reasonOf(verdict));
  const main = missing
    ? describeMissing(missing)
    : mainPart && split && describePart(mainPart, { cause, split, beyond });
  const before = split && (missing || mainPart !== 'before') ? describeBefore(split, beyond) : undefined;
  const clauses = [main?.full, before?.full, remedy && describeRemedy(remedy, mainPart)].filter(
    (clause) => clause !== undefined,
  );
  return {
    sentence: clauses.length === 0 ? '' : toSentence(clauses.join('; ')),
    clause: main?.brief,
    ...(missing && { shortClause: countMissing(missing) }),
    remedy: asked && `cover ${missingCode(asked)} to pass`,
    shortRemedy: asked && `cover ${asked.count} more to pass`,
    parts: split === undefined ? [] : pointsOf(split, beyond),
  };
}

/** Where the change of a verdict comes from, for a place that says by itself what would pass. */
export function whyMoved(cause: ChangeCause, verdict: FlagVerdict): string {
  return describeCause('sentence' in cause ? cause : { ...cause, remedy: undefined }, verdict).sentence;
}

/** Whether nothing else than the changed lines moved the total most. */
export function isCausedByChange(cause: ChangeCause | undefined): boolean {
  if (cause === undefined || 'sentence' in cause) return cause === undefined;
  return cause.missing === undefined && (cause.mainPart ?? 'changed') === 'changed';
}

/** Whether unchanged code moved the total most. */
export function isLoss(cause: ChangeCause | undefined): boolean {
  if (cause === undefined || 'sentence' in cause || cause.missing !== undefined) return false;
  return cause.mainPart === 'outside' || cause.mainPart === 'untouched';
}

/** What a part of a change is called. */
export function namePart(named: { readonly part: ChangePart; readonly before?: CommitsBefore | undefined }): string {
  const { part, before } = named;
  return before === undefined ? PART_NAMES[part] : describeCommits(before);
}

const PART_NAMES: Readonly<Record<ChangePart, string>> = {
  changed: 'changed lines',
  outside: 'unchanged lines of changed files',
  untouched: 'other files',
  unstable: 'lines that flip without a change',
  removed: 'removed code',
  before: 'commits before the change',
  unexplained: 'files whose changes are not known',
};

/** That lines of the change have no numbers, and why; undefined if all have. */
export function describeNotMeasured({ notMeasured }: Pick<PatchResult, 'notMeasured'>): string | undefined {
  if (notMeasured === undefined) return undefined;
  const { lines, files } = notMeasured;
  const them = files === 1 ? 'it' : 'them';
  const what = `${counted(lines, 'changed line')} of ${counted(files, 'file')}`;
  return `${what} not measured: only carried reports name ${them}.`;
}

/** What would pass, of a verdict on the change alone. */
export function patchRemedy(verdict: FlagVerdict): string | undefined {
  const reason = reasonOf(verdict);
  return reason.kind === 'patch' && reason.remedy ? `cover ${reason.remedy.count} more to pass` : undefined;
}

/** What moved the total between any two builds. */
export function partsOf(split: ChangeSums): CauseWords['parts'] {
  return pointsOf(split, undefined);
}

/** Those that moved the total, in a stable order. What is shown adds up to the change as it is shown. */
function pointsOf(split: ChangeSums, beyond: Ratio | undefined): CauseWords['parts'] {
  const { places = 0, parts = [] } = shownPoints(split, beyond) ?? {};
  return parts
    .filter(({ points: { numerator } }) => numerator !== 0n)
    .map(({ part, points }) => ({
      part,
      points: changeText(points, places),
      shown: showPart(points, places),
      ...(part === 'before' && split.before && { before: split.before }),
    }));
}

/** The same for a page, and for the few characters that a commit status has. */
interface Clause {
  readonly full: string;
  readonly brief: string;
}

/** Names of flags are as long as an upload made them. */
const MAX_NAMED = 3;
const MAX_NAME = 40;

function describeMissing({ flags, more: unnamed, vanished }: MissingReports): Clause {
  const count = flags.length + unnamed;
  const named = flags.slice(0, MAX_NAMED).map((flag) => printable(flag, MAX_NAME));
  const more = count > MAX_NAMED ? ` and ${count - MAX_NAMED} more` : '';
  const [what, them] = count === 1 ? ['flag', 'it'] : ['flags', 'them'];
  const brief = `${what} ${named.join(', ')}${more} did not report`;
  const { files = 0, lines = 0 } = vanished ?? {};
  const lost = files === 0 ? '' : `: ${counted(lines, 'line')} of ${counted(files, 'file')} are not in this build`;
  return { full: `${brief}${lost}; carry ${them} forward or run ${them}`, brief };
}

function countMissing({ flags, more }: MissingReports): string {
  return `${counted(flags.length + more, 'flag')} did not report`;
}

function describePart(
  part: ChangePart,
  found: { readonly cause: ExplainedChange; readonly split: ChangeSums; readonly beyond: Ratio | undefined },
): Clause | undefined {
  const { split } = found;
  const { changed } = found.cause;
  switch (part) {
    case 'changed':
      return describeChanged(changed ?? split.changed);
    case 'before':
      return describeBefore(split, found.beyond);
    case 'removed':
      return describeRemoved(split, changed ?? split.changed);
    case 'unexplained': {
      const moved = `coverage moved in ${counted(split.unexplainedFiles, 'file')}`;
      return { full: `${moved} whose changes are not known`, brief: `${moved}, changes not known` };
    }
    case 'outside':
    case 'untouched':
      return describeLoss(part, split);
    case 'unstable':
      return split.unstable && describeFlips(split.unstable);
  }
}

/** A changed part that took points has missed lines or branches. */
function describeChanged(changed: CoverageTotals): Clause {
  const lines = missedLines(changed);
  const missed = lines > 0 ? lines : missedBranches(changed);
  const all =
    lines > 0
      ? counted(changed.relevantLines, 'changed line')
      : `${counted(changed.branches, 'branch', 'branches')} on changed lines`;
  const what = `${missed} of ${all}`;
  return { full: `${what} ${missed === 1 ? 'is' : 'are'} not covered`, brief: `${what} missed` };
}

function describeRemoved(split: ChangeSums, changed: CoverageTotals): Clause {
  const { removed } = split;
  const isOfLines = splitRemoved(split).unreplaced.coveredLines > 0;
  const count = isOfLines ? removed.coveredLines : removed.coveredBranches;
  const what = isOfLines ? counted(count, 'covered line') : counted(count, 'covered branch', 'covered branches');
  const added = changed.relevantLines > 0 ? ` and ${counted(changed.relevantLines, 'relevant line')} added` : '';
  const isMissed = missedLines(changed) + missedBranches(changed) > 0;
  return {
    full: `${what} ${count === 1 ? 'was' : 'were'} removed${added}${isMissed ? '' : '; no changed line is missed'}`,
    brief: `${what} removed`,
  };
}

/** Lost lines are reported for all unchanged code together: their lists make no difference either. */
function describeLoss(part: 'outside' | 'untouched', split: ChangeSums): Clause {
  const lost = split.outside.lostLines + split.untouched.lostLines;
  if (lost > 0)
    return {
      full: `${counted(lost, 'line')} outside the change lost coverage`,
      brief: `${counted(lost, 'line')} lost outside the change`,
    };
  const where = part === 'outside' ? 'on unchanged lines of changed files' : 'in files that did not change';
  return { full: describeCounts(split[part], where), brief: `coverage fell ${where}` };
}

/** If more blocks are lost at once than chance explains, the usual number is added: something else caused it. */
function describeFlips({ before, lostLines, blocks, missed, usual, isUsual }: FlippedMovement): Clause {
  const what = lostLines > 0 ? counted(lostLines, 'line') : counted(before.coveredBranches, 'branch', 'branches');
  const flip = `flip${(lostLines || before.coveredBranches) === 1 ? 's' : ''} without a change`;
  const brief = `${what} that ${flip}`;
  if (isUsual) return { full: `${what} ${flip} of the text`, brief };
  const range = usual.most === usual.least ? `${usual.most}` : `${usual.least} to ${usual.most}`;
  return { full: `${missed} of ${counted(blocks, 'flipping block')} are missed at once, usually ${range}`, brief };
}

/** If no covered line was lost, branches were, or more code counts than before. */
function describeCounts({ before, after }: Movement, where: string): string {
  const [relevantBefore, relevantNow] = [before, after].map((totals) => totals.relevantLines + totals.branches);
  const [coveredBefore, coveredNow] = [before, after].map((totals) => totals.coveredLines + totals.coveredBranches);
  const hasBranches = before.branches + after.branches > 0;
  const unit = hasBranches ? 'lines and branches' : 'lines';
  if (relevantBefore === 0) return `${coveredNow} of ${relevantNow} ${unit} new in reports, ${where}, are covered`;
  if (relevantNow === 0) {
    const covered = counted(
      coveredBefore as number,
      hasBranches ? 'covered line or branch' : 'covered line',
      `covered ${unit}`,
    );
    return `${covered} ${where} ${coveredBefore === 1 ? 'is' : 'are'} no longer in reports`;
  }
  return `covered ${unit} ${where} went from ${coveredBefore} of ${relevantBefore} to ${coveredNow} of ${relevantNow}`;
}

/** For missing code: a sentence of its own, unless the changed lines were named before it as the cause. */
export function describeRemedy(remedy: Remedy, cause?: ChangePart): string {
  const { count, of } = remedy;
  const code = missingCode({ count, of: of === 'changed-lines' && cause === 'changed' ? 'lines' : of });
  return `covering ${code}${isOfChange(remedy) ? '' : ' anywhere'} would pass`;
}

function isOfChange({ of }: Remedy): boolean {
  return of === 'changed-lines' || of === 'changed-code';
}

function missingCode(remedy: Remedy): string {
  const { count, of } = remedy;
  const changed = isOfChange(remedy) ? 'changed ' : '';
  if (of === 'lines' || of === 'changed-lines') return counted(count, `more ${changed}line`);
  return counted(count, `more ${changed}line or branch`, `more ${changed}lines or branches`);
}
