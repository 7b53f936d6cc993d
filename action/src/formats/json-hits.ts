import * as say from '../messages/damage.ts';
import { expected, WANTED } from '../messages/json.ts';
import type { ParsedReport } from './coverage-format.ts';
import { type FileHits, MAX_LINE } from './file-hits.ts';
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
    throw this.#place.damaged(expected(WANTED.file, String(value)));
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
    if (typeof value !== 'number') throw this.#place.damaged(expected(WANTED.hits, String(value)));
    if (value < 0) this.#negative += 1;
    return Math.min(Math.max(Math.floor(value), 0), MAX_HITS);
  }

  damaged(expectation: string): Error {
    return this.#place.damaged(expectation);
  }

  parsed(path: string): ParsedReport {
    const warnings: string[] = [];
    if (this.#negative > 0) warnings.push(say.negativeHits(path, { count: this.#negative }));
    if (this.#lineZero > 0) warnings.push(say.lineZero(path, { count: this.#lineZero, what: 'entry' }));
    return { files: this.#files.packed(), sources: this.sources, warnings };
  }
}

function expectedLineNumber(most: number, found: string): string {
  return expected(`a line number up to ${most}`, found);
}
