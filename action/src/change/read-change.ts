import type { DiffFile, JobDiff } from '@coverage/shared';
import type { EventFacts } from '../context/event.ts';
import { createGit, type Git } from '../context/git.ts';
import type { GitFolder, GitFolders } from '../git/git-folder.ts';
import type { Log } from '../runner/log.ts';
import { counted, type Texts } from '../runner/words.ts';
import { createDiffGit, type DiffGit } from './diff-git.ts';
import type { HunksByBlobs } from './hunk-reader.ts';
import type { RawFile } from './raw-files.ts';

/**
 * Bounds of a diff, which says that it is incomplete where it meets one. They keep small what the upload and a close
 * take.
 */
export interface ChangeLimits {
  readonly files: number;
  readonly hunks: number;
  /** Put into all files that were there before. The server takes no diff that puts in more than 4,194,304. */
  readonly newLines: number;
  /** For all that git is asked, the fetch of a missing commit included, in milliseconds. */
  readonly timeMs: number;
}

export const LIMITS: ChangeLimits = { files: 5_000, hunks: 50_000, newLines: 2_000_000, timeMs: 10_000 };
/** The server takes no hunks of a file that is longer. */
const MAX_FILE_LINES = 2 ** 24;

/** What the reading works with. */
interface ChangeTools {
  readonly log: Log;
  readonly folders: GitFolders;
  readonly limits?: ChangeLimits;
}

/**
 * Which lines the tested commit changed, by name and number. It never fails an upload, which is sent without it; then
 * one line of the log says why.
 */
export async function readChange(tested: TestedCommit, tools: ChangeTools): Promise<JobDiff | undefined> {
  const { log, limits = LIMITS } = tools;
  const timeUp = AbortSignal.timeout(limits.timeMs);
  const found = await tryToRead(tested, { ...tools, limits }, timeUp).catch((error: unknown) => ({
    reason: String(error),
  }));
  if ('reason' in found) {
    const reason = timeUp.aborted ? `git took longer than ${limits.timeMs / 1000} s` : found.reason;
    logUnsent(log, reason);
    return undefined;
  }
  log.info(linesSent(found.files.length, { isComplete: found.complete, base: found.base_sha }));
  return found;
}

/** `reason`: a clause that follows "because". */
export function logUnsent(log: Log, reason: string): void {
  log.info(`Changed lines are not sent with this upload, because ${reason}.`);
}

async function tryToRead(
  tested: TestedCommit,
  tools: ChangeTools & { readonly limits: ChangeLimits },
  signal: AbortSignal,
): Promise<JobDiff | { readonly reason: string }> {
  const { root, head } = tested;
  const { limits, folders } = tools;
  const folder = await folders.at(root, signal);
  if (folder === undefined) return { reason: `nothing is checked out and ${head} was tested` };
  const clone = { git: createGit(folders, signal), folder, diffGit: createDiffGit(folder, signal) };
  const { base, reason } = await findBase(tested, clone);
  if (base === undefined) return { reason };
  const isHeld = await clone.git.hasCommit(root, base);
  if (!isHeld && !(await obtain(base, clone)))
    return { reason: `the clone does not hold ${base}, and could not get it` };
  const compare = () => compareTrees({ base, head }, { ...clone, limits });
  const compared = await compare();
  // A fetch that was cut off, in an earlier job on the same machine, may have left a commit without all of its files.
  const again = compared === undefined && isHeld && (await obtain(base, clone)) ? await compare() : compared;
  return again ?? { reason: `git could not compare ${base} with ${head}` };
}

/** Between two commits, or trees. Undefined if git fails. */
export async function compareTrees(
  { base, head }: { readonly base: string; readonly head: string },
  { folder, diffGit, limits }: { readonly folder: GitFolder; readonly diffGit: DiffGit; readonly limits: ChangeLimits },
): Promise<JobDiff | { readonly reason: string } | undefined> {
  const listed = await diffGit.listFiles(base, head);
  if (listed === undefined) return undefined;
  const isTooLong = listed.files.length > limits.files;
  // That many texts are not fetched for a list that cannot name them all.
  if (isTooLong && folder.isPartial) return { reason: tooManyToFetch(limits.files) };
  const read = await diffGit.readHunks(base, head, limits.hunks);
  if (read === undefined) return undefined;
  return {
    base_sha: base,
    head_sha: head,
    files: leaveOutLong(
      listed.files.slice(0, limits.files).map((file) => toDiffFile(file, read.hunks)),
      limits.newLines,
    ),
    complete: listed.complete && read.complete && !isTooLong,
  };
}

