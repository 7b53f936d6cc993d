import { realpathSync } from 'node:fs';
import { join, posix, resolve } from 'node:path';
import type { Git } from '../context/git.ts';
import { realPath } from '../git/git-places.ts';
import { below, joinName } from './path-names.ts';
import { walkFiles } from './walk-files.ts';

/** The files that belong to the repo, which decide what the names in reports mean. */
export interface Checkout {
  /** Absolute, with `/`, without a trailing slash. */
  readonly root: string;
  /** Repo-relative paths with `/`. */
  readonly files: ReadonlySet<string>;
  /** Those among them that git keeps as links or submodules, whatever is on disk. */
  readonly links: ReadonlySet<string>;
  /** Whether git listed them; if not, the folder was walked, and every file in it counts. */
  readonly byGit: boolean;
}

/**
 * Lists the first of these folders that is a checkout's root, as git's index does. If none is, or git is missing,
 * the first one is walked (then what lies in `node_modules` and `vendor` does not count).
 */
export async function readCheckout(git: Git, folder: string, others: readonly string[] = []): Promise<Checkout> {
  for (const root of [folder, ...others]) {
    const listed = await git.listFiles(root);
    if (listed.length === 0) continue;
    const files = new Set(listed.map(({ name }) => name));
    const links = new Set(listed.filter(({ isPlain }) => !isPlain).map(({ name }) => name));
    return { root: withSlashes(resolve(root)), files, links, byGit: true };
  }
  return { root: withSlashes(resolve(folder)), files: new Set(walkFiles(folder)), links: new Set(), byGit: false };
}

/**
 * A root as it is given and as its real path, where a link leads to it (macOS' /tmp is /private/tmp), with `é` as one
 * character and as two.
 */
function rootSpellings(root: string): string[] {
  const spellings = [root, withSlashes(realpathSync(root))];
  return [...new Set([...spellings, ...spellings.flatMap((one) => [one.normalize('NFC'), one.normalize('NFD')])])];
}

function withSlashes(path: string): string {
  return process.platform === 'win32' ? path.replaceAll('\\', '/') : path;
}

/** What a path has in common with the tracked files that end most like it. */
interface CommonEnd {
  /** How many of its last parts. */
  readonly parts: number;
  readonly files: readonly string[];
}

const NOTHING: CommonEnd = { parts: 0, files: [] };

/** The files of a checkout, as paths from elsewhere find them. Made once for all reports of a job. */
export class TrackedFiles {
  readonly checkout: Checkout;
  /** The checkout's root as names may spell it. */
  readonly roots: readonly string[];
  readonly #realFolders = new Map<string, string | undefined>();
  readonly #ranges = new Map<string, readonly string[]>();
  #composed: ReadonlyMap<string, readonly string[]> | undefined;
  #ends: readonly (readonly [end: string, file: string])[] | undefined;

  constructor(checkout: Checkout) {
    this.checkout = checkout;
    this.roots = rootSpellings(checkout.root);
  }

  /** What follows the root in an absolute name; undefined if the name is not below it. */
  inCheckout(name: string): string | undefined {
    return this.roots.map((root) => below(root, name)).find((rest) => rest !== undefined);
  }

  /** The file of a repo-relative path; macOS writes `é` as two characters, and git mostly as one. */
  at(path: string): string | undefined {
    if (this.checkout.files.has(path)) return path;
    if (isAscii(path)) return undefined;
    this.#composed ??= Map.groupBy(
      [...this.checkout.files].filter((file) => !isAscii(file)),
      (file) => file.normalize(),
    );
    const [file, ...others] = this.#composed.get(path.normalize()) ?? [];
    return others.length === 0 ? file : undefined;
  }

  /** The file that a path leads to by a link to a folder of the checkout. */
  throughLink(path: string): string | undefined {
    const folder = posix.dirname(path);
    const real = this.#realFolder(folder);
    return real === undefined ? undefined : this.at(joinName(real, posix.basename(path)));
  }

  /** The file that a tracked link leads to, if that is tracked: a link is no source file. Else the path itself. */
  behindLink(path: string): string {
    const { root, files, links } = this.checkout;
    const real = links.has(path) ? realPath(join(root, path)) : undefined;
    const inside = real && this.inCheckout(withSlashes(real));
    return inside !== undefined && files.has(inside) && !links.has(inside) ? inside : path;
  }

  /** The files whose last parts are these, sorted. */
  endingIn(end: string): readonly string[] {
    return this.#range(backwards(end));
  }

  /** The longest end of a path that any file has, in whole parts. */
  bestEnd(path: string): CommonEnd {
    const asked = backwards(path);
    const ends = this.#sortedEnds();
    const at = this.#lowerBound(asked);
    const same = Math.max(
      ...[ends[at - 1], ends[at]].map((one) => (one === undefined ? 0 : commonStart(asked, one[0]))),
    );
    if (same === 0) return NOTHING;
    return { parts: asked.slice(0, same).split('/').length - 1, files: this.#range(asked.slice(0, same)) };
  }

  /** Repo-relative, '' for the root; undefined if it leads out of the checkout, or nowhere. */
  #realFolder(folder: string): string | undefined {
    if (folder === '.' || folder === '/') return '';
    if (!this.#realFolders.has(folder)) {
      // Nothing is asked about what lies in a folder that is not there: names may have many.
      const around = this.#realFolder(posix.dirname(folder));
      const real = around === undefined ? undefined : realPath(join(this.checkout.root, folder));
      const isRoot = real !== undefined && this.roots.includes(withSlashes(real));
      this.#realFolders.set(folder, isRoot ? '' : real && this.inCheckout(withSlashes(real)));
    }
    return this.#realFolders.get(folder);
  }

  /** By names of one file in many folders, each of thousands of names would look at thousands of files. */
  #range(start: string): readonly string[] {
    const known = this.#ranges.get(start);
    if (known !== undefined) return known;
    const ends = this.#sortedEnds();
    const found = ends.slice(this.#lowerBound(start), this.#lowerBound(`${start.slice(0, -1)}0`));
    const files = found.map(([, file]) => file).sort();
    this.#ranges.set(start, files);
    return files;
  }

  #lowerBound(end: string): number {
    const ends = this.#sortedEnds();
    let [low, high] = [0, ends.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((ends[middle] as (typeof ends)[number])[0] < end) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #sortedEnds(): readonly (readonly [end: string, file: string])[] {
    this.#ends ??= [...this.checkout.files]
      .map((file) => [backwards(file), file] as const)
      .sort(([a], [b]) => (a < b ? -1 : 1));
    return this.#ends;
  }
}

/** `src/lib/a.ts` as `a.ts/lib/src/`: files that end alike stand side by side then. */
function backwards(path: string): string {
  return `${path.normalize().split('/').reverse().join('/')}/`;
}

/** How many characters two paths have in common at the start, in whole parts with their `/`. */
function commonStart(a: string, b: string): number {
  let same = 0;
  while (same < a.length && a[same] === b[same]) same += 1;
  return a.lastIndexOf('/', same - 1) + 1;
}

function isAscii(text: string): boolean {
  return Buffer.byteLength(text) === text.length;
}
