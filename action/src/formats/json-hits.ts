import { expectedForm, lineZeroLeftOut, negativeHits, type ParsedReport } from './coverage-format.ts';
import { FileHits, MAX_LINE } from './file-hits.ts';
import { HitFiles } from './hit-files.ts';
import { MAX_HITS } from './hits-text.ts';
import { JsonDocument, type JsonKey, type JsonPlace, type JsonReader, type JsonScalar } from './json-reader.ts';
import type { ReportBytes } from './report-bytes.ts';

/** Reads a JSON report; `rootOf` answers what reads its outermost object or array. */
export function parseJson(
  report: ReportBytes,
  rootOf: (hits: JsonHits, kind: JsonReader['kind']) => JsonReader,
): ParsedReport {
  const document = new JsonDocument(report);
  const hits = new JsonHits(document);
  document.read((_, kind) => rootOf(hits, kind));
  return hits.parsed(report.path);
}

/** A file as an object whose name may come behind its lines: `open` reads those, `done` gets both. */
export function readNamed(
  named: string,
  open: (file: FileHits, member: JsonKey, kind: JsonReader['kind']) => JsonReader | undefined,
  done: (file: FileHits, name: JsonScalar) => void,
): JsonReader {
  const file = new FileHits('');
  let name: JsonScalar = null;
  return {
    kind: 'object',
    value: (member, value) => {
      if (member === named) name = value;
    },
    open: (member, kind) => open(file, member, kind),
    close: () => done(file, name),
  };
}

/** The files of a JSON report while it is read, and what was unusual in it. */
export class JsonHits {
  /** Folders that the names may be relative to. */
  readonly sources: string[] = [];
  readonly #place: JsonPlace;
  readonly #files = new HitFiles();
  #negative = 0;
  #lineZero = 0;

  constructor(place: JsonPlace) {
    this.#place = place;
  }

  /** The file of a name, as far as it was read. */
  file(name: JsonKey | JsonScalar): FileHits {
    return this.#files.file(this.name(name));
  }

  name(value: JsonKey | JsonScalar): string {
    if (typeof value === 'string' && value.trim() !== '') return value.trim();
    throw this.#place.damaged(expectedForm('the name of a source file', String(value)));
  }

  /** Adds what was read of one file; hits are summed where it was named before. */
  add(file: FileHits): void {
    this.#files.add(file);
  }

  /** A line's number; 0 where there is no such line and it is left out. */
  line(value: JsonKey | JsonScalar): number {
    const line = typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : value;
    if (typeof line !== 'number' || !Number.isInteger(line) || line < 0 || line > MAX_LINE) {
      throw this.#place.damaged(expectedLineNumber(MAX_LINE, String(value)));
    }
    if (line === 0) this.#lineZero += 1;
    return line;
  }

  /** How often a line or a branch ran; a negative count of a racing counter is 0. */
  hits(value: JsonScalar): number {
    if (typeof value !== 'number') throw this.#place.damaged(expectedForm('a number of hits', String(value)));
    if (value < 0) this.#negative += 1;
    return Math.min(Math.max(Math.floor(value), 0), MAX_HITS);
  }

  damaged(expectation: string): Error {
    return this.#place.damaged(expectation);
  }

  parsed(path: string): ParsedReport {
    const warnings: string[] = [];
    if (this.#negative > 0) warnings.push(negativeHits(path, { count: this.#negative }));
    if (this.#lineZero > 0) warnings.push(lineZeroLeftOut(path, { count: this.#lineZero, what: 'entry' }));
    return { files: this.#files.packed(), sources: this.sources, warnings };
  }
}

function expectedLineNumber(max: number, found: string): string {
  return expectedForm(`a line number up to ${max}`, found);
}

/** A value of which only the beginning is known: objects by name, arrays by index. */
type JsonHead = JsonScalar | JsonMembers | undefined;
export type JsonMembers = ReadonlyMap<JsonKey, JsonHead>;

const NOTHING: JsonMembers = new Map();
const CHUNK_BYTES = 1 << 16;

/** What a file's first 64 KiB (as Latin-1) hold, as far as they are JSON. */
export function readJsonHead(head: string): JsonMembers {
  if (!/^\s*[[{]/.test(head)) return NOTHING;
  const bytes = Buffer.from(head, 'latin1');
  const read = (target: Uint8Array, offset: number, length: number, position: number) =>
    bytes.copy(target, offset, position, position + length);
  const root = new Map<JsonKey, JsonHead>();
  try {
    new JsonDocument({ path: '', size: bytes.length, read }).read((_, kind) => collect(root, kind), CHUNK_BYTES);
  } catch {
    // Most reports go on after their first 64 KiB: what came before the cut is enough.
  }
  return root;
}

/** The members of a value; none if it has none. */
export function membersOf(value: JsonHead): JsonMembers {
  return value instanceof Map ? value : NOTHING;
}

/** The members of the first object or array in a value: of the first file, where files go by their names. */
export function firstOf(value: JsonHead): JsonMembers {
  for (const member of membersOf(value).values()) if (member instanceof Map) return member;
  return NOTHING;
}

function collect(into: Map<JsonKey, JsonHead>, kind: JsonReader['kind']): JsonReader {
  return {
    kind,
    open: (key, inner) => {
      const members = new Map<JsonKey, JsonHead>();
      into.set(key, members);
      return collect(members, inner);
    },
    value: (key, value) => into.set(key, value),
  };
}
