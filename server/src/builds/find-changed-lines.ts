import { diffKey } from '../closing/compare-commits.ts';
import { createFindDiffs, type FoundDiffs } from '../closing/find-diffs.ts';
import type { ReadSentDiff } from '../closing/sent-diff.ts';
import type { BuildSummary } from '../core/builds/build-summary.ts';
import type { LineRange } from '../core/coverage/line-ranges.ts';
import { type Diff, type DiffKind, indexDiffs } from '../core/diff/file-diff.ts';
import { addedLines } from '../core/diff/line-map.ts';
import type { Repo } from '../core/repo/repo.ts';
import type { BuildViews } from '../storage/build-views.ts';
import type { FactStore } from '../storage/store.ts';

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

/** What changed since a build's base, and in its pull request, as far as its close learnt it: nobody is asked. */
export type FindKnownDiffs = (asked: {
  readonly build: BuildSummary;
  readonly repo: Repo;
}) => Promise<Pick<FoundDiffs, 'base' | 'patch'>>;

export function createFindKnownDiffs(deps: {
  readonly facts: Pick<FactStore, 'find'>;
  readonly views: Pick<BuildViews, 'summary'>;
  readonly readSent: ReadSentDiff;
}): FindKnownDiffs {
  const { facts, views, readSent } = deps;
  const findDiffs = createFindDiffs(async ({ repo, base, head }) => {
    return { kind: 'answer', value: (await facts.find(repo.id, diffKey(base, head))) as Diff | undefined };
  }, readSent);
  return async ({ build, repo }) => {
    const pick = build.result?.base;
    const base = pick && (await views.summary(pick.buildId));
    const found = pick && base && { build: base, pick };
    return findDiffs({ build, repo, base: found, deadline: (work) => work() });
  };
}

/** By the diff that is kept, or that the upload brought. */
export function createFindChangedLines({
  findKnownDiffs,
}: {
  readonly findKnownDiffs: FindKnownDiffs;
}): FindChangedLines {
  return async ({ build, repo, name }) => {
    const { patch } = await findKnownDiffs({ build, repo });
    const diff = patch && indexDiffs(patch.files).byName.get(name);
    return diff && { kind: diff.kind, lines: addedLines(diff) };
  };
}
