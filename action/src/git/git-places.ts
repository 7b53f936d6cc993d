import { readFileSync, realpathSync, statSync } from 'node:fs';
import { join, relative, resolve, sep } from 'node:path';

/** Where a checkout keeps what git knows of it; real paths inside the workspace. */
export interface GitPlaces {
  /** The checkout, as it was asked for. */
  readonly root: string;
  /** Its own HEAD and index. */
  readonly folder: string;
  /** What worktrees share: objects, refs, settings. */
  readonly common: string;
}

const SHA = /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/;
const MAX_LINK_BYTES = 4 << 10;
const MAX_REFS_BYTES = 64 << 20;
const MAX_LINKS = 5;

/** A whole sha, and so neither an option nor any other name. */
export function isSha(text: string): boolean {
  return SHA.test(text);
}

/**
 * The `.git` of a folder, never that of one around it, nor a folder that only looks like a git directory: git would
 * take either. A file that leads elsewhere (worktrees, submodules) counts where it stays inside the workspace.
 */
export function findGitPlaces(root: string, workspace: string): GitPlaces | undefined {
  const bounds = realPath(workspace);
  const inBounds = (path: string | undefined): string | undefined => {
    const real = path === undefined || bounds === undefined ? undefined : realPath(path);
    return real !== undefined && isInside(bounds as string, real) && isFolder(real) ? real : undefined;
  };
  const entry = join(root, '.git');
  const folder = inBounds(isFolder(entry) ? entry : linkedFrom(entry, root));
  if (folder === undefined || readSmall(join(folder, 'HEAD'), MAX_LINK_BYTES) === undefined) return undefined;
  const shared = readSmall(join(folder, 'commondir'), MAX_LINK_BYTES);
  const common = shared === undefined ? folder : inBounds(resolve(folder, shared.trim()));
  if (common === undefined || !isFolder(join(common, 'objects'))) return undefined;
  return { root, folder, common };
}

/** The folders between the workspace and one below it, from the top: where actions/checkout may have been sent to. */
export function foldersBetween(workspace: string, folder: string): string[] {
  const below = relative(workspace, folder);
  if (below === '' || !isInside(workspace, folder)) return [];
  const parts = below.split(sep);
  return parts.map((_, index) => join(workspace, ...parts.slice(0, index + 1)));
}

/** The sha of what is checked out. */
export function readHead(places: GitPlaces): string | undefined {
  return followed(places, readSmall(join(places.folder, 'HEAD'), MAX_LINK_BYTES));
}

/** The sha that a ref stands for, as `refs/remotes/origin/main`. */
export function readRef(places: GitPlaces, name: string): string | undefined {
  return followed(places, `ref: ${name}`);
}

/** The branch that is checked out; undefined if none is. */
export function readBranch({ folder }: GitPlaces): string | undefined {
  return /^ref: refs\/heads\/(.+)$/.exec(readSmall(join(folder, 'HEAD'), MAX_LINK_BYTES)?.trim() ?? '')?.[1];
}

function followed({ common }: GitPlaces, link: string | undefined): string | undefined {
  let text = link?.trim();
  for (let links = 0; links < MAX_LINKS && text?.startsWith('ref: '); links += 1) {
    const name = text.slice('ref: '.length).trim();
    if (!name.startsWith('refs/') || name.split('/').includes('..')) return undefined;
    text = (readSmall(join(common, name), MAX_LINK_BYTES) ?? packedRef(common, name))?.trim();
  }
  return text !== undefined && isSha(text) ? text : undefined;
}

/** The text of a plain file up to a size; undefined for anything else, which might never end. */
export function readSmall(path: string, maxBytes: number): string | undefined {
  try {
    const found = statSync(path, { throwIfNoEntry: false });
    return found?.isFile() && found.size <= maxBytes ? readFileSync(path, 'utf8') : undefined;
  } catch {
    return undefined;
  }
}

function packedRef(common: string, name: string): string | undefined {
  const lines = readSmall(join(common, 'packed-refs'), MAX_REFS_BYTES)?.split('\n') ?? [];
  return lines.find((line) => line.endsWith(` ${name}`))?.slice(0, -name.length - 1);
}

function linkedFrom(file: string, root: string): string | undefined {
  const text = readSmall(file, MAX_LINK_BYTES);
  return text?.startsWith('gitdir: ') ? resolve(root, text.slice('gitdir: '.length).trim()) : undefined;
}

/** Whether a path is a folder or lies below it; both absolute, without a link on the way. */
export function isInside(outer: string, path: string): boolean {
  const way = relative(outer, path);
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && resolve(outer, way) === resolve(path));
}

function isFolder(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  } catch {
    return false;
  }
}

/** Undefined if nothing is there. */
export function realPath(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}
