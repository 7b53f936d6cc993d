import type { FileHits } from './file-hits.ts';
import { NumberColumn } from './number-column.ts';

/** For the lines of one file: how many arms were taken, and how many there are. */
export class ArmCounts {
  readonly #covered = new NumberColumn();
  readonly #all = new NumberColumn();

  /** The larger of two counts of one line counts. */
  raise(line: number, covered: number, all: number): void {
    this.#covered.set(line, Math.max(this.#covered.at(line), covered));
    this.#all.set(line, Math.max(this.#all.at(line), all));
  }

  /** Adds the arms to a file, and forgets them. */
  moveTo(file: FileHits): void {
    for (let line = 1; line < this.#all.length; line += 1)
      addArms(file, line, this.#covered.at(line), this.#all.at(line));
    this.forget();
  }

  forget(): void {
    this.#covered.clear();
    this.#all.clear();
  }
}

/** Arms of which only the numbers are known: the first ones are the covered ones, so that legs agree on the keys. */
export function addArms(file: FileHits, line: number, covered: number, all: number): void {
  for (let arm = 0; arm < all; arm += 1) file.addBranch(line, 0, arm, arm < covered ? 1 : 0);
}
