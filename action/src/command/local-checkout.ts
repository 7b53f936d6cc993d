import { dirname, join, relative, resolve, sep } from 'node:path';
import {
  findGitPlaces,
  type GitPlaces,
  isInside,
  readBranch,
  readHead,
  readRef,
  readSmall,
  realPath,
} from '../git/git-places.ts';

const MAX_LINK_BYTES = 4 << 10;

/** The checkout around a folder, as far as it is known without running git. */
export interface LocalCheckout {
  /** The nearest folder that holds a `.git`, else the folder itself; absolute. */
  readonly root: string;
  /** What git may read lies below this: the root, or what holds the repo of a worktree too. */
  readonly bounds: string;
  readonly headSha: string | undefined;
  readonly branch: string | undefined;
  /** The commit of a branch as it was fetched last from `origin`. */
  remoteSha(branch: string): string | undefined;
  /** The commit of a local branch. */
  branchSha(branch: string): string | undefined;
}

/** Never fails: what is no checkout has only a root. */
export function findLocalCheckout(folder: string): LocalCheckout {
  const start = realPath(folder) ?? folder;
  const root = rootAround(start) ?? start;
  const bounds = boundsOf(root);
  const places = findGitPlaces(root, bounds);
  const of = <T>(read: (places: GitPlaces) => T): T | undefined => (places === undefined ? undefined : read(places));
  return {
    root,
    bounds,
    headSha: of(readHead),
    branch: of(readBranch),
    remoteSha: (branch) => of((found) => readRef(found, `refs/remotes/origin/${branch}`)),
    branchSha: (branch) => of((found) => readRef(found, `refs/heads/${branch}`)),
  };
}

/** A path or pattern that was typed in a folder, as seen from the checkout's root. */
export function fromRoot(path: string, { folder, root }: { readonly folder: string; readonly root: string }): string {
  return relative(root, resolve(folder, path)).split(sep).join('/');
}

function rootAround(folder: string): string | undefined {
  for (let at = folder; ; at = dirname(at)) {
    if (realPath(join(at, '.git')) !== undefined) return at;
    if (dirname(at) === at) return undefined;
  }
}

/** A worktree's `.git` is a file that names a folder of the repo elsewhere; the user of the command made it. */
function boundsOf(root: string): string {
  const link = readSmall(join(root, '.git'), MAX_LINK_BYTES);
  if (link === undefined || !link.startsWith('gitdir: ')) return root;
  const folder = resolve(root, link.slice('gitdir: '.length).trim());
  const shared = readSmall(join(folder, 'commondir'), MAX_LINK_BYTES)?.trim();
  const repo = realPath(shared === undefined ? folder : resolve(folder, shared));
  let bounds = root;
  while (repo !== undefined && !isInside(bounds, repo) && dirname(bounds) !== bounds) bounds = dirname(bounds);
  return bounds;
}
