import { posix } from 'node:path';
import { isGlob } from '@coverage/shared/glob';

/** A part of a pattern: a glob within one part of a path, a slash, or any text, slashes too. */
type Token = string | typeof ANY;
/** Ways in which one text can be read; a path matches if it matches one of them. */
type Ways = readonly (readonly Token[])[];

const ANY = Symbol('any');
const SEGMENT = '*';
const MAX_GLOBS = 16;

/** A regular expression that has no equivalent among globs. */
class NoEqual extends Error {}

/**
 * The globs that match exactly the paths that a regular expression in Codecov's settings matches from their beginning;
 * undefined if no globs do, or too many would be needed. Only what means the same in Python and in a glob is read.
 */
export function regexToGlobs(regex: string): readonly string[] | undefined {
  try {
    const reader = new Reader(regex);
    const globs = new Set(reader.readAll().flatMap((tokens) => spell(simplify(tokens)).filter(isOfFiles).map(toFile)));
    return globs.size > MAX_GLOBS || globs.size === 0 ? undefined : [...globs];
  } catch (error) {
    if (error instanceof NoEqual) return undefined;
    throw error;
  }
}

class Reader {
  private at = 0;
  private readonly regex: string;

  constructor(regex: string) {
    this.regex = regex;
  }

  readAll(): Ways {
    const ways = this.readAlternatives(true);
    if (this.at < this.regex.length) throw new NoEqual();
    return ways;
  }

  private readAlternatives(isWhole: boolean): Ways {
    const ways = [...this.readSequence(isWhole)];
    while (this.take('|')) ways.push(...this.readSequence(isWhole));
    return ways;
  }

  /** For the whole expression, `^` begins it and `$` ends it; without that end, anything may follow. */
  private readSequence(isWhole: boolean): Ways {
    let ways: Ways = [[]];
    if (isWhole) this.take('^');
    while (!['', '|', ')', '$'].includes(this.next())) ways = joined(ways, this.readRepeated());
    return isWhole && !this.take('$') ? joined(ways, [[ANY]]) : ways;
  }

  private readRepeated(): Ways {
    const one = this.readOne();
    if (this.take('?')) return this.refuseLazy([...one, []]);
    const isMany = this.take('*');
    if (!isMany && !this.take('+')) return one;
    const many = MANY.get(JSON.stringify(one));
    if (many === undefined) throw new NoEqual();
    return this.refuseLazy(isMany ? [[many]] : joined(one, [[many]]));
  }

  /** Repeats of repeats are Python's possessive and lazy ones. */
  private refuseLazy(ways: Ways): Ways {
    if (['?', '*', '+', '{'].includes(this.next())) throw new NoEqual();
    return ways;
  }

  private readOne(): Ways {
    const char = this.next();
    this.at += 1;
    if (char === '.') return ANY_CHARACTER;
    if (char === '(') return this.readGroup();
    if (char === '[') return this.readClass();
    if (char === '\\') return [[this.readEscaped()]];
    if ('^$*+?{}'.includes(char)) throw new NoEqual();
    return [[literal(char)]];
  }

  private readGroup(): Ways {
    if (this.take('?') && !this.take(':')) throw new NoEqual();
    const ways = this.readAlternatives(false);
    if (!this.take(')')) throw new NoEqual();
    return ways;
  }

  /** Letters, digits, ranges of them, and a few signs: no named classes, and nothing that a glob writes differently. */
  private readClass(): Ways {
    const found = /^(\^?)((?:[A-Za-z0-9]-[A-Za-z0-9]|[A-Za-z0-9_./@~+ -](?!-[^\]]))+)\]/.exec(
      this.regex.slice(this.at),
    );
    const [whole = '', not = '', stated = ''] = found ?? [];
    const kept = stated.replaceAll('/', '');
    if (found === null || / |.-$|^-/.test(stated)) throw new NoEqual();
    this.at += whole.length;
    const has = kept.length < stated.length;
    if (not !== '') return kept === '' ? NO_SLASH : [[`[!${kept}]`], ...(has ? [] : [['/']])];
    return [...(kept === '' ? [] : [[`[${kept}]`]]), ...(has ? [['/']] : [])];
  }

  private readEscaped(): string {
    const char = this.next();
    this.at += 1;
    if (!/[^\w\s\\]/.test(char)) throw new NoEqual();
    return literal(char);
  }

  private next(): string {
    return this.regex[this.at] ?? '';
  }

  private take(char: string): boolean {
    const isThere = this.next() === char;
    if (isThere) this.at += 1;
    return isThere;
  }
}

