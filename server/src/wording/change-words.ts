import type { PatchResult } from '../domain/builds/build-facts.ts';
import { changeText, showPart } from '../domain/coverage/percent.ts';
import { type CoverageTotals, missedBranches, missedLines } from '../domain/coverage/totals.ts';
import { printable } from '../domain/printable.ts';
import { type ChangePart, splitRemoved } from '../domain/verdict/attribute-change.ts';
import type { CauseTexts, ChangeCause, ExplainedChange, MissingReports } from '../domain/verdict/change-cause.ts';
import { type Remedy, reasonOf } from '../domain/verdict/reason.ts';
import type { ChangeSums, CommitsBefore, Movement } from '../domain/verdict/split-change.ts';
import type { FlagVerdict } from '../domain/verdict/verdict.ts';
import { describeBefore, describeCommits } from './before-words.ts';
import { counted, toSentence } from './phrases.ts';
import { shownPoints } from './shown-points.ts';

/** A change in words. */
export interface CauseWords extends Omit<CauseTexts, 'parts'> {
  /** `points` as the JSON has them; `shown` as pages do, absent in results of earlier versions. */
  readonly parts: readonly (CauseTexts['parts'][number] & {
    readonly shown?: string;
    /** Of the part that others did. */
    readonly before?: CommitsBefore;
  })[];
  /** What caused it in the fewest words, where names are left out of them. */
  readonly shortClause?: string;
  /** What would pass in the fewest words, after others that say of what; absent where the verdict does not fail. */
  readonly shortRemedy?: string | undefined;
}

/** Where a change comes from, and what would pass, in words: without a full stop but for `sentence`. */
export function describeCause(cause: ChangeCause): CauseWords {
  if ('sentence' in cause) return cause;
  const { mainPart, split, remedy, missing } = cause;
  const main = missing ? describeMissing(missing) : mainPart && split && describePart(mainPart, cause, split);
  const before = split && (missing || mainPart !== 'before') ? describeBefore(split) : undefined;
  const clauses = [main?.full, before?.full, remedy && describeRemedy(remedy, mainPart)].filter(
    (clause) => clause !== undefined,
  );
  return {
    sentence: toSentence(clauses.join('; ')),
    clause: main?.brief,
    ...(missing && { shortClause: countMissing(missing) }),
    remedy: remedy && `cover ${missingCode(remedy)} to pass`,
    shortRemedy: remedy && `cover ${remedy.count} more to pass`,
    parts: split === undefined ? [] : pointsOf(split),
  };
}

/** Whether nothing else than the changed lines moved the total most. */
export function isCausedByChange(cause: ChangeCause | undefined): boolean {
  if (cause === undefined || 'sentence' in cause) return cause === undefined;
  return cause.missing === undefined && (cause.mainPart ?? 'changed') === 'changed';
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
  removed: 'removed code',
  before: 'commits before the change',
  unexplained: 'files whose changes are not known',
};

/** That lines of the change have no numbers, and why; undefined where all have. */
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

/** Those that moved the total, in a stable order. What is shown adds up to the change as it is shown. */
function pointsOf(split: ChangeSums): CauseWords['parts'] {
  const { places = 0, parts = [] } = shownPoints(split) ?? {};
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
  const named = flags.slice(0, MAX_NAMED).map((flag) => `\`${printable(flag, MAX_NAME)}\``);
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

function describePart(part: ChangePart, { changed }: ExplainedChange, split: ChangeSums): Clause | undefined {
  switch (part) {
    case 'changed':
      return describeChanged(changed ?? split.changed);
    case 'before':
      return describeBefore(split);
    case 'removed':
      return describeRemoved(split, changed ?? split.changed);
    case 'unexplained': {
      const moved = `coverage moved in ${counted(split.unexplainedFiles, 'file')}`;
      return { full: `${moved} whose changes are not known`, brief: `${moved}, changes not known` };
    }
    case 'outside':
      return describeLoss(split.outside, {
        full: 'outside the diff',
        brief: 'outside the diff',
        lost: (lines) => `${lines} lost outside the diff`,
      });
    case 'untouched':
      return describeLoss(split.untouched, {
        full: 'in files outside the diff',
        brief: 'in untouched files',
        lost: (lines) => `untouched files lost ${lines}`,
      });
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
  return { full: `${what} ${missed === 1 ? 'is' : 'are'} not covered`, brief: `${what} uncovered` };
}

function describeRemoved(split: ChangeSums, changed: CoverageTotals): Clause {
  const { removed } = split;
  const isOfLines = splitRemoved(split).unreplaced.coveredLines > 0;
  const count = isOfLines ? removed.coveredLines : removed.coveredBranches;
  const what = isOfLines ? counted(count, 'covered line') : counted(count, 'covered branch', 'covered branches');
  const added = changed.relevantLines > 0 ? ` and ${counted(changed.relevantLines, 'relevant line')} added` : '';
  const isMissed = missedLines(changed) + missedBranches(changed) > 0;
  return {
    full: `${what} ${count === 1 ? 'was' : 'were'} removed${added}${isMissed ? '' : '; no changed line is uncovered'}`,
    brief: `${what} removed`,
  };
}

interface Place extends Clause {
  /** In the fewest words, of `2 covered lines`. */
  readonly lost: (lines: string) => string;
}

/** Where no covered line was lost, branches were, or more code counts than before. */
function describeLoss({ before, after, lostLines }: Movement, where: Place): Clause {
  if (lostLines > 0) {
    const lines = counted(lostLines, 'line');
    return { full: `${lines} ${where.full} lost coverage`, brief: where.lost(counted(lostLines, 'covered line')) };
  }
  const unit = before.branches + after.branches > 0 ? 'lines and branches' : 'lines';
  const moved = `covered ${unit} went from ${describeCounts(before)} to ${describeCounts(after)}`;
  return { full: `${where.full}, ${moved}`, brief: `coverage fell ${where.brief}` };
}

function describeCounts(totals: CoverageTotals): string {
  const relevant = totals.relevantLines + totals.branches;
  return relevant === 0 ? 'none' : `${totals.coveredLines + totals.coveredBranches} of ${relevant}`;
}

/** Of missing code: a sentence of its own, unless the changed lines were named before it as the cause. */
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
