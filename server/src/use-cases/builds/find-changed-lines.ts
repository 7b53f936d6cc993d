import { createFindDiffs, diffKey } from '../../closing/find-diffs.ts';
import type { ReadSentDiff } from '../../closing/sent-diff.ts';
import type { BuildSummary } from '../../domain/builds/build-summary.ts';
import type { LineRange } from '../../domain/coverage/line-ranges.ts';
import { type Diff, type DiffKind, indexDiffs } from '../../domain/diff/file-diff.ts';
import { addedLines } from '../../domain/diff/line-map.ts';
import type { Repo } from '../../domain/repo/repo.ts';
import type { BuildViews } from '../../ports/build-views.ts';
import type { FactStore } from '../../ports/store.ts';

/** What a build's change did to one file. */
export interface FileEdit {
  readonly kind: DiffKind;
  /** Lines that are new or were rewritten, sorted; undefined: not known which. */
  readonly lines: readonly LineRange[] | undefined;
}

/** Undefined: the file was not changed, or no diff is known. */
export type FindChangedLines = (asked: {
  readonly build: BuildSummary;
  readonly repo: Repo;
  readonly name: string;
}) => Promise<FileEdit | undefined>;

/** By what the close learnt: the diff that is kept, or that the upload brought. Nobody is asked for a page. */
export function createFindChangedLines(deps: {
  readonly facts: Pick<FactStore, 'find'>;
  readonly views: Pick<BuildViews, 'summary'>;
  readonly readSent: ReadSentDiff;
}): FindChangedLines {
  const { facts, views, readSent } = deps;
  const findDiffs = createFindDiffs(async ({ repo, base, head }) => {
    return { kind: 'answer', value: (await facts.find(repo.id, diffKey(base, head))) as Diff | undefined };
  }, readSent);
  return async ({ build, repo, name }) => {
    const pick = build.result?.base;
    const base = pick && (await views.summary(pick.buildId));
    const found = pick && base && { build: base, pick };
    const { patch } = await findDiffs({ build, repo, base: found, deadline: (work) => work() });
    const diff = patch && indexDiffs(patch.files).byName.get(name);
    return diff && { kind: diff.kind, lines: addedLines(diff) };
  };
}