/** Fetches the one commit that actions/checkout leaves out by default; only where the clone is shallow anyway. */
async function obtain(commit: string, { git, folder, diffGit }: Clone): Promise<boolean> {
  if (!folder.isShallow || !folder.canFetch) return false;
  await diffGit.fetchCommit(commit);
  return git.hasCommit(folder.root, commit);
}

function toDiffFile({ name, previous_name, kind, blobs, sameText }: RawFile, hunks: HunksByBlobs): DiffFile {
  const found = sameText ? [] : blobs === undefined ? null : (hunks.get(blobs) ?? null);
  return { name, ...(previous_name === undefined ? {} : { previous_name }), kind, hunks: found };
}

/** Leaves out the lines of generated files, which are too many, so that the server takes those of all others. */
function leaveOutLong(files: readonly DiffFile[], newLines: number): DiffFile[] {
  let left = newLines;
  return files.map((file) => {
    const hunks = file.hunks ?? [];
    const added =
      file.kind === 'added' || file.kind === 'removed' ? 0 : hunks.reduce((sum, [, , , lines]) => sum + lines, 0);
    const isLong = hunks.some(
      ([old, oldLines, now, lines]) => Math.max(old + oldLines, now + lines) - 1 > MAX_FILE_LINES,
    );
    if (isLong || added > left) return { ...file, hunks: null };
    left -= added;
    return file;
  });
}

function linesSent(files: number, { isComplete, base }: Texts<'base'> & { readonly isComplete: boolean }): string {
  const count = `${counted(files, 'changed file')}${isComplete ? '' : ' (not all)'}`;
  return `The line numbers of ${count} since ${base} are sent with this upload.`;
}

function tooManyToFetch(files: number): string {
  return `the clone is partial and would have to get more than ${files} changed files`;
}

const SHALLOW_CLONE =
  'the clone is shallow and where the pull request began is not in it: give actions/checkout "fetch-depth: 0"';

/** The commit that a change is counted from, or why there is none: a clause that follows "because". */
type FoundBase =
  | { readonly base: string; readonly reason?: never }
  | { readonly base?: never; readonly reason: string };

/** What was tested, and what the event says of it. */
interface TestedCommit {
  readonly root: string;
  readonly head: string;
  readonly facts: EventFacts;
}

/** What is asked about the checkout. */
interface Clone {
  readonly git: Git;
  readonly folder: GitFolder;
  readonly diffGit: DiffGit;
}

/**
 * From which commit the server counts what was tested (rules.md, rule 18): a pull request's merge commit from its first
 * parent, its head from the merge base; a merge queue's commit from the one it is queued behind; a push from the branch
 * as it was before, whose build is the one it is compared with.
 */
async function findBase({ root, head, facts }: TestedCommit, { git, folder, diffGit }: Clone): Promise<FoundBase> {
  if (folder.headSha !== head)
    return { reason: `${folder.headSha ?? 'nothing'} is checked out and ${head} was tested` };
  const parents = (await git.readCommit(root, head))?.parents ?? [];
  const [first] = parents;
  const isMergeOfHead = head !== facts.headSha && parents.length === 2 && parents[1] === facts.headSha;
  if (isMergeOfHead && first !== undefined) return { base: first };
  const isPullRequest = facts.pullRequest !== '';
  if (isPullRequest && facts.baseSha !== '') return findMergeBase({ root, head, facts }, { git, folder, diffGit });
  const before = isPullRequest ? '' : facts.baseSha || facts.pushedFrom;
  const base = before || first;
  return base === undefined ? { reason: `${head} has no parent` } : { base };
}

/** Part of a history may show an older common ancestor than the newest; better none than that one. */
async function findMergeBase({ root, head, facts }: TestedCommit, { git, folder, diffGit }: Clone): Promise<FoundBase> {
  if (folder.isShallow) return { reason: SHALLOW_CLONE };
  const base = (await git.hasCommit(root, facts.baseSha)) ? await diffGit.mergeBase(facts.baseSha, head) : undefined;
  return base === undefined ? { reason: `the clone does not tell where ${head} left ${facts.baseSha}` } : { base };
}
