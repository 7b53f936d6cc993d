import { FileHits, type SpareColumns } from './file-hits.ts';
import { PackedWriter } from './packed-numbers.ts';

/** Bytes of files that are written to; beyond them all but the last are packed. */
const MAX_OPEN = 1 << 20;
/** For all reports: new memory for each of them takes longer than to read a small one. */
const SPARE: SpareColumns = [];

/** The files of a report, or of several, while they are read. */
export class HitFiles {
  readonly #files = new Map<string, FileHits>();
  readonly #writer = new PackedWriter();
  readonly #open = new Set<FileHits>();
  readonly #spare = SPARE;
  #openBytes = 0;
  #last: FileHits | undefined;
  #lastBytes = 0;

  /** The file of a name, as far as it was read; to be written to until the next is asked for. */
  file(name: string): FileHits {
    const known = this.#files.get(name);
    if (known !== undefined && known === this.#last) return known;
    return this.#begin(known ?? this.apart(name), known?.openBytes ?? 0);
  }

  /** A file that is not one of them, until it is added. */
  apart(name: string): FileHits {
    return new FileHits(name, this.#spare);
  }

  /** Takes what was read of one file; hits are summed where the name is known. */
  add(file: FileHits): void {
    if (!this.#files.has(file.name)) this.#begin(file, 0);
    else this.file(file.name).merge(file);
  }

  /** All of them, packed. */
  packed(): FileHits[] {
    this.#pack();
    return [...this.#files.values()];
  }

  /** `counted`: of its bytes those that are in the sum. */
  #begin(file: FileHits, counted: number): FileHits {
    this.#openBytes += (this.#last?.openBytes ?? 0) - this.#lastBytes;
    if (this.#openBytes > MAX_OPEN) this.#pack();
    this.#files.set(file.name, file);
    this.#open.add(file);
    [this.#last, this.#lastBytes] = [file, counted];
    return file;
  }

  #pack(): void {
    for (const file of this.#open) file.pack(this.#writer);
    this.#writer.endBlock();
    this.#open.clear();
    this.#openBytes = 0;
    this.#last = undefined;
    this.#lastBytes = 0;
  }
}
