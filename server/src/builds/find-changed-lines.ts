import { diffKey } from '../closing/compare-commits.ts';
import { type DiffSources, type FoundDiffs, findDiffs } from '../closing/find-diffs.ts';
import { readSentDiff } from '../closing/sent-diff.ts';
import type { BuildSummary } from '../core/builds/build-summary.ts';
import type { LineRange } from '../core/coverage/line-ranges.ts';
import { type Diff, type DiffKind, indexDiffs } from '../core/diff/file-diff.ts';
import { addedLines } from '../core/diff/line-map.ts';
import type { Repo } from '../core/repo/repo.ts';
import type { Services } from '../services/services.ts';

/** What a build's change did to one file. */
export interface FileEdit {
  readonly kind: DiffKind;
  /** Lines that are new or were rewritten, sorted; undefined: not known which. */
  readonly lines: readonly LineRange[] | undefined;
}

/** What changed since a build's base, and in its pull request, as far as its close learned it: nobody is asked. */
export async function findKnownDiffs(
  services: Pick<Services, 'engine' | 'facts' | 'jobs' | 'views'>,
  asked: { readonly build: BuildSummary; readonly repo: Repo },
): Promise<Pick<FoundDiffs, 'base' | 'patch'>> {
  const { facts, views } = services;
  const known = async (repoId: number, from: string, to: string) =>
    (await facts.find(repoId, diffKey(from, to))) as Diff | undefined;
  const { build, repo } = asked;
  const pick = build.result?.base;
  const base = pick && (await views.summary(pick.buildId));
  const found = pick && base && { build: base, pick };
  const sources: DiffSources = {
    compare: async (pair) => ({ kind: 'answer', value: await known(repo.id, pair.base, pair.head) }),
    readSent: (sent) => readSentDiff(services, sent),
  };
  return findDiffs(sources, { build, repo, base: found, deadline: (work) => work() });
}

/**
 * Undefined: the file was not changed, or no diff is known.
 * By the diff that is kept, or that the upload brought.
 */
export async function findChangedLines(
  services: Pick<Services, 'engine' | 'facts' | 'jobs' | 'views'>,
  asked: { readonly build: BuildSummary; readonly repo: Repo; readonly name: string },
): Promise<FileEdit | undefined> {
  const { build, repo, name } = asked;
  const { patch } = await findKnownDiffs(services, { build, repo });
  const diff = patch && indexDiffs(patch.files).byName.get(name);
  return diff && { kind: diff.kind, lines: addedLines(diff) };
}
