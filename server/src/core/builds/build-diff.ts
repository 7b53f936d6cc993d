import * as say from '../../messages/uploads.ts';
import type { SentDiff } from '../diff/sent-diff.ts';
import type { Build } from './build.ts';
import type { JobFacts } from './job.ts';

/**
 * The first diff that fits (rule 9's way). One that leads anywhere else than to what was tested says nothing of the
 * reports' lines.
 */
export function firstDiff(
  build: Pick<Build, 'diff'>,
  facts: Pick<JobFacts, 'diff'>,
  tested: string | undefined,
): SentDiff | undefined {
  return [build.diff, facts.diff].find((diff) => diff !== undefined && diff.head === tested);
}

/**
 * Why a job's diff is not used, in a sentence that follows "Job 2"; undefined where it is, or says the same as the one
 * that is.
 */
export function diffTrouble(
  build: Pick<Build, 'diff'>,
  { diff }: Pick<JobFacts, 'diff'>,
  tested: string | undefined,
): string | undefined {
  if (diff === undefined) return undefined;
  if (diff.head !== tested) {
    const what = tested === undefined ? say.NO_COMMIT : say.tests(shown(tested));
    return say.diffOfOtherCommit(diff.head, what);
  }
  const first = build.diff;
  const differs = first?.head === tested && (first.base !== diff.base || first.digest !== diff.digest);
  return differs ? say.ANOTHER_DIFF : undefined;
}

/** Commits of a build are any text (wire.md). */
function shown(commit: string): string {
  return commit.length > 64 ? `${commit.slice(0, 64).toWellFormed()}…` : commit;
}
