import { realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Git } from '../context/git.ts';
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
 * Lists the first of these folders that is a checkout's root, as git's index does. Where none is, or git is missing,
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
export function rootSpellings(root: string): string[] {
  const spellings = [root, withSlashes(realpathSync(root))];
  return [...new Set([...spellings, ...spellings.flatMap((one) => [one.normalize('NFC'), one.normalize('NFD')])])];
}

export function withSlashes(path: string): string {
  return process.platform === 'win32' ? path.replaceAll('\\', '/') : path;
}
