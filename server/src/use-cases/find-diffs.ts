import type { BasePick, Build, CarriedPick } from '../domain/build/build.ts';
import type { Diff } from '../domain/diff/file-diff.ts';
import { type ListedFile, parseFilePatch } from '../domain/diff/parse-patch.ts';
import type { Repo } from '../domain/repo/repo.ts';
import type { Provider } from '../ports/provider.ts';
import { type ChangedFile, type ChangedFiles, FIRST_PARENT_LIMIT } from '../ports/provider-facts.ts';
import type { AskProvider } from './ask-provider.ts';
import type { Patience } from './patience.ts';

/** What changed, as far as the provider tells it. */
export interface FoundDiffs {
  /** From the base build's commit to what was tested. */
  readonly base: Diff | undefined;
  /** What the pull request, or the push against its base, changes. */
  readonly patch: Diff | undefined;
}

export type FindDiffs = (input: {
  readonly build: Build;
  readonly repo: Repo;
  readonly base: BasePick | undefined;
  readonly patience: Patience;
}) => Promise<FoundDiffs>;

/** The changes between two commits, or undefined where nobody can tell them. */
export type CompareCommits = (input: {
  readonly repo: Repo;
  readonly base: string;
  readonly head: string;
  readonly pullRequest?: number | undefined;
  readonly patience: Patience;
}) => Promise<Diff | undefined>;

/** Under which the diff of two commits is kept. */
export function diffKey(base: string, head: string): string {
  return `diff/${base}/${head}`;
}

/** Asked once per pair: what two commits differ in never changes. */
export function createCompareCommits(askProvider: AskProvider): CompareCommits {
  return async ({ repo, base, head, pullRequest, patience }) => {
    const answer = await askProvider({
      repo,
      patience,
      key: diffKey(base, head),
      ask: async (provider) => {
        const changed = await provider.compareFiles({ repo: repo.name, base, head, pullRequest });
        return changed && toDiff(changed);
      },
    });
    return answer.kind === 'answer' ? answer.value : undefined;
  };
}

/**
 * A provider compares with the merge base of two commits: only of an ancestor that is the commit itself. A base that was found by
 * its branch may be none, and there no line can be told to have changed.
 */
export function createFindDiffs(compareCommits: CompareCommits): FindDiffs {
  return async ({ build, repo, base, patience }) => {
    const tested = build.testedCommit ?? build.commit;
    if (tested === undefined) return { base: undefined, patch: undefined };
    const { pullRequest, facts } = build;
    const compare = (from: string | undefined): Promise<Diff | undefined> =>
      from === undefined ? Promise.resolve(undefined) : compareCommits({ repo, base: from, head: tested, pullRequest, patience });
    const fromBase = await compare(base !== undefined && isAncestor(base) ? base.commit : undefined);
    const start = pullRequest === undefined ? base?.commit : (facts?.mergeParent ?? facts?.mergeBase);
    const isSame = base !== undefined && isAncestor(base) && start === base.commit;
    const patch = isSame ? fromBase : pullRequest === undefined ? undefined : await compare(start);
    return { base: fromBase, patch };
  };
}

/** What changed since the build that a flag is carried from; undefined where its commit is no ancestor, or nobody can tell. */
export type DiffSince = (input: {
  readonly build: Build;
  readonly repo: Repo;
  readonly origin: CarriedPick;
  readonly patience: Patience;
}) => Promise<Diff | undefined>;

/** Ancestors are those that the look for a base has asked for already, as far back as it looks (rule 18). */
export function createDiffSince(compareCommits: CompareCommits, askProvider: AskProvider): DiffSince {
  return async ({ build, repo, origin, patience }) => {
    const tested = build.testedCommit ?? build.commit;
    const start = build.facts?.ancestorsOf;
    if (tested === undefined || start === undefined || origin.commit === undefined) return undefined;
    if (origin.commit !== start) {
      const call = { repo: repo.name, commit: start, limit: FIRST_PARENT_LIMIT };
      const ask = async (provider: Provider) => (await provider.listFirstParents(call))?.commits;
      const answer = await askProvider({ repo, patience, key: `first-parents/${start}`, ask });
      const ancestors = answer.kind === 'answer' ? (answer.value ?? []) : [];
      if (!ancestors.includes(origin.commit)) return undefined;
    }
    return compareCommits({ repo, base: origin.commit, head: tested, patience });
  };
}

function isAncestor({ rule }: BasePick): boolean {
  return rule === 'merge-parent' || rule === 'merge-base' || rule === 'ancestor';
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
