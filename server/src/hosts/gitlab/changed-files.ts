import type { Provider } from '../../ports/provider.ts';
import type { ChangedFile, ChangedFiles } from '../../ports/provider-facts.ts';
import { type Fields, fieldsOf, isCommitSha, isRangeEnd, textOf } from '../answers.ts';
import { isSourceMode, readGitDiff } from '../git-diff.ts';
import type { Ask } from '../rest/calls.ts';
import { unexpectedAnswer } from '../rest/operations.ts';
import { askFor, definiteAnswer } from '../rest/questions.ts';
import { askMergeBase } from './histories.ts';
import { OPERATIONS } from './operations.ts';
import { type Gitlab, inProject } from './questions.ts';

type FilesCall = Parameters<Provider['compareFiles']>[0];

/** What a GitLab of one's own compares at most; gitlab.com compares 3,000. Which files are left out it does not say. */
const MAX_FILES = [1_000, 3_000];

/**
 * What changed at GitLab. It leaves out the text of a file whose own difference is a tenth of what it shows in all
 * (200 KB): of a merge request it is read from the whole diff.
 */
export function createChangedFiles(gitlab: Gitlab): Pick<Provider, 'compareFiles' | 'compareTrees' | 'haveSameTree'> {
  const isRange = ({ base, head }: { readonly base: string; readonly head: string }) =>
    isRangeEnd(base) && isRangeEnd(head);
  return {
    compareFiles: async (range) => {
      if (!isRange(range)) return undefined;
      return definiteAnswer(
        inProject(gitlab, range.repo, async (ask, path) => {
          const mergeBase = await askMergeBase(ask, path, range);
          const compared = await compare(ask, path, { base: mergeBase, head: range.head });
          return { ...(await withHiddenTexts(ask, path, { ...range, mergeBase, compared })), mergeBase };
        }),
      );
    },
    compareTrees: async (range) =>
      isRange(range)
        ? definiteAnswer(inProject(gitlab, range.repo, (ask, path) => compare(ask, path, range)))
        : undefined,
    haveSameTree: async ({ repo, one, other }) => {
      if (!isCommitSha(one) || !isCommitSha(other)) return undefined;
      if (one.toLowerCase() === other.toLowerCase()) return true;
      const range = { base: one, head: other };
      const listed = await definiteAnswer(inProject(gitlab, repo, (ask, path) => listDiffs(ask, path, range)));
      return listed?.complete === true ? listed.diffs.length === 0 : undefined;
    },
  };
}

interface Listed {
  readonly diffs: readonly Fields[];
  readonly complete: boolean;
}

async function listDiffs(
  ask: Ask,
  path: string,
  { base, head }: { readonly base: string; readonly head: string },
): Promise<Listed> {
  const { diffs, isWhole } = await askFor(ask, OPERATIONS.compare, {
    path: `${path}/repository/compare`,
    query: { from: base, to: head, straight: 'true' },
    read: ({ diffs: listed, compare_timeout: timeout }) =>
      Array.isArray(listed) ? { diffs: listed.map(fieldsOf), isWhole: timeout !== true } : undefined,
  });
  return { diffs, complete: isWhole && !MAX_FILES.includes(diffs.length) };
}

async function compare(...asked: Parameters<typeof listDiffs>): Promise<ChangedFiles> {
  const { diffs, complete } = await listDiffs(...asked);
  const sources = diffs.filter(({ deleted_file: gone, a_mode, b_mode }) =>
    isSourceMode(gone === true ? a_mode : b_mode),
  );
  const files = sources.map(toChangedFile).filter((file) => file !== undefined);
  if (files.length < sources.length) throw unexpectedAnswer(OPERATIONS.compare);
  return { files, complete };
}

/** The texts that GitLab left out, where the merge request still is of this range. */
async function withHiddenTexts(
  ask: Ask,
  path: string,
  {
    head,
    pullRequest,
    mergeBase,
    compared,
  }: FilesCall & { readonly mergeBase: string; readonly compared: ChangedFiles },
): Promise<ChangedFiles> {
  const lacks = compared.files.some(({ patch }) => patch === undefined);
  if (!lacks || pullRequest === undefined || !(await isOfRange(ask, path, { head, pullRequest, mergeBase })))
    return compared;
  const asked = { path: `${path}/merge_requests/${pullRequest}/raw_diffs` };
  const answer = await definiteAnswer(ask(OPERATIONS.readDiff, asked));
  if (answer === undefined) return compared;
  const patches = new Map(readGitDiff(answer.text).map(({ name, patch }) => [name, patch]));
  const files = compared.files.map((file) =>
    file.patch === undefined ? { ...file, patch: patches.get(file.name) } : file,
  );
  return { ...compared, files };
}

async function isOfRange(
  ask: Ask,
  path: string,
  { head, pullRequest, mergeBase }: { readonly head: string; readonly pullRequest: number; readonly mergeBase: string },
): Promise<boolean> {
  const refs = await definiteAnswer(
    askFor(ask, OPERATIONS.readMergeRequest, {
      path: `${path}/merge_requests/${pullRequest}`,
      read: ({ diff_refs: found }) => fieldsOf(found),
    }),
  );
  return refs?.head_sha === head && refs.base_sha === mergeBase;
}

function toChangedFile(diff: Fields): ChangedFile | undefined {
  const [name, before] = [diff.new_path, diff.old_path].map(textOf);
  if (name === undefined || before === undefined) return undefined;
  const renamed = diff.renamed_file === true;
  const status =
    diff.new_file === true ? 'added' : diff.deleted_file === true ? 'removed' : renamed ? 'renamed' : 'modified';
  return { name, previousName: renamed ? before : undefined, status, patch: patchOf(diff, renamed) };
}

/** For versions before 18.4 an empty text alone says that it was left out; a mere rename has none either. */
function patchOf(diff: Fields, renamed: boolean): string | undefined {
  const { diff: text, collapsed, too_large: tooLarge } = diff;
  if (typeof text !== 'string' || collapsed === true || tooLarge === true) return undefined;
  if (text === '') return renamed ? '' : undefined;
  return text.startsWith('@@') ? text.replace(/\n$/, '') : undefined;
}
