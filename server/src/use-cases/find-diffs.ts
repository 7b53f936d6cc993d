import { baseTextCommit } from '../domain/build/base-build.ts';
import type { Build, CarriedPick } from '../domain/build/build.ts';
import { testedCommitOf } from '../domain/build/merge-commit.ts';
import type { Diff } from '../domain/diff/file-diff.ts';
import { type ListedFile, parseFilePatch } from '../domain/diff/parse-patch.ts';
import type { Repo } from '../domain/repo/repo.ts';
import type { ChangedFile, ChangedFiles } from '../ports/provider-facts.ts';
import type { Answer, AskProvider } from './ask-provider.ts';
import type { ChosenBase } from './choose-base.ts';
import type { Patience } from './patience.ts';

/** What changed, as far as the provider tells it. */
export interface FoundDiffs {
  /** From the base build's commit to what was tested. */
  readonly base: Diff | undefined;
  /** What the pull request, or the push against its base, changes. */
  readonly patch: Diff | undefined;
  /** The provider gave no answer: it may give one later. */
  readonly lacking: boolean;
}

export type FindDiffs = (input: {
  readonly build: Build;
  readonly repo: Repo;
  readonly base: ChosenBase | undefined;
  readonly patience: Patience;
}) => Promise<FoundDiffs>;

/** The changes from an ancestor to a commit; no value where the first is no ancestor of the second, or nobody can tell them. */
export type CompareCommits = (input: {
  readonly repo: Repo;
  readonly base: string;
  readonly head: string;
  readonly pullRequest?: number | undefined;
  readonly patience: Patience;
}) => Promise<Answer<Diff>>;

/** Under which the diff of two commits is kept. */
export function diffKey(base: string, head: string): string {
  return `diff/${base}/${head}`;
}

/**
 * Asked once per pair: what two commits differ in never changes. A provider compares with the merge base of two commits: what is no
 * ancestor has other lines than the answer begins with. A list that was cut is not kept: with the pull request's number more can be had.
 */
export function createCompareCommits(askProvider: AskProvider): CompareCommits {
  return ({ repo, base, head, pullRequest, patience }) =>
    askProvider({
      repo,
      patience,
      key: diffKey(base, head),
      keeps: (diff) => diff.complete,
      ask: async (provider) => {
        const changed = await provider.compareFiles({ repo: repo.name, base, head, pullRequest });
        return changed?.mergeBase?.toLowerCase() === base.toLowerCase() ? toDiff(changed) : undefined;
      },
    });
}

const NO_DIFF: Answer<Diff> = { kind: 'answer', value: undefined };

/** Of a base that was found by its branch, or whose report speaks of another text, no line can be told to have changed. */
export function createFindDiffs(compareCommits: CompareCommits): FindDiffs {
  return async ({ build, repo, base, patience }) => {
    const head = testedCommitOf(build);
    const from = base && baseTextCommit(base.build, base.pick);
    const start = build.pullRequest === undefined ? from : (build.facts?.mergeParent ?? build.facts?.mergeBase);
    const compare = async (commit: string | undefined): Promise<Answer<Diff>> => {
      if (head === undefined || commit === undefined) return NO_DIFF;
      // The host's longer list is of what the pull request changes.
      const pullRequest = commit === start ? build.pullRequest : undefined;
      return compareCommits({ repo, base: commit, head, pullRequest, patience });
    };
    const ofBase = await compare(from);
    const ofPatch = start === from ? ofBase : await compare(start);
    const lacking = ofBase.kind === 'lacking' || ofPatch.kind === 'lacking';
    return { base: diffOf(ofBase), patch: diffOf(ofPatch), lacking };
  };
}

/** What changed since the build that a flag is carried from; no value where its commit is no ancestor, or nobody can tell. */
export type DiffSince = (input: {
  readonly build: Build;
  readonly repo: Repo;
  readonly origin: CarriedPick;
  readonly patience: Patience;
}) => Promise<Answer<Diff>>;

export function createDiffSince(compareCommits: CompareCommits): DiffSince {
  return async ({ build, repo, origin, patience }) => {
    const head = testedCommitOf(build);
    const base = origin.textCommit ?? origin.commit;
    if (head === undefined || base === undefined) return NO_DIFF;
    return compareCommits({ repo, base, head, patience });
  };
}

/** The diff that was answered, if any. */
export function diffOf(answer: Answer<Diff>): Diff | undefined {
  return answer.kind === 'answer' ? answer.value : undefined;
}

/** A provider's list as a diff. */
export function toDiff({ files, complete }: ChangedFiles): Diff {
  return { files: files.map((file) => parseFilePatch(toListed(file))), complete };
}

/** A copied file is new here, all of it. A rename alone has an empty patch. */
function toListed({ name, previousName, status, patch }: ChangedFile): ListedFile {
  if (status === 'copied') return { name, previousName: undefined, kind: 'added', patch: undefined };
  const isMereRename = status === 'renamed' && patch === '';
  return { name, previousName, kind: status, patch, ...(isMereRename ? { additions: 0, deletions: 0 } : {}) };
}
