export interface RecentMapOptions {
  /** Entries that are kept; of more the one that was set longest ago goes. */
  readonly max: number;
  /** For how long an entry counts, in ms by `now`; forever by default. */
  readonly lasts?: number;
  readonly now?: () => number;
}

/** What was noted lately, bounded, by texts that strangers may choose. */
export class RecentMap<Value> {
  readonly #most: number;
  readonly #lasts: number;
  readonly #now: () => number;
  readonly #entries = new Map<string, { readonly value: Value; readonly until: number }>();

  constructor({ max, lasts = Number.POSITIVE_INFINITY, now = () => 0 }: RecentMapOptions) {
    this.#most = max;
    this.#lasts = lasts;
    this.#now = now;
  }

  get(key: string): Value | undefined {
    const found = this.#entries.get(key);
    return found !== undefined && found.until > this.#now() ? found.value : undefined;
  }

  set(key: string, value: Value): void {
    this.#entries.delete(key);
    this.#entries.set(key, { value, until: this.#now() + this.#lasts });
    const [oldest] = this.#entries.keys();
    if (this.#entries.size > this.#most && oldest !== undefined) this.#entries.delete(oldest);
  }

  delete(key: string): void {
    this.#entries.delete(key);
  }
}
