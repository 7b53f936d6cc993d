import { type Alias, type Document, LineCounter, type Node, parseDocument } from 'yaml';
import { FormChecker, type FoundProblem, HIDDEN, hiddenCharacter, isEmpty } from './check-form.ts';
import { findContradictions } from './contradictions.ts';
import { COVERAGE_FILE, type CoverageFile, MAX_FILE_BYTES } from './declaration.ts';

/** One thing that is wrong in a file, for people. */
export interface FileProblem {
  /** From 1. */
  readonly line: number;
  readonly column: number;
  /** A sentence: what stands there and what to do, with names and values in backticks. Hostile text. */
  readonly message: string;
}

/** A file that can be judged by. */
export interface ValidFile {
  readonly file: CoverageFile;
  /** The line of each value, by its path, as `groups[0].total.minimum`. */
  readonly lines: ReadonlyMap<string, number>;
}

export type ReadCoverageFile = ValidFile | { readonly problems: readonly FileProblem[] };

/**
 * Reads a `coverage.yml`, which is hostile text: YAML 1.2 by the core schema, at most 64 KiB, 100 aliases, no tags of
 * one's own. A file with any problem is not used at all; each problem is named, the first fifty at most.
 */
export function readCoverageFile(bytes: Uint8Array): ReadCoverageFile {
  if (bytes.length > MAX_FILE_BYTES)
    return atStart(`The file has ${bytes.length} bytes. At most ${MAX_FILE_BYTES} are read.`);
  const text = decode(bytes);
  if (text === undefined) return atStart('The file is not UTF-8 text. Save it as UTF-8.');
  const lines = new LineCounter();
  const read = findHidden(text, lines) ?? check(text, lines);
  const lineAt = (offset: number): { readonly line: number; readonly column: number } => {
    const { line, col } = lines.linePos(offset);
    return { line: Math.max(line, 1), column: Math.max(col, 1) };
  };
  if ('problems' in read) {
    const problems = read.problems.map(({ offset, message }) => ({ ...lineAt(offset), message }));
    return { problems: problems.toSorted((a, b) => a.line - b.line || a.column - b.column) };
  }
  return { file: read.file, lines: new Map([...read.offsets].map(([path, offset]) => [path, lineAt(offset).line])) };
}

function atStart(message: string): ReadCoverageFile {
  return { problems: [{ line: 1, column: 1, message }] };
}

type Checked =
  | { readonly file: CoverageFile; readonly offsets: ReadonlyMap<string, number> }
  | { readonly problems: readonly FoundProblem[] };

function check(text: string, lineCounter: LineCounter): Checked {
  const document = parse(text, lineCounter);
  if ('problems' in document) return document;
  if (isEmpty(document.contents)) return { file: {}, offsets: new Map() };
  const checker = new FormChecker((alias) => (alias as Alias).resolve(document) as Node | undefined);
  const file = checker.read(COVERAGE_FILE, document.contents as Node, '') as CoverageFile;
  if (checker.problems.length === 0)
    for (const { path, message } of findContradictions(file)) checker.problem(offsetAt(checker.places, path), message);
  return checker.problems.length > 0 ? { problems: checker.problems } : { file, offsets: checker.places };
}

function parse(text: string, lineCounter: LineCounter): Document | { readonly problems: readonly FoundProblem[] } {
  if (isTooDeep(text)) return { problems: [{ offset: 0, message: TOO_DEEP }] };
  try {
    // A directive of the file cannot choose another version of YAML: the schema is set here. Keys that are there twice
    // are found by the check, in linear time.
    const document = parseDocument(text, {
      lineCounter,
      version: '1.2',
      schema: 'core',
      merge: false,
      resolveKnownTags: false,
      uniqueKeys: false,
      prettyErrors: false,
      logLevel: 'error',
    });
    const problems = document.errors.slice(0, 5).map(({ pos, message }) => ({
      offset: pos[0],
      message: /call stack/.test(message)
        ? TOO_DEEP
        : `This is not YAML that can be read: ${message.split('\n')[0]?.replaceAll('`', "'")}`,
    }));
    return problems.length > 0 ? { problems } : document;
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return { problems: [{ offset: 0, message: TOO_DEEP }] };
  }
}

/** More brackets open than any file needs: the library takes a second to say so of 64 KiB. */
function isTooDeep(text: string): boolean {
  let open = 0;
  for (const [bracket] of text.matchAll(/[[\]{}]/g)) {
    open += bracket === '[' || bracket === '{' ? 1 : -1;
    if (open > MAX_OPEN_BRACKETS) return true;
  }
  return false;
}

const MAX_OPEN_BRACKETS = 200;
const TOO_DEEP = 'The file is nested too deeply to be read.';

/** Where a value stands, or else what it is in. */
function offsetAt(places: ReadonlyMap<string, number>, path: string): number {
  for (let inner = path; inner !== ''; inner = inner.replace(/(?:\.[^.[\]]+|\[\d+\]|^[^.[\]]+)$/, '')) {
    const found = places.get(inner);
    if (found !== undefined) return found;
    if (!/[.[]/.test(inner)) break;
  }
  return 0;
}

/** Without a byte order mark; undefined if it is no UTF-8. */
function decode(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function findHidden(text: string, lines: LineCounter): { readonly problems: readonly FoundProblem[] } | undefined {
  const found = HIDDEN.exec(text);
  if (found === null) return undefined;
  for (let at = 0; at > 0 || lines.lineStarts.length === 0; at = text.indexOf('\n', at) + 1) lines.addNewLine(at);
  return { problems: [{ offset: found.index, message: hiddenCharacter(found[0]) }] };
}
