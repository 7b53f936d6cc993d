import { isUtf8 } from 'node:buffer';
import { NO_PACKED_BRANCHES, NO_PACKED_HITS } from '../codec/packed-file.ts';
import { parseDiff } from './diff-field.ts';
import { isEnvelopeKey } from './envelope.ts';
import { cleanFileName } from './file-names.ts';
import { JsonWalker } from './json-walker.ts';
import { NumberArrays } from './number-arrays.ts';
import {
  addNegative,
  noNegatives,
  type ParsedBranches,
  type ParsedFile,
  type ParsedHits,
  type ParsedJob,
} from './parsed-job.ts';
import { MAX_JOB_FILES, tooManyFiles } from './refusals.ts';
import { NO_KEYS, withoutSpares, withUnknownKey } from './source-file-keys.ts';

// For this file, though json-bytes.ts has them too: imported they cost a tenth of a scan.
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;

const LETTER_N = 0x6e;

/** Longer strings are left to the slow path, which has its own limit. */
const MAX_STRING_BYTES = 2 ** 26;

const MAX_VALUE_BYTES = 2 ** 18;

/** Thrown within the scanner: something that only the slow path understands, or can refuse with a good sentence. */
class Unusual extends Error {}

/**
 * The fast way to read a job: one pass over its bytes, numbers straight into typed arrays. Answers as checkJob would;
 * undefined for anything unusual, which is left to it. Throws a Failure payload-too-large beyond MAX_JOB_FILES files.
 */
export function scanJob(bytes: Uint8Array): ParsedJob | undefined {
  if (!isUtf8(bytes)) return undefined;
  try {
    return new JobScanner(bytes).scan();
  } catch (error) {
    if (error instanceof Unusual) return undefined;
    throw error;
  }
}

