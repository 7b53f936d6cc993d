import type { Provider } from '../../ports/provider.ts';
import type { ChangedFile, ChangedFiles, CommitRange, MergeBase } from '../../ports/provider-facts.ts';
import { countOf, type Fields, fieldsOf, isRangeEnd, textOf } from '../answers.ts';
import { splitRepoName } from './addresses.ts';
import { unexpectedAnswer } from './call-failure.ts';
import type { CallsOf, GithubCall } from './calls.ts';
import { OPERATIONS } from './operations.ts';
import { definiteAnswer, request } from './requests.ts';

/** GitHub lists no more files of a comparison, whatever the page. */
export const COMPARED_FILES = 300;

/** Where two commits of a repo at GitHub meet (rule 18). One request. */
export function createComparison(callsOf: CallsOf): Pick<Provider, 'findMergeBase'> {
  return {
    findMergeBase: async (range) => {
      if (!isRange(range)) return undefined;
      return definiteAnswer(callsOf(range.repo)(async (call) => toMergeBase(await askComparison(call, range))));
    },
  };
}

/** Whether both ends can be asked about: what is no commit and no branch must not become part of a path. */
export function isRange({ base, head }: CommitRange): boolean {
  return isRangeEnd(base) && isRangeEnd(head);
}

/**
 * GitHub's comparison of two commits. For the commits between them it lists one only, as nobody reads them; the first
 * page holds all files that GitHub lists, at most 300. Merge base and files come from the same address, so the second
 * question is a 304.
 */
export function askComparison(call: GithubCall, { repo, base, head }: CommitRange): Promise<Fields> {
  const asked = { ...splitRepoName(repo), basehead: `${base}...${head}`, per_page: 1 };
  return request(call, OPERATIONS.compare, {
    send: (rest, options) => rest.repos.compareCommitsWithBasehead({ ...asked, request: options }),
    read: (comparison) => comparison,
  });
}

/** The commit that the listed files differ from. */
export function mergeBaseOf(comparison: Fields): string | undefined {
  return textOf(fieldsOf(comparison.merge_base_commit).sha);
}

function toMergeBase(comparison: Fields): MergeBase {
  const commit = mergeBaseOf(comparison);
  const ahead = countOf(comparison.ahead_by);
  const behind = countOf(comparison.behind_by);
  if (commit === undefined || ahead === undefined || behind === undefined) throw unexpectedAnswer(OPERATIONS.compare);
  return { commit, ahead, behind, changed: toChanged(comparison.files) };
}

function toChanged(files: unknown): ChangedFiles | undefined {
  return Array.isArray(files) ? { files: toChangedFiles(files), complete: files.length < COMPARED_FILES } : undefined;
}

const STATUSES = ['added', 'removed', 'modified', 'renamed', 'copied'] as const;

/** GitHub also knows `changed` (a file's mode) and `unchanged`. */
function statusOf(word: unknown): ChangedFile['status'] | undefined {
  return word === 'changed' || word === 'unchanged' ? 'modified' : STATUSES.find((status) => status === word);
}

/** The source files of a comparison or a pull request: links and submodules are none (rule 25). */
export function toChangedFiles(files: readonly unknown[]): readonly ChangedFile[] {
  return files.map(toChangedFile).filter((file) => !isLinkOrSubmodule(file));
}

const SUBMODULE = /^@@[^\n]*@@\n(?:[-+]Subproject commit [0-9a-f]+\n?)+$/;
/** One new line without an end, which reads as a path. GitHub does not say a file's mode. */
const LINK = /^@@ -0,0 \+1 @@\n\+([\w.@/-]+)\n\\ No newline at end of file$/;

function isLinkOrSubmodule({ patch = '' }: ChangedFile): boolean {
  return SUBMODULE.test(patch) || /[./]/.test(LINK.exec(patch)?.[1] ?? '');
}

/** A file of a comparison or a pull request. */
function toChangedFile(answer: unknown): ChangedFile {
  const file = fieldsOf(answer);
  const name = textOf(file.filename);
  const status = statusOf(file.status);
  if (name === undefined || status === undefined) throw unexpectedAnswer(OPERATIONS.compare);
  // A file that was only renamed has no patch because there is nothing in it, not because it is withheld.
  const isMereRename = status === 'renamed' && file.changes === 0;
  return {
    name,
    previousName: textOf(file.previous_filename),
    status,
    patch: textOf(file.patch) ?? (isMereRename ? '' : undefined),
    blob: status === 'removed' ? undefined : textOf(file.sha),
  };
}
