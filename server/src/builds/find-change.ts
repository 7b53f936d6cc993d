import { diffKey } from '../closing/compare-commits.ts';
import { chooseDiff, readSentDiff } from '../closing/sent-diff.ts';
import type { BuildView } from '../core/builds/build-summary.ts';
import { testedCommitOf } from '../core/builds/merge-commit.ts';
import type { Diff } from '../core/diff/file-diff.ts';
import type { Services } from '../services/services.ts';

/** What a build changed, as far as it is stored: nobody is asked. */
export interface KnownChange {
  readonly diff: Diff | undefined;
  /** The commit that it begins with; undefined: not known. */
  readonly start: string | undefined;
}

/** The diff by which the last close counted the changed lines. */
export async function findChange(
  services: Pick<Services, 'engine' | 'facts' | 'jobs'>,
  build: BuildView,
): Promise<KnownChange> {
  const { facts } = services;
  const head = testedCommitOf(build);
  const sent = build.diff?.head === head && build.result?.patch?.source === 'upload' ? build.diff : undefined;
  const start = startOf(build) ?? sent?.base;
  if (head === undefined || start === undefined) return { diff: undefined, start: undefined };
  const value = (await facts.find(build.repoId, diffKey(start, head))) as Diff | undefined;
  const { diff } = await chooseDiff({ kind: 'answer', value }, sent && (() => readSentDiff(services, build)));
  return { diff, start };
}

function startOf({ pullRequest, facts, result }: BuildView): string | undefined {
  if (pullRequest !== undefined) return facts?.mergeParent ?? facts?.mergeBase;
  return result?.base?.foundAs ?? result?.base?.commit;
}
