import { parseGlob } from '@coverage/shared/glob';

/** The owners of a path, as the file writes them; none: nobody's. */
export type OwnersOf = (path: string) => readonly string[];

/** `@user`, `@org/team` or an e-mail address. */
const OWNER = /^(?:@[\w.-]+(?:\/[\w.-]+)?|[^\s@]+@[^\s@]+)$/;

/**
 * CODEOWNERS in GitHub's dialect: the last pattern that matches decides, even one without owners. A line GitHub does
 * not take is skipped: `!`, `[ ]`, or what is no owner.
 */
export function readCodeOwners(text: string): OwnersOf {
  const rules = text.split(/\r?\n/).flatMap((line) => readLine(line) ?? []);
  const known = new Map<string, readonly string[]>();
  return (path) => {
    let owners = known.get(path);
    if (owners === undefined) {
      owners = rules.findLast(({ fits }) => fits(path))?.owners ?? [];
      known.set(path, owners);
    }
    return owners;
  };
}

interface OwnersRule {
  readonly fits: (path: string) => boolean;
  readonly owners: readonly string[];
}

function readLine(line: string): OwnersRule | undefined {
  // A blank that belongs to the name of a file comes after a backslash; a # begins a remark where a word would begin.
  const words = line.match(/(?:\\.|[^\s\\])+/g) ?? [];
  const end = words.findIndex((word) => word.startsWith('#'));
  const [pattern, ...owners] = end < 0 ? words : words.slice(0, end);
  if (pattern === undefined || pattern.startsWith('!') || /[[\]]/.test(pattern)) return undefined;
  if (!owners.every((owner) => OWNER.test(owner))) return undefined;
  return { fits: readPattern(pattern), owners: [...new Set(owners)] };
}

/**
 * As .gitignore reads them, except for one: `docs/*` fits what lies in the folder itself, and nothing deeper. Without a
 * slash before its end a pattern fits at any depth.
 */
function readPattern(stated: string): (path: string) => boolean {
  const pattern = stated.replaceAll(/\\(.)/g, '$1').replaceAll('{', '[{]');
  const isAnchored = pattern.replace(/\/$/, '').includes('/');
  const path = (isAnchored ? '' : '**/') + pattern.replace(/^\//, '');
  if (path.endsWith('/')) return parseGlob(`${path}**`).matches;
  const whole = parseGlob(path).matches;
  if (path.endsWith('/**') || (isAnchored && path.endsWith('/*'))) return whole;
  const below = parseGlob(`${path}/**`).matches;
  return (name) => whole(name) || below(name);
}
