import { compareRatios, type Ratio, subtractRatios, totalPercent } from '../coverage/percent.ts';
import type { CoverageTotals } from '../coverage/totals.ts';
import { attributeChange, CHANGE_PARTS, type ChangePart, splitRemoved } from './attribute-change.ts';
import { countToPass, findRemedy, type Remedy } from './cover-to-pass.ts';
import type { JudgedBuild } from './judge-build.ts';
import type { ChangeSums, Movement } from './split-change.ts';
import { toSentence } from './verdict.ts';

/** What made the total fall, and what would make the verdict pass. */
export interface ChangeExplanation {
  /** The part that took most percentage points; undefined where the total did not fall, or no split is known. */
  readonly cause: { readonly part: ChangePart; readonly points: Ratio } | undefined;
  /** Undefined where the thresholds hold, or covering code cannot make them hold. */
  readonly remedy: Remedy | undefined;
  /** The cause in words, without a full stop. */
  readonly causeClause: string | undefined;
  /** What would pass in words, without a full stop; undefined where the thresholds hold. */
  readonly remedyClause: string | undefined;
  /** Both as one sentence. */
  readonly sentence: string;
}

/**
 * Explains a verdict by the split of the change that it judged. A split of other counts (its base was closed again
 * meanwhile) is left out of account. Undefined where there is nothing to explain: the total did not fall and the
 * thresholds hold.
 */
export function explainChange(judged: JudgedBuild, split: ChangeSums | undefined): ChangeExplanation | undefined {
  const fitting = split && isSplitOf(judged, split) ? split : undefined;
  const cause = fitting && findCause(fitting);
  const causeClause = cause && fitting && describeCause(cause.part, fitting);
  const remedy = findRemedy(judged, fitting?.changed);
  const remedyClause = remedy ? describeRemedy(remedy, cause?.part) : describeNoRemedy(judged);
  const clauses = [causeClause, remedyClause].filter((clause) => clause !== undefined).join('; ');
  if (clauses === '') return undefined;
  return { cause, remedy, causeClause, remedyClause, sentence: toSentence(clauses) };
}

/** Whether the split's counts are those of the build and of its base. */
export function isSplitOf(judged: JudgedBuild, split: ChangeSums): boolean {
  return (
    judged.base !== undefined && equalTotals(judged.totals, split.head) && equalTotals(judged.base.totals, split.base)
  );
}

function equalTotals(a: CoverageTotals, b: CoverageTotals): boolean {
  return (
    a.coveredLines === b.coveredLines &&
    a.relevantLines === b.relevantLines &&
    a.coveredBranches === b.coveredBranches &&
    a.branches === b.branches
  );
}

/** The most negative part of a total that fell. */
function findCause(split: ChangeSums): ChangeExplanation['cause'] {
  const before = totalPercent(split.base);
  const now = totalPercent(split.head);
  const points = attributeChange(split);
  if (!before || !now || !points || subtractRatios(now, before).numerator >= 0n) return undefined;
  const part = CHANGE_PARTS.reduce((worst, one) => (compareRatios(points[one], points[worst]) < 0 ? one : worst));
  return { part, points: points[part] };
}

function describeCause(part: ChangePart, split: ChangeSums): string {
  if (part === 'changed') return describeChanged(split.changed);
  if (part === 'removed') return describeRemoved(split);
  if (part === 'unexplained')
    return `coverage moved in ${counted(split.unexplainedFiles, 'file')} whose changes are not known`;
  const where = part === 'outside' ? 'outside the diff' : 'in files outside the diff';
  const { lostLines } = split[part];
  return lostLines > 0 ? `${counted(lostLines, 'line')} ${where} lost coverage` : describeMovement(split[part], where);
}

/** A changed part that took points has missed lines or branches. */
function describeChanged(changed: CoverageTotals): string {
  const lines = changed.relevantLines - changed.coveredLines;
  if (lines > 0)
    return `${lines} of ${counted(changed.relevantLines, 'changed line')} ${lines === 1 ? 'is' : 'are'} not covered`;
  const branches = changed.branches - changed.coveredBranches;
  const all = `${counted(changed.branches, 'branch', 'branches')} on changed lines`;
  return `${branches} of ${all} ${branches === 1 ? 'is' : 'are'} not covered`;
}

function describeRemoved(split: ChangeSums): string {
  const { removed, changed } = split;
  const { gone } = splitRemoved(split);
  const what =
    gone.coveredLines > 0
      ? counted(removed.coveredLines, 'covered line')
      : counted(removed.coveredBranches, 'covered branch', 'covered branches');
  const were = (gone.coveredLines > 0 ? removed.coveredLines : removed.coveredBranches) === 1 ? 'was' : 'were';
  const added = changed.relevantLines > 0 ? ` and ${counted(changed.relevantLines, 'relevant line')} added` : '';
  const missed = changed.relevantLines - changed.coveredLines + changed.branches - changed.coveredBranches;
  return `${what} ${were} removed${added}${missed === 0 ? '; no changed line is uncovered' : ''}`;
}

/** Where no covered line was lost: branches were, or more code counts than before. */
function describeMovement({ before, after }: Movement, where: string): string {
  const unit = before.branches + after.branches > 0 ? 'lines and branches' : 'lines';
  return `${where}, covered ${unit} went from ${describeCounts(before)} to ${describeCounts(after)}`;
}

function describeCounts(totals: CoverageTotals): string {
  const relevant = totals.relevantLines + totals.branches;
  return relevant === 0 ? 'none' : `${totals.coveredLines + totals.coveredBranches} of ${relevant}`;
}

/** Stands alone, unless the changed lines were named before it as the cause. */
export function describeRemedy({ count, of }: Remedy, cause?: ChangePart): string {
  const what = {
    'changed-lines': counted(count, cause === 'changed' ? 'more line' : 'more changed line'),
    'changed-code': counted(count, 'more changed line or branch', 'more changed lines or branches'),
    lines: `${counted(count, 'more line')} anywhere`,
    code: `${counted(count, 'more line or branch', 'more lines or branches')} anywhere`,
  }[of];
  return `covering ${what} would pass`;
}

/** Said plainly; undefined where nothing is to be done. */
function describeNoRemedy(judged: JudgedBuild): string | undefined {
  if (judged.unavailable.length > 0) return 'covering lines does not make it pass: flags did not report';
  const lost = judged.base !== undefined && judged.base.totals.relevantLines > 0;
  return countToPass(judged) === undefined && lost
    ? 'covering lines does not make it pass: no line is relevant'
    : undefined;
}

/** `1 line`, `2 lines` */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}
