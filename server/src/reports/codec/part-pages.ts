/** Bytes of many small parts, one behind the other in pages: a buffer of its own for each costs more than its bytes. */
export class PartPages {
  /** The page of the part that was reserved last, and where it begins. */
  page = new Uint8Array(0);
  at = 0;
  readonly #pageBytes: number;
  #end = 0;

  constructor(pageBytes: number) {
    this.#pageBytes = pageBytes;
  }

  reserve(length: number): void {
    if (this.page.length - this.#end < length) {
      this.page = new Uint8Array(Math.max(this.#pageBytes, length));
      this.#end = 0;
    }
    this.at = this.#end;
    this.#end += length;
  }
}
