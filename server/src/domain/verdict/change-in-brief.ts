import { type ChangePart, splitRemoved } from './attribute-change.ts';
import type { Remedy } from './cover-to-pass.ts';
import { counted } from './explain-change.ts';
import type { ChangeSums, Movement } from './split-change.ts';

/** The part that took most points, in the few words that a commit status has: without a full stop. */
export function causeInBrief(part: ChangePart, split: ChangeSums): string {
  if (part === 'changed') return changedInBrief(split);
  if (part === 'removed') return removedInBrief(split);
  if (part === 'unexplained') return `coverage moved in ${counted(split.unexplainedFiles, 'file')}, changes not known`;
  return lossInBrief(split[part], part === 'outside' ? 'outside the diff' : 'in untouched files');
}

/** What would pass, in as few words. */
export function remedyInBrief({ count, of }: Remedy): string {
  const what = {
    'changed-lines': counted(count, 'more changed line'),
    'changed-code': counted(count, 'more changed line or branch', 'more changed lines or branches'),
    lines: counted(count, 'more line'),
    code: counted(count, 'more line or branch', 'more lines or branches'),
  }[of];
  return `cover ${what}`;
}

function changedInBrief({ changed }: ChangeSums): string {
  const lines = changed.relevantLines - changed.coveredLines;
  if (lines > 0) return `${lines} of ${counted(changed.relevantLines, 'changed line')} uncovered`;
  const branches = changed.branches - changed.coveredBranches;
  return `${branches} of ${counted(changed.branches, 'branch', 'branches')} on changed lines uncovered`;
}

function removedInBrief(split: ChangeSums): string {
  const { removed, changed } = split;
  const what =
    splitRemoved(split).gone.coveredLines > 0
      ? counted(removed.coveredLines, 'covered line')
      : counted(removed.coveredBranches, 'covered branch', 'covered branches');
  const isMissed = changed.relevantLines + changed.branches > changed.coveredLines + changed.coveredBranches;
  return `${what} removed${isMissed ? '' : ', no changed line uncovered'}`;
}

/** Without a covered line that was lost, branches were, or more code counts than before. */
function lossInBrief({ lostLines }: Movement, where: string): string {
  return lostLines > 0 ? `${counted(lostLines, 'line')} ${where} lost coverage` : `coverage fell ${where}`;
}
