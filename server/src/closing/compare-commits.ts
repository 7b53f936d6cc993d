import { diffAcross } from '../core/diff/compose-diffs.ts';
import type { Diff } from '../core/diff/file-diff.ts';
import { type ListedFile, parseFilePatch } from '../core/diff/parse-patch.ts';
import type { Repo } from '../core/repo/repo.ts';
import type { Answer } from '../hosts/facts/ask-provider.ts';
import type { Deadline } from '../hosts/facts/deadline.ts';
import type { ChangedFile, ChangedFiles } from '../ports/provider-facts.ts';
import type { Services } from '../services/services.ts';

/** What is compared. */
export interface CommitPair {
  readonly repo: Repo;
  readonly base: string;
  readonly head: string;
  /** Also where the first is no ancestor of the second; else that has no value. */
  readonly across?: boolean;
  readonly pullRequest?: number | undefined;
  readonly deadline: Deadline;
}

/** Under which the diff of two commits is kept. */
export function diffKey(base: string, head: string): string {
  return `diff/${base}/${head}`;
}

/**
 * What changed from one commit to another; no value where the provider knows no diff. Asked once per pair, since what
 * two commits differ in never changes. A provider compares with the merge base: where that is another commit, both ways
 * from there are asked for. A list that was cut is not kept: with the pull request's number more can be had.
 */
export function compareCommits(
  { askProvider }: Pick<Services, 'askProvider'>,
  { repo, base, head, across = false, pullRequest, deadline }: CommitPair,
): Promise<Answer<Diff>> {
  return askProvider({
    repo,
    deadline,
    key: diffKey(base, head),
    keeps: (diff) => diff.complete,
    ask: async (provider) => {
      const compare = async (from: string, to: string) =>
        provider.compareFiles({ repo: repo.name, base: from, head: to, pullRequest });
      const changed = await compare(base, head);
      const parting = changed?.mergeBase?.toLowerCase();
      if (changed === undefined || parting === base.toLowerCase()) return changed && toDiff(changed);
      if (!across) return undefined;
      const direct = await provider.compareTrees?.({ repo: repo.name, base, head });
      if (direct !== undefined) return toDiff(direct);
      if (parting === undefined) return undefined;
      const others = await compare(parting, base);
      if (others?.mergeBase?.toLowerCase() !== parting) return undefined;
      return diffAcross({ toOne: toDiff(others), toOther: toDiff(changed), same: sameFiles(others, changed) });
    },
  });
}

/** Files that two commits changed alike, by name: a pull request's own, after it was rebased. */
function sameFiles(one: ChangedFiles, other: ChangedFiles): readonly string[] {
  const contents = new Map(one.files.map(({ name, blob }) => [name, blob]));
  return other.files.flatMap(({ name, blob }) => (blob !== undefined && contents.get(name) === blob ? [name] : []));
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
