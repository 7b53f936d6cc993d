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
 * Why a job's diff is not used, in a sentence that follows "Job 2"; undefined if it is, or says the same as the one
 * that is.
 */
export function diffTrouble(
  build: Pick<Build, 'diff'>,
  { diff }: Pick<JobFacts, 'diff'>,
  tested: string | undefined,
): string | undefined {
  if (diff === undefined) return undefined;
  if (diff.head !== tested) {
    const what = tested === undefined ? 'this build states no commit' : `this build tests ${shown(tested)}`;
    return `brought a diff that leads to ${diff.head}, but ${what}; it is not used.`;
  }
  const first = build.diff;
  const differs = first?.head === tested && (first.base !== diff.base || first.digest !== diff.digest);
  return differs ? 'brought another diff than an earlier job of this build; the first counts.' : undefined;
}

/** Commits of a build are any text (wire.md). */
function shown(commit: string): string {
  return commit.length > 64 ? `${commit.slice(0, 64).toWellFormed()}…` : commit;
}
