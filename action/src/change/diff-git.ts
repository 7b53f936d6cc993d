import { GIT_SETTINGS, isSha } from '../context/git.ts';
import { runGit } from './git-process.ts';
import { HunkReader, type HunksByBlobs } from './hunk-reader.ts';
import { parseRawFiles, type RawFile } from './raw-files.ts';

/** What git tells of two commits of one checkout, within the time that all questions have together. */
export interface DiffGit {
  /** Whether the clone's history is cut off. */
  isShallow(): Promise<boolean>;
  /** Whether git fetches what is missing when it is asked for it. */
  isPartial(): Promise<boolean>;
  /** Of two commits that the clone has. Undefined where its history does not tell. */
  mergeBase(one: string, other: string): Promise<string | undefined>;
  /**
   * Gets one commit with its files from a remote into a shallow clone, with the credentials that the checkout left
   * there. Its objects and one line of git's `shallow` file are all that changes: no ref, no tag, no file that is
   * checked out.
   */
  fetchCommit(remote: string, commit: string): Promise<void>;
  /**
   * The files that differ; undefined where git fails. A partial clone gets the texts of those that may be renamed, at
   * once.
   */
  listFiles(base: string, head: string): Promise<{ readonly files: RawFile[]; readonly complete: boolean } | undefined>;
  /**
   * The lines that differ, at most `limit` hunks; undefined where git fails. A partial clone gets the texts of both
   * sides, at once.
   */
  readHunks(
    base: string,
    head: string,
    limit: number,
  ): Promise<{ readonly hunks: HunksByBlobs; readonly complete: boolean } | undefined>;
}

/** Text of file names, some hundred thousand of them. */
const MAX_NAME_BYTES = 16 << 20;
/** Text of changed lines: what is larger was not written by hand. */
const MAX_PATCH_BYTES = 256 << 20;
/**
 * A transfer that stands still is given up by git itself, which then leaves nothing behind. Diffs have these too, for
 * what a partial clone gets.
 */
const FETCH_SETTINGS = [
  'gc.auto=0',
  'maintenance.auto=false',
  'credential.interactive=false',
  'http.lowSpeedLimit=1',
  'http.lowSpeedTime=5',
].flatMap((setting) => ['-c', setting]);
const FETCH = [
  'fetch',
  '--quiet',
  '--no-tags',
  '--depth=1',
  '--no-write-fetch-head',
  '--no-recurse-submodules',
  '--refmap=',
];
/** Plumbing takes few settings of the user's, and none that is given here. No helper program runs. */
const DIFF_TREE = [
  'diff-tree',
  '-r',
  '-M',
  '-l1000',
  '--inter-hunk-context=0',
  '--no-ext-diff',
  '--no-textconv',
  '--no-color',
];

/** Asks the `git` on the PATH about one checkout until the signal is aborted; from then on every answer is "no". */
export function createDiffGit(folder: string, signal: AbortSignal, command = 'git'): DiffGit {
  const run = (args: readonly string[], onOutput: (piece: Buffer) => boolean) =>
    runGit({ command, args: ['-C', folder, ...GIT_SETTINGS, ...FETCH_SETTINGS, ...args], signal, onOutput });
  const ask = async (...args: string[]): Promise<string | undefined> => {
    const pieces: Buffer[] = [];
    const ending = await run(args, (piece) => pieces.push(piece) < 100);
    return ending === 'done' ? Buffer.concat(pieces).toString('utf8').trim() : undefined;
  };
  return {
    isShallow: async () => (await ask('rev-parse', '--is-shallow-repository')) === 'true',
    isPartial: async () => (await ask('config', '--get-regexp', String.raw`^remote\..*\.promisor$`)) !== undefined,
    async mergeBase(one, other) {
      const found = isSha(one) && isSha(other) ? await ask('merge-base', one, other) : undefined;
      return found !== undefined && isSha(found) ? found : undefined;
    },
    async fetchCommit(remote, commit) {
      // Anything else could be taken for an option.
      if (!isSha(commit) || !/^[\w.]/.test(remote)) return;
      await ask(...FETCH, remote, commit);
    },
    async listFiles(base, head) {
      const pieces: Buffer[] = [];
      let size = 0;
      const ending = await run([...DIFF_TREE, '--raw', '-z', '--no-abbrev', base, head], (piece) => {
        pieces.push(piece);
        size += piece.length;
        return size <= MAX_NAME_BYTES;
      });
      if (ending === 'failed') return undefined;
      return { files: parseRawFiles(Buffer.concat(pieces).toString('utf8')), complete: ending === 'done' };
    },
    async readHunks(base, head, limit) {
      const reader = new HunkReader(limit);
      let size = 0;
      const ending = await run([...DIFF_TREE, '-p', '-U0', '--full-index', base, head], (piece) => {
        size += piece.length;
        return reader.read(piece) && size <= MAX_PATCH_BYTES;
      });
      if (ending === 'failed') return undefined;
      return { hunks: reader.finish(ending === 'done'), complete: ending === 'done' };
    },
  };
}