const ANY_CHARACTER: Ways = [['?'], ['/']];
const NO_SLASH: Ways = [['?']];
const MANY: ReadonlyMap<string, Token> = new Map<string, Token>([
  [JSON.stringify(ANY_CHARACTER), ANY],
  [JSON.stringify(NO_SLASH), SEGMENT],
]);

/** A list of patterns is split at blanks, and in it a backslash is a slash. */
function literal(char: string): string {
  if (/[\s\\]/.test(char) || char === '') throw new NoEqual();
  return '*?[{'.includes(char) ? `[${char}]` : char;
}

function joined(before: Ways, after: Ways): Ways {
  const ways = before.flatMap((start) => after.map((end) => [...start, ...end]));
  if (ways.length > MAX_GLOBS) throw new NoEqual();
  return ways;
}

/** ANY absorbs a segment beside it, since it may be empty. */
function simplify(tokens: readonly Token[]): readonly Token[] {
  const kept: Token[] = [];
  for (const token of tokens) {
    const last = kept.at(-1);
    if ((token === SEGMENT && (last === SEGMENT || last === ANY)) || (token === ANY && last === ANY)) continue;
    if (token === ANY && last === SEGMENT) kept.pop();
    kept.push(token);
  }
  return kept;
}

function spell(tokens: readonly Token[]): readonly string[] {
  return tokens.reduce<readonly string[]>(
    (globs, token, index) => {
      const beginsPart = index === 0 || tokens[index - 1] === '/';
      const spelled = token === ANY ? spellAny(beginsPart, tokens[index + 1]) : [token];
      return globs.flatMap((start) => spelled.map((end) => start + end));
    },
    [''],
  );
}

/** No path in a repo has a part that is empty, or that leads elsewhere. */
function isOfFiles(glob: string): boolean {
  return !glob.split('/').some((part) => ['', '.', '..'].includes(part));
}

/** Without a character of a pattern, it would match a folder too. */
function toFile(glob: string): string {
  return isGlob(glob) || posix.extname(glob) !== '' ? glob : glob.replace(/[^/]$/, '[$&]');
}

/** Names are never empty, so there is at least one folder between two slashes. */
function spellAny(beginsPart: boolean, after: Token | undefined): readonly string[] {
  if (after === '/') return ['*/**'];
  if (beginsPart) return [after === undefined ? '**' : '**/*'];
  return after === undefined ? ['*', '*/**'] : ['*', '*/**/*'];
}

/** Why a pattern has no equivalent here. */
export type NoPattern = 'negated' | 'regex' | 'braces' | 'blank';

/**
 * A pattern of codecov.yml as patterns of the input `exclude`. Its kind follows from its characters alone, as Codecov
 * guesses it (`determine_path_pattern_type`): the beginning of a path, a glob, or else a regular expression.
 */
export function translatePattern(stated: string): readonly string[] | NoPattern {
  if (stated.startsWith('!')) return 'negated';
  const pattern = stated.replace(/^\.\//, '');
  const kind = kindOf(pattern);
  if (/^[\w./@~,=#%&-]*$/.test(pattern)) return [pattern];
  if (/\s/.test(pattern)) return 'blank';
  if (kind !== 'glob') return regexToGlobs(pattern) ?? 'regex';
  // In Codecov's globs, braces are literal.
  if (/[{\\]/.test(pattern)) return 'braces';
  const isSame = pattern.split('/').every((part) => part === '**' || !part.includes('**'));
  return isSame ? [pattern] : (regexToGlobs(regexOf(pattern)) ?? 'regex');
}

/** Whether text of a path stands for itself: no glob, and nothing of a regular expression but dots. */
export function isPlain(text: string): boolean {
  return kindOf(text) === 'prefix' && !/[\^()|+?{}\\]/.test(text);
}

function kindOf(pattern: string): 'prefix' | 'glob' | 'regex' {
  if (!/[*$[\]]/.test(pattern)) return 'prefix';
  if (pattern.includes('**') || pattern.includes('/*')) return 'glob';
  if (pattern.includes('*') && !/[\].]\*/.test(pattern)) return 'glob';
  return 'regex';
}

/** Two stars are any text, wherever they stand. */
function regexOf(glob: string): string {
  const words: Readonly<Record<string, string>> = { '**': '.*', '*': '[^/]*', '?': '.' };
  return `${glob.replaceAll(/\*\*|[*?.+^$()|]/g, (found) => words[found] ?? `\\${found}`)}$`;
}
