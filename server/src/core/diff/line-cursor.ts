const CARRIAGE_RETURN = 13;

/** Walks over the lines of a text (ended by a line feed, as git counts them) without copying it. */
export class LineCursor {
  readonly #text: string;
  #start = 0;
  #end = 0;

  constructor(text: string) {
    this.#text = text;
    this.#findEnd();
  }

  /** True after the last line; a final line feed opens no line. */
  get done(): boolean {
    return this.#start >= this.#text.length;
  }

  /** The first UTF-16 code unit of the line; undefined for an empty line (one of a lone carriage return too). */
  get first(): number | undefined {
    if (this.#start >= this.#end) return undefined;
    const code = this.#text.charCodeAt(this.#start);
    return code === CARRIAGE_RETURN && this.#end === this.#start + 1 ? undefined : code;
  }

  startsWith(prefix: string): boolean {
    return this.#text.startsWith(prefix, this.#start);
  }

  /** The beginning of the line, without its end, a carriage return included; at most `limit` code units. */
  head(limit: number): string {
    const cut = this.#end > this.#start && this.#text.charCodeAt(this.#end - 1) === CARRIAGE_RETURN ? 1 : 0;
    return this.#text.slice(this.#start, Math.min(this.#end - cut, this.#start + limit));
  }

  next(): void {
    this.#start = this.#end + 1;
    this.#findEnd();
  }

  #findEnd(): void {
    const at = this.#text.indexOf('\n', this.#start);
    this.#end = at < 0 ? this.#text.length : at;
  }
}
