import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readFileSync,
  readlinkSync,
  realpathSync,
} from 'node:fs';
import { join, relative, sep } from 'node:path';
import type { JobDiff } from '@coverage/shared';
import { realPath } from '../git/git-places.ts';
import type { Log } from '../runner/log.ts';
import { counted } from '../runner/words.ts';
import type { Checkout } from './checkout.ts';
import { someOf } from './text-ends.ts';

/** Reads source files of one checkout: what a report names may be a link to a secret beside them. */
export interface SourceReader {
  /** Undefined if the file is not there, as in a sparse checkout, is not plain, or is none of the repo's own. */
  read(name: string): Buffer | undefined;
  /** Says in the log which files are there and were not read, since they are none of the repo's own. */
  tellRefused(log: Log): void;
}

/** Git's own folder, also by the short name that Windows gives it. No index of git's holds such a name. */
const OF_GIT = /(?:^|\/)(?:\.git|git~\d+)[ .]*(?:\/|$)/i;
const HIDDEN = /(?:^|\/)\./;
/** Not on Windows; a pipe is not waited for. */
const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants;

/**
 * With git a file is the repo's own where its real path is that of a plain file in the index. Without git it is where
 * no link is on the way, and no name there begins with a dot. Hard links cannot be told from files.
 */
export function createSourceReader({ root, files, links, byGit }: Checkout): SourceReader {
  const base = realPath(root) ?? root;
  const below = (path: string): string => relative(base, path).split(sep).join('/');
  const isTracked = (name: string): boolean => files.has(name) && !links.has(name) && !OF_GIT.test(name);
  const refused = new Set<string>();
  return {
    read(name) {
      const asked = join(base, name);
      const real = realPath(asked);
      if (real === undefined) return undefined;
      if (byGit ? isTracked(below(real)) : real === asked && !HIDDEN.test(below(real))) return readPlain(real);
      refused.add(name);
      return undefined;
    },
    tellRefused(log) {
      if (refused.size > 0) log.warning(notRead([...refused], { byGit }));
    },
  };
}

/** The path has no link in it. Whatever takes its place until it is open, or while it is, is not read. */
function readPlain(path: string): Buffer | undefined {
  try {
    const handle = openSync(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    try {
      return fstatSync(handle).isFile() && isOpenAt(path, handle) ? readFileSync(handle) : undefined;
    } finally {
      closeSync(handle);
    }
  } catch {
    return undefined;
  }
}

/** Linux knows where an open file is. Elsewhere only the path can be asked, which may change between two questions. */
function isOpenAt(path: string, handle: number): boolean {
  if (process.platform === 'linux') return readlinkSync(`/proc/self/fd/${handle}`) === path;
  const opened = fstatSync(handle, { bigint: true });
  if (realpathSync(path) !== path) return false;
  const { dev, ino } = lstatSync(path, { bigint: true });
  return opened.dev === dev && opened.ino === ino;
}

function notRead(names: readonly string[], { byGit }: { readonly byGit: boolean }): string {
  const rule = byGit
    ? 'they are links, and do not lead to a plain file that git tracks'
    : 'without git no link is followed, and nothing is read whose path has a name that begins with a dot';
  return (
    `Neither text nor digest is sent for ${counted(names.length, 'file')} (${someOf(names)}): ` +
    `${rule}. Their coverage still counts.`
  );
}

/** Whose text goes along with the report. */
export type SourceChoice = 'all' | 'changed' | 'none';

/** Bounds beyond which texts stay behind: the report itself must never be refused for them. In bytes. */
interface TextLimits {
  readonly file: number;
  readonly all: number;
}

const LIMITS: TextLimits = { file: 2 ** 20, all: 32 * 2 ** 20 };

/** The text of one file; undefined if it stays behind. */
export type TextOf = (name: string, bytes: Buffer) => string | undefined;

/** What a job's texts came to. */
export interface SentTexts {
  readonly textOf: TextOf;
  /** How many went along, and how many stayed behind for their size or because they are no text. */
  readonly counts: () => { readonly sent: number; readonly kept: number };
}

/** `changed`: the files that the diff names; none if there is no diff. */
export function chooseTexts(choice: SourceChoice, diff: JobDiff | undefined, limits = LIMITS): SentTexts {
  const changed = new Set(diff?.files.map((file) => file.name));
  let [sent, kept, left] = [0, 0, limits.all];
  return {
    textOf(name, bytes) {
      if (choice === 'none' || (choice === 'changed' && !changed.has(name))) return undefined;
      const text = bytes.length <= Math.min(limits.file, left) ? decode(bytes) : undefined;
      if (text === undefined) kept += 1;
      else {
        sent += 1;
        left -= bytes.length;
      }
      return text;
    },
    counts: () => ({ sent, kept }),
  };
}

function decode(bytes: Buffer): string | undefined {
  if (bytes.includes(0)) return undefined;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
