import { join, posix } from 'node:path';
import { readSmall } from '../git/git-places.ts';
import type { Checkout } from './checkout.ts';
import { below, isAbsoluteName, joinName } from './path-names.ts';

const MAX_MANIFEST_BYTES = 1 << 20;
/** Go itself does not build what lies there. */
const IGNORED = /(?:^|\/)(?:testdata|vendor|[_.][^/]*)\//;

interface GoModule {
  readonly path: string;
  /** Repo-relative, '' for the root. */
  readonly folder: string;
}

interface Around {
  readonly checkout: Checkout;
  /** Repo-relative folders around the report, the nearest first. */
  readonly around: readonly string[];
}

/**
 * The files that import paths stand for, by the tracked go.mod files, the longest module path first. Dependencies and
 * untracked files (cgo's, generated ones) get none. Undefined if no module holds any of the names.
 */
export function mapImportPaths(
  names: readonly string[],
  { checkout, around }: Around,
): Map<string, readonly string[]> | undefined {
  const modules = Map.groupBy(readModules(checkout), (module) => module.path);
  const paths = [...modules.keys()].sort((a, b) => b.length - a.length);
  const mapped = new Map<string, readonly string[]>();
  let known = false;
  for (const name of names) {
    if (isAbsoluteName(name) || name.startsWith('.') || name.startsWith('_/')) continue;
    const holding = paths.filter((path) => below(path, name) !== undefined);
    known ||= holding.length > 0;
    const found = holding.map((path) => filesOf(name, modules.get(path) ?? [], checkout));
    mapped.set(name, nearest(found.find((files) => files.length > 0) ?? [], around));
  }
  return known ? mapped : undefined;
}

function filesOf(name: string, modules: readonly GoModule[], { files }: Checkout): string[] {
  return modules
    .map(({ path, folder }) => joinName(folder === '' ? '.' : folder, below(path, name) ?? ''))
    .filter((path) => files.has(path));
}

function nearest(files: readonly string[], around: readonly string[]): readonly string[] {
  if (files.length < 2) return files;
  const built = files.filter((file) => !IGNORED.test(file));
  const likely = built.length > 0 ? built : files;
  const folder = around.find((one) => one !== '' && likely.some((file) => below(one, file) !== undefined));
  return folder === undefined ? likely : likely.filter((file) => below(folder, file) !== undefined);
}

/** Modules that a go.work names hide others of the same path. */
function readModules({ root, files }: Checkout): GoModule[] {
  const modules: GoModule[] = [];
  const used = new Set<string>();
  for (const file of files) {
    const base = posix.basename(file);
    if (base !== 'go.mod' && base !== 'go.work') continue;
    const folder = posix.dirname(file) === '.' ? '' : posix.dirname(file);
    const text = readSmall(join(root, file), MAX_MANIFEST_BYTES) ?? '';
    const path = base === 'go.mod' ? modulePath(text) : undefined;
    if (path !== undefined) modules.push({ path, folder });
    if (base === 'go.work') for (const use of usedFolders(text)) used.add(joinFolder(folder, use));
  }
  const usedPaths = new Set(modules.filter(({ folder }) => used.has(folder)).map(({ path }) => path));
  return modules.filter(({ path, folder }) => used.has(folder) || !usedPaths.has(path));
}

function modulePath(text: string): string | undefined {
  const [, path] = /^[ \t]*module[ \t]+("[^"\n]+"|`[^`\n]+`|[^\s"`]+)/m.exec(text) ?? [];
  return path?.replaceAll(/["`]/g, '');
}

function usedFolders(text: string): string[] {
  const folders: string[] = [];
  let inUse = false;
  for (const line of text.split('\n')) {
    const words = (line.split('//', 1)[0] ?? '').trim().split(/\s+/);
    const isUse = words[0] === 'use';
    const folder = isUse ? words[1] : words[0];
    if (isUse && folder?.startsWith('(')) inUse = true;
    else if (folder === ')') inUse = false;
    else if ((isUse || inUse) && folder) folders.push(folder.replaceAll(/["`]/g, ''));
  }
  return folders;
}

function joinFolder(folder: string, use: string): string {
  const joined = posix.normalize(`${folder === '' ? '.' : folder}/${use}`).replace(/\/$/, '');
  return joined === '.' ? '' : joined;
}
