import { SAME_TEXT } from '../domain/builds/annotations.ts';
import type { Build } from '../domain/builds/build.ts';
import { testedCommitOf } from '../domain/builds/merge-commit.ts';
import type { Diff } from '../domain/diff/file-diff.ts';
import type { Repo } from '../domain/repo/repo.ts';
import type { Answer } from '../facts/ask-provider.ts';
import type { Deadline } from '../facts/deadline.ts';
import type { CompareCommits } from './find-diffs.ts';

/**
 * How the text beside which uncovered lines are marked differs from what was tested: marks go to the commit that
 * statuses go to, and a report may speak of the temporary merge commit (rule 21). No value: nothing is to be marked.
 */
export type FindAnnotationDiff = (input: {
  readonly build: Build;
  readonly repo: Repo;
  readonly deadline: Deadline;
}) => Promise<Answer<Diff>>;

export interface AnnotationDiffDeps {
  readonly compareCommits: CompareCommits;
  /** Whether this server can make check runs there. */
  readonly canAnnotate: (repo: Repo) => boolean;
}

/**
 * Only for a pull request's own head: a push and a merge queue have no page on which anybody looks at changed lines.
 */
export function createFindAnnotationDiff({ compareCommits, canAnnotate }: AnnotationDiffDeps): FindAnnotationDiff {
  return async ({ build, repo, deadline }) => {
    const { target, pullRequest, mergeQueue } = build;
    const tested = testedCommitOf(build);
    const isWanted = repo.settings.annotations && canAnnotate(repo) && pullRequest !== undefined && !mergeQueue;
    if (!isWanted || target === undefined || tested === undefined) return NOTHING;
    if (target === tested) return { kind: 'answer', value: SAME_TEXT };
    const answer = await compareCommits({ repo, base: target, head: tested, deadline });
    return answer.kind === 'answer' && answer.value === undefined ? UNKNOWN_DIFF : answer;
  };
}

const NOTHING: Answer<Diff> = { kind: 'answer', value: undefined };
/** What was tested is no descendant of the commit, or nobody can tell: no file's lines are known. */
const UNKNOWN_DIFF: Answer<Diff> = { kind: 'answer', value: { files: [], complete: false } };