class JobScanner {
  readonly #bytes: Buffer;
  readonly #walker: JsonWalker;
  readonly #numbers: NumberArrays;
  readonly #files: ParsedFile[] = [];
  readonly #negativeLines = noNegatives();
  readonly #negativeBranches = noNegatives();
  #at = 0;
  /** Objects and arrays around the current place. */
  #depth = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
    this.#walker = new JsonWalker(this.#bytes);
    this.#numbers = new NumberArrays(this.#bytes, (kind, index) => {
      addNegative(kind === 'coverage' ? this.#negativeLines : this.#negativeBranches, this.#files.length, index);
    });
  }

  scan(): ParsedJob {
    const envelope: Record<string, unknown> = {};
    let hasSourceFiles = false;
    this.#scanObject((key) => {
      if (key === 'source_files') {
        if (hasSourceFiles) throw new Unusual();
        hasSourceFiles = true;
        this.#scanFiles();
      } else if (!isEnvelopeKey(key)) this.#skipValue();
      else if (Object.hasOwn(envelope, key)) throw new Unusual();
      else envelope[key] = key === 'diff' ? this.#readDiff() : this.#readValue();
    });
    this.#skipSpace();
    if (this.#at !== this.#bytes.length) throw new Unusual();
    return {
      envelope,
      hasSourceFiles,
      files: this.#files,
      negativeLines: this.#negativeLines,
      negativeBranches: this.#negativeBranches,
    };
  }

  #scanFiles(): void {
    if (this.#takeNull()) return;
    this.#take(OPEN_BRACKET);
    if (this.#takeIf(CLOSE_BRACKET)) return;
    this.#depth += 1;
    do {
      if (this.#files.length === MAX_JOB_FILES) throw tooManyFiles();
      this.#files.push(this.#scanFile());
    } while (this.#takeIf(COMMA));
    this.#depth -= 1;
    this.#take(CLOSE_BRACKET);
  }

  #scanFile(): ParsedFile {
    const file = new ScannedFile();
    this.#take(OPEN_BRACE);
    this.#depth += 1;
    if (!this.#takeIf(CLOSE_BRACE)) {
      do this.#scanFileMember(file);
      while (this.#takeIf(COMMA));
      this.#take(CLOSE_BRACE);
    }
    this.#depth -= 1;
    const name = typeof file.name === 'string' ? cleanFileName(file.name) : undefined;
    if (name === undefined) throw new Unusual();
    file.name = name;
    if (file.misspelt.length > 0)
      file.misspelt = withoutSpares(file.misspelt, (known) => (file.seen & (FILE_KEYS.get(known) ?? 0)) !== 0);
    return file as ParsedFile;
  }

  #scanFileMember(file: ScannedFile): void {
    const bit = this.#takeFileKey();
    if ((file.seen & bit) !== 0) throw new Unusual();
    file.seen |= bit;
    const key = bit === 0 ? this.#readKey() : '';
    this.#take(COLON);
    if (bit === 1) file.branches = this.#scanBranches();
    else if (bit === 2) {
      file.hasCoverage = !this.#takeNull();
      if (file.hasCoverage) file.hits = this.#scanHits();
    } else if (bit === 4) file.name = this.#readText();
    else if (bit === 8) file.digest = this.#readText();
    else if (bit === 16) file.source = this.#readText();
    else {
      file.misspelt = withUnknownKey(file.misspelt, key);
      this.#skipValue();
    }
  }

  #scanHits(): ParsedHits {
    this.#expectArray();
    const hits = this.#numbers.readHits(this.#at);
    if (hits === undefined) throw new Unusual();
    this.#at = this.#numbers.end;
    return hits;
  }

  #scanBranches(): ParsedBranches {
    if (this.#takeNull()) return NO_PACKED_BRANCHES;
    this.#expectArray();
    const branches = this.#numbers.readBranches(this.#at);
    if (branches === undefined) throw new Unusual();
    this.#at = this.#numbers.end;
    return branches;
  }

  #expectArray(): void {
    this.#skipSpace();
    if (this.#bytes[this.#at] !== OPEN_BRACKET) throw new Unusual();
  }

  /** Calls `onKey` for each key, with its value ahead; it must read over the value. */
  #scanObject(onKey: (key: string) => void): void {
    this.#take(OPEN_BRACE);
    this.#depth += 1;
    if (!this.#takeIf(CLOSE_BRACE)) {
      do {
        const key = this.#readKey();
        this.#take(COLON);
        onKey(key);
      } while (this.#takeIf(COMMA));
      this.#take(CLOSE_BRACE);
    }
    this.#depth -= 1;
  }

  /**
   * The bit of the key ahead; 0, and nothing is taken, for any other. With strings of keys a scan of L took 1.15 times
   * as long.
   */
  #takeFileKey(): number {
    this.#skipSpace();
    const start = this.#at;
    for (const { bytes, bit } of FILE_KEY_BYTES) {
      let length = 0;
      while (length < bytes.length && this.#bytes[start + length] === bytes[length]) length += 1;
      if (length < bytes.length) continue;
      this.#at = start + length;
      return bit;
    }
    return 0;
  }

  #readKey(): string {
    this.#skipSpace();
    const end = this.#stringEnd();
    if (end < 0) throw new Unusual();
    const key = this.#bytes.toString('latin1', this.#at + 1, end);
    this.#at = end + 1;
    return key;
  }

  /** The closing quote of a plain string at `#at`; below 0 when it has escapes or is none. */
  #stringEnd(): number {
    const bytes = this.#bytes;
    if (bytes[this.#at] !== QUOTE) return -1;
    for (let at = this.#at + 1; at < bytes.length; at += 1) {
      const byte = bytes[at] as number;
      if (byte === QUOTE) return at;
      if (byte === BACKSLASH || byte < 0x20) return -1;
    }
    return -1;
  }

  /**
   * A value of the envelope. Objects above a bound, which only remotes could fill, are left to the slow path and its
   * own limit.
   */
  #readValue(): unknown {
    const text = this.#readString();
    if (text !== undefined) return text;
    const start = this.#at;
    this.#skipValue();
    if (this.#at - start > MAX_VALUE_BYTES) throw new Unusual();
    return JSON.parse(this.#bytes.toString('utf8', start, this.#at));
  }

  /**
   * For a diff that is too large only its size: it is an addition, for which no job is left to the slow path's limit.
   */
  #readDiff(): unknown {
    this.#skipSpace();
    const start = this.#at;
    this.#skipValue();
    return parseDiff(this.#bytes.subarray(start, this.#at));
  }

  /** A string or null; false stands for anything else, which is ignored. */
  #readText(): string | null | false {
    const text = this.#readString();
    return text ?? (this.#takeNull() ? null : this.#skipOther());
  }

  #skipOther(): false {
    this.#skipValue();
    return false;
  }

  /** The string ahead; undefined when there is another value. */
  #readString(): string | undefined {
    this.#skipSpace();
    const start = this.#at;
    if (this.#bytes[start] !== QUOTE) return undefined;
    const end = this.#stringEnd();
    if (end >= 0) this.#at = end + 1;
    else this.#skipValue();
    if (this.#at - start > MAX_STRING_BYTES) throw new Unusual();
    return end >= 0
      ? this.#bytes.toString('utf8', start + 1, end)
      : JSON.parse(this.#bytes.toString('utf8', start, this.#at));
  }

  #skipValue(): void {
    this.#walker.at = this.#at;
    if (!this.#walker.walkValue(this.#depth)) throw new Unusual();
    this.#at = this.#walker.at;
  }

  #takeNull(): boolean {
    this.#skipSpace();
    if (this.#bytes[this.#at] !== LETTER_N) return false;
    this.#skipValue();
    return true;
  }

  #take(byte: number): void {
    if (!this.#takeIf(byte)) throw new Unusual();
  }

  #takeIf(byte: number): boolean {
    this.#skipSpace();
    if (this.#bytes[this.#at] !== byte) return false;
    this.#at += 1;
    return true;
  }

  #skipSpace(): void {
    const bytes = this.#bytes;
    for (
      let byte = bytes[this.#at];
      byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
      byte = bytes[this.#at]
    )
      this.#at += 1;
  }
}

/** A source file while its keys are read. */
class ScannedFile {
  /** Bits of FILE_KEYS. */
  seen = 0;
  name: unknown = undefined;
  hits: ParsedHits = NO_PACKED_HITS;
  hasCoverage = false;
  branches: ParsedBranches = NO_PACKED_BRANCHES;
  digest: unknown = undefined;
  source: unknown = undefined;
  misspelt = NO_KEYS;
}

/** The keys of a source file that the service knows, each with a bit, so that a repeated one is seen. */
const FILE_KEYS: ReadonlyMap<string, number> = new Map([
  ['branches', 1],
  ['coverage', 2],
  ['name', 4],
  ['source_digest', 8],
  ['source', 16],
]);

const FILE_KEY_BYTES = [...FILE_KEYS].map(([key, bit]) => ({ bytes: Buffer.from(`"${key}"`), bit }));
