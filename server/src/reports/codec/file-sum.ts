import { NOT_RELEVANT } from '../../core/coverage/column.ts';
import { type BranchColumns, NO_BRANCHES } from '../../core/coverage/file-coverage.ts';
import { hasFullKeys, unpackBranches } from './branch-columns.ts';
import { damage } from './byte-reader.ts';
import type { StreamReaders } from './chunk-streams.ts';
import { addRuns, addValues, type HitSum } from './hits-column.ts';

/** What the table says of the file that is added. */
export interface StatedFile {
  readonly lines: number;
  readonly relevantLines: number;
  readonly coveredLines: number;
  readonly branches: number;
  readonly coveredBranches: number;
}

/**
 * One file's hits and branches, added up from the streams of several reports: no column is made of each, which takes
 * half of the time that decoding and merging them takes. It knows numbers below 2 ** 31 and branches that all reports
 * have alike, as the legs of a matrix do.
 */
export class FileSum {
  readonly #lines: HitSum = { hits: new Int32Array(4_096), length: 0, relevant: 0, covered: 0, fits: true };
  readonly #values: HitSum = { hits: new Int32Array(0), length: 0, relevant: 0, covered: 0, fits: true };
  #branches: BranchColumns = NO_BRANCHES;
  /** The keys of the branches, as they are stored. */
  #keys: Uint8Array = new Uint8Array(0);

  begin(): void {
    this.#lines.length = 0;
    this.#branches = NO_BRANCHES;
  }

  /** False: this file needs another way; its streams are somewhere within it. */
  add(file: StatedFile, streams: StreamReaders): boolean {
    this.#extend(file.lines);
    const lines = this.#lines;
    addRuns(lines, file.lines, streams);
    if (!lines.fits) return false;
    if (lines.relevant !== file.relevantLines || lines.covered !== file.coveredLines) throw unfit();
    return file.branches === 0 || this.#addBranches(file, streams);
  }

  /** Valid until the next `begin`. */
  finish(): { readonly hits: Int32Array; readonly branches: BranchColumns } {
    return { hits: this.#lines.hits.subarray(0, this.#lines.length), branches: this.#branches };
  }

  #extend(length: number): void {
    const lines = this.#lines;
    if (length <= lines.length) return;
    if (length > lines.hits.length) {
      const wider = new Int32Array(Math.max(length, 2 * lines.hits.length));
      wider.set(lines.hits.subarray(0, lines.length));
      lines.hits = wider;
    }
    lines.hits.fill(NOT_RELEVANT, lines.length, length);
    lines.length = length;
  }

  #addBranches({ branches: count, coveredBranches }: StatedFile, streams: StreamReaders): boolean {
    const { keys } = streams;
    const codes = keys.bytes.subarray(keys.position, keys.position + count);
    if (this.#branches === NO_BRANCHES) return this.#takeBranches(count, coveredBranches, streams, codes);
    if (!isSame(codes, this.#keys)) return false;
    keys.skipTo(keys.position + count);
    const values = this.#values;
    addValues(values, count, streams);
    if (values.fits && values.covered !== coveredBranches) throw unfit();
    return values.fits;
  }

  #takeBranches(count: number, covered: number, streams: StreamReaders, codes: Uint8Array): boolean {
    const branches = unpackBranches(count, streams);
    const { hits } = branches;
    // The numbers of a full key are not among its codes: equal codes would not be equal keys.
    if (!(hits instanceof Int32Array) || hasFullKeys(codes)) return false;
    if (hits.reduce((sum, value) => sum + Number(value > 0), 0) !== covered) throw unfit();
    this.#branches = branches;
    this.#values.hits = hits;
    this.#keys = codes;
    return true;
  }
}

/** A loop, since a file has few branches: a call of Buffer.compare takes longer. */
function isSame(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false;
  for (let index = 0; index < a.length; index += 1) if (a[index] !== b[index]) return false;
  return true;
}

function unfit(): Error {
  return damage('the totals of a file do not fit');
}
