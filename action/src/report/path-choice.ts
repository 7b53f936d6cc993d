import { type Glob, isGlob, parseGlob } from './glob.ts';
import { below, cleanName, joinName } from './path-names.ts';

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
  const [wanted, unwanted] = [include.map(matcher), exclude.map(matcher)];
  return (path) =>
    (wanted.length === 0 || wanted.some((matches) => matches(path))) && !unwanted.some((matches) => matches(path));
}

function matcher(pattern: string): Glob['matches'] {
  const clean = pattern.replaceAll('\\', '/').replace(/^(?:\.\/)+/, '');
  if (isGlob(clean)) return parseGlob(clean).matches;
  const folder = cleanName(clean);
  return (path) => folder === '.' || path === folder || path.startsWith(`${folder}/`);
}

/** Reads `from=to`; undefined for anything else. An empty `to` is the root of the repo. */
export function parseMove(text: string): PathMove | undefined {
  const at = text.indexOf('=');
  const [from, to] = [text.slice(0, at).trim(), text.slice(at + 1).trim()];
  if (at < 0 || from === '') return undefined;
  return { from: cleanName(from), to: cleanName(to === '' ? '.' : to) };
}

/** Where the first move that knows one of the spellings takes it; undefined where none does. */
export function moveName(spellings: readonly string[], moves: readonly PathMove[]): string | undefined {
  for (const { from, to } of moves) {
    for (const spelling of spellings) {
      const rest = spelling === from ? '' : below(from, spelling);
      if (rest !== undefined) return joinName(to, rest).replace(/\/$/, '');
    }
  }
  return undefined;
}
