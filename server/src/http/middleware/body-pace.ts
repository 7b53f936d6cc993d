/** Milliseconds of one window; a pace is that of this window and the one before. */
const WINDOW = 1_500;

/** How fast a body has been arriving lately: a burst at its beginning must not excuse a standstill after it. */
export class BodyPace {
  readonly #now: () => number;
  /** Where the window before this one began, and what came in it. */
  #lastStart = 0;
  #last = 0;
  #start = 0;
  #current = 0;

  /** `now` answers milliseconds. */
  constructor(now: () => number) {
    this.#now = now;
    this.restart();
  }

  /** So many bytes have come. */
  note(bytes: number): void {
    this.#roll();
    this.#current += bytes;
  }

  /** Begins anew: while the server itself did not read, nothing could come. */
  restart(): void {
    this.#lastStart = this.#now();
    this.#start = this.#lastStart;
    this.#last = 0;
    this.#current = 0;
  }

  /** Bytes a second; undefined within the first window, in which anybody may be slow. */
  rate(): number | undefined {
    this.#roll();
    const elapsed = this.#now() - this.#lastStart;
    return elapsed < WINDOW ? undefined : ((this.#last + this.#current) * 1_000) / elapsed;
  }

  #roll(): void {
    const now = this.#now();
    const elapsed = now - this.#start;
    if (elapsed < WINDOW) return;
    // What is counted came within one window of its start.
    const silent = elapsed >= WINDOW * 2;
    this.#lastStart = silent ? now - WINDOW : this.#start;
    this.#last = silent ? 0 : this.#current;
    this.#start = now;
    this.#current = 0;
  }
}
