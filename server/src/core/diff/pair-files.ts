import type { FileCoverage, Report } from '../coverage/file-coverage.ts';
import { normalizeFileName } from '../coverage/file-name.ts';
import { type Diff, type FileDiff, indexDiffs } from './file-diff.ts';

/** What a file belongs to: the diff, what the diff leaves alone, or neither: what changed in it is not known. */
export type FilePart = 'in-diff' | 'untouched' | 'unexplained';

/**
 * A file in the base and in the build, either of them perhaps absent, with the diff that leads from one to the other.
 */
export interface FilePair {
  readonly before: FileCoverage | undefined;
  readonly after: FileCoverage | undefined;
  readonly part: FilePart;
  /** Only of a file that is in the diff and whose text changed; its changed lines are known. */
  readonly diff: FileDiff | undefined;
}

/** Every file of both reports, each in exactly one pair. */
export function* pairFiles(compared: {
  readonly base: Report;
  readonly head: Report;
  readonly diff: Diff | undefined;
}): Generator<FilePair> {
  const { base, head, diff } = compared;
  const { byName, byPreviousName } = indexDiffs(diff?.files ?? []);
  const complete = diff?.complete ?? false;
  const left = new Map(base.files.map((file) => [file.name, file]));
  const take = (name: string): FileCoverage | undefined => {
    const file = left.get(name);
    left.delete(name);
    return file;
  };
  // Renamed ones first: what they were called may be what another one is called now.
  const renamed = new Map<string, FileCoverage | undefined>();
  for (const { name } of head.files) {
    const previous = byName.get(name)?.previousName;
    if (previous !== undefined) renamed.set(name, take(normalizeFileName(previous)));
  }
  for (const after of head.files) {
    const before = renamed.has(after.name) ? renamed.get(after.name) : take(after.name);
    yield classify({ before, after, diff: byName.get(after.name), complete });
  }
  for (const before of left.values()) {
    yield classify({
      before,
      after: undefined,
      diff: byPreviousName.get(before.name) ?? byName.get(before.name),
      complete,
    });
  }
}

/**
 * Digests, where both are known, overrule the diff: equal ones mean the same text, different ones a changed text. So a
 * diff that does not lead from the base's commit to the build's explains nothing wrongly.
 */
function classify(found: Omit<FilePair, 'part'> & { readonly complete: boolean }): FilePair {
  const { before, after, diff, complete } = found;
  const compared = before?.digest !== undefined && after?.digest !== undefined;
  const sameText = compared && before.digest === after.digest;
  const otherText = compared && before.digest !== after.digest;
  if (diff !== undefined && !sameText) {
    return explains(diff, found, otherText)
      ? { before, after, part: 'in-diff', diff }
      : { before, after, part: 'unexplained', diff: undefined };
  }
  if (diff !== undefined) return { before, after, part: 'in-diff', diff: undefined };
  const untouched = sameText || (complete && !otherText);
  return { before, after, part: untouched ? 'untouched' : 'unexplained', diff: undefined };
}

/** Whether a diff can be what leads from one to the other. */
function explains(diff: FileDiff, { before, after }: Pick<FilePair, 'before' | 'after'>, otherText: boolean): boolean {
  if (diff.kind === 'added') return before === undefined;
  if (diff.kind === 'removed') return after === undefined;
  if (!diff.complete || (otherText && diff.hunks.length === 0)) return false;
  return before === undefined || before.name === normalizeFileName(diff.previousName ?? diff.name);
}
