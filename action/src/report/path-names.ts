import { posix } from 'node:path';
import { pathPattern } from '@coverage/shared/path-patterns';

const DRIVE = /^[a-zA-Z]:\//;
/** Parts of a path that say: not this repo's own code, unless the repo tracks it. */
const FOREIGN_PART =
  /(?:^|\/)(?:node_modules|vendor|site-packages|dist-packages|\.cargo|rustc|target|\.git|Program Files[^/]*)\//;
const FOREIGN_STARTS: readonly RegExp[] = [
  /^\/usr\/(?:local\/)?(?:include|lib|lib32|lib64|libexec|share)\//,
  /^\/(?:lib(?:32|64)?|nix\/store|opt\/homebrew|opt\/hostedtoolcache|Library|Applications|System)\//,
  /^[a-zA-Z]:\/(?:Windows|hostedtoolcache)\//,
];

/**
 * A name from a report with `/` only, without `.`, `..` and repeated slashes where they can be resolved, without
 * `file://`.
 */
export function cleanName(name: string): string {
  const slashed = name.replace(/^file:\/\/(?=\/)/, '').replaceAll('\\', '/');
  return posix.normalize(slashed.replace(/^\/(?=[a-zA-Z]:\/)/, '')).replace(/(?<=.)\/$/, '');
}

/** `/src/a.ts` or `D:/src/a.ts`; the name is clean. */
export function isAbsoluteName(name: string): boolean {
  return name.startsWith('/') || DRIVE.test(name);
}

/** Installed or generated code by its place. */
export function isForeignName(name: string): boolean {
  return FOREIGN_PART.test(name) || isSystemName(name);
}

/** Below a folder that holds no checkout. */
export function isSystemName(name: string): boolean {
  return FOREIGN_STARTS.some((start) => start.test(name));
}

/**
 * The clean forms of a name, to be tried in this order: as it is written, without what bundlers put around it, and
 * without the way out of the folder that they wrote to.
 */
export function writtenForms(name: string): string[] {
  const plain = cleanName(withoutBundler(name));
  return [...new Set([cleanName(name), plain, plain.replace(/^(?:\.\.\/)+(?=.)/, '')])];
}

const BUNDLED = /^(?:webpack(?:-internal)?|turbopack|https?):\/\//;

/**
 * `webpack://shop/./src/a.js?9f3c` and `webpack-internal:///(rsc)/./src/a.js` as `src/a.js`, `/@fs/repo/src/a.ts?v=1`
 * as `/repo/src/a.ts`.
 */
function withoutBundler(name: string): string {
  const file = name.replace(/^\/@fs(?=\/)/, '').replace(/(?<=.)\?.*$/s, '');
  const scheme = BUNDLED.exec(file)?.[0];
  if (scheme === undefined) return file;
  const path = file.slice(scheme.length);
  if (scheme.startsWith('http')) return path.replace(/^[^/]*/, '');
  const [, relative] = /^(?:@[^/]*\/)?[^/]*\/(?:\([^/()]*\)\/|\[project\]\/)?((?:\.{1,2}\/)*[^/].*)$/s.exec(path) ?? [];
  return relative ?? path.replace(/^[^/]*/, '').replace(/^\/(?=\/)/, '');
}

/** What follows a root in a clean absolute name; undefined if the name is not below it. Drive letters: in any case. */
export function below(root: string, name: string): string | undefined {
  const prefix = root.endsWith('/') ? root : `${root}/`;
  const matches = DRIVE.test(prefix) ? name.toLowerCase().startsWith(prefix.toLowerCase()) : name.startsWith(prefix);
  return matches ? name.slice(prefix.length) : undefined;
}

/** A clean name below a folder, '' for the root of the repo; an absolute name is taken as relative to it. */
export function joinName(folder: string, name: string): string {
  return posix.normalize(folder === '' ? name.replace(/^\/+/, '') : `${folder}/${name}`);
}

/** Which files of the repo count. */
export interface PathChoice {
  /** Patterns, or folders and files; none: all. */
  readonly include: readonly string[];
  readonly exclude: readonly string[];
}

/** "What begins with `from` in a report is below `to` in the repo." */
export interface PathMove {
  /** Clean, without a trailing slash. */
  readonly from: string;
  readonly to: string;
}

/** Whether a repo-relative path is one of those that count. */
export function chooser({ include, exclude }: PathChoice): (path: string) => boolean {
  const [wanted, unwanted] = [include.map(pathPattern), exclude.map(pathPattern)];
  return (path) =>
    (wanted.length === 0 || wanted.some((matches) => matches(path))) && !unwanted.some((matches) => matches(path));
}

/** Reads `from=to`; undefined for anything else. An empty `to` is the root of the repo. */
export function parseMove(text: string): PathMove | undefined {
  const at = text.indexOf('=');
  const [from, to] = [text.slice(0, at).trim(), text.slice(at + 1).trim()];
  if (at < 0 || from === '') return undefined;
  return { from: cleanName(from), to: cleanName(to === '' ? '.' : to) };
}

/** Where the first move that knows one of the spellings takes it; undefined if none does. */
export function moveName(spellings: readonly string[], moves: readonly PathMove[]): string | undefined {
  for (const { from, to } of moves) {
    for (const spelling of spellings) {
      const rest = spelling === from ? '' : below(from, spelling);
      if (rest !== undefined) return joinName(to, rest).replace(/\/$/, '');
    }
  }
  return undefined;
}
