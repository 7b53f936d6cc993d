import type { Report } from '../coverage/file-coverage.ts';
import { normalizeFileName } from '../coverage/file-name.ts';
import type { Diff } from '../diff/file-diff.ts';
import type { DiffSource } from '../diff/sent-diff.ts';
import type { FlippingLines } from '../flipping/flipping-lines.ts';
import { type ChangeDiffs, type ChangeSums, sumOwnChange } from '../verdict/split-change.ts';
import { markLines } from './annotations.ts';
import type { Annotations, PatchResult } from './build-facts.ts';
import { findPatch } from './patch-result.ts';
import type { UnmeasuredLines } from './unmeasured-lines.ts';

/** What changed in the repo, where it is known. */
export interface KnownDiffs extends ChangeDiffs {
  /**
   * From the commit beside whose code uncovered lines are to be marked to the build's; absent: nothing is to be marked.
   */
  readonly shown?: Diff | undefined;
  /** Where the patch comes from. */
  readonly patchSource?: DiffSource | undefined;
}

/** What the diffs show of a merged report; what no diff is known for is undefined. */
export interface ComposedChange {
  /** The change against the base, split exactly. */
  readonly split?: ChangeSums | undefined;
  /** The coverage of the changed lines; its verdict is another matter. */
  readonly patch?: Omit<PatchResult, 'verdict'> | undefined;
  /** Only of a report without files: how many of the files that changed the base names. */
  readonly measuredChanges?: number | undefined;
  readonly marks?: Annotations | undefined;
}

export function composeChange(found: {
  readonly report: Report;
  readonly base: Report | undefined;
  readonly diffs: KnownDiffs;
  readonly unmeasured?: UnmeasuredLines | undefined;
  readonly flipping?: FlippingLines | undefined;
}): ComposedChange {
  const { report, base, diffs, unmeasured, flipping } = found;
  const { patch, shown } = diffs;
  return {
    split: base && sumOwnChange({ base, head: report, unmeasured, flipping }, diffs),
    patch: patch && findPatch({ report, base, diff: patch, source: diffs.patchSource, unmeasured }),
    marks: patch && shown && markLines({ report, patch, shown }),
    measuredChanges: base && report.files.length === 0 ? countMeasured(base, patch ?? diffs.base) : undefined,
  };
}

/** For a list that was cut, none found means nothing. */
function countMeasured(base: Report, diff: Diff | undefined): number | undefined {
  if (diff === undefined) return undefined;
  const names = diff.files.flatMap((file) =>
    file.previousName === undefined ? [file.name] : [file.name, file.previousName],
  );
  const changed = new Set(names.map(normalizeFileName));
  const count = base.files.filter((file) => changed.has(file.name)).length;
  return count > 0 || diff.complete ? count : undefined;
}
