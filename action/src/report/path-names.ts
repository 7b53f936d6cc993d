import { posix } from 'node:path';

const DRIVE = /^[a-zA-Z]:\//;
/** Parts of a path that say: not this repo's own code, wherever it lies. */
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

/** Installed or generated code by its place: never guessed to be a file of the repo. */
export function isForeignName(name: string): boolean {
  return FOREIGN_PART.test(name) || FOREIGN_STARTS.some((start) => start.test(name));
}

/**
 * What follows a root in a clean absolute name; undefined where the name is not below it. Drive letters: in any case.
 */
export function below(root: string, name: string): string | undefined {
  const prefix = root.endsWith('/') ? root : `${root}/`;
  const matches = DRIVE.test(prefix) ? name.toLowerCase().startsWith(prefix.toLowerCase()) : name.startsWith(prefix);
  return matches ? name.slice(prefix.length) : undefined;
}

/** A clean name below a folder; an absolute name is taken as relative to it. */
export function joinName(folder: string, name: string): string {
  return posix.normalize(`${folder}/${name}`);
}

/**
 * How many characters two paths have in common at the end, in whole parts; 0 where not even the last part is the same.
 */
export function commonEnd(a: string, b: string): number {
  const shorter = Math.min(a.length, b.length);
  let same = 0;
  let whole = 0;
  while (same < shorter && a[a.length - 1 - same] === b[b.length - 1 - same]) {
    same += 1;
    const beforeA = a[a.length - 1 - same];
    const beforeB = b[b.length - 1 - same];
    if ((beforeA === undefined || beforeA === '/') && (beforeB === undefined || beforeB === '/')) whole = same;
  }
  return whole;
}
