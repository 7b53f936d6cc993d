/** Whose turn something takes. */
export interface Turn {
  /** Whether its caller is known. */
  readonly known: boolean;
  /** Callers of one share take turns with those of others. */
  readonly share: string;
}

/** Unknown callers wait while known ones do, but for one after so many of them. */
const KNOWN_IN_A_ROW = 8;

/** What waits, in turns: known callers before unknown ones, and share by share among each kind. */
export class FairQueue<Entry> {
  readonly #known: Rota<Entry>;
  readonly #unknown: Rota<Entry>;
  #inARow = 0;

  /** `most`: entries of each kind. */
  constructor(most: number) {
    this.#known = new Rota(most);
    this.#unknown = new Rota(most);
  }

  /** Answers the entry that finds no room: the newest of the share that has the most, which may be this one. */
  add(turn: Turn, entry: Entry): Entry | undefined {
    return this.#of(turn).add(turn.share, entry);
  }

  take(): Entry | undefined {
    const isWaiting = this.#unknown.size > 0;
    const isUnknown = isWaiting && (this.#known.size === 0 || this.#inARow >= KNOWN_IN_A_ROW);
    this.#inARow = isUnknown || !isWaiting ? 0 : this.#inARow + 1;
    return isUnknown ? this.#unknown.take() : this.#known.take();
  }

  remove(turn: Turn, entry: Entry): void {
    this.#of(turn).remove(turn.share, entry);
  }

  #of({ known }: Turn): Rota<Entry> {
    return known ? this.#known : this.#unknown;
  }
}

/** One entry of each share after the other. */
class Rota<Entry> {
  readonly #most: number;
  /** The share whose turn is next comes first. */
  readonly #shares = new Map<string, Entry[]>();
  size = 0;

  constructor(most: number) {
    this.#most = most;
  }

  add(share: string, entry: Entry): Entry | undefined {
    const own = this.#shares.get(share) ?? [];
    const longest = this.#longest();
    const isFull = this.size >= this.#most;
    if (isFull && own.length + 1 >= longest.length) return entry;
    const gone = isFull ? longest.pop() : undefined;
    own.push(entry);
    this.#shares.set(share, own);
    if (gone === undefined) this.size += 1;
    return gone;
  }

  take(): Entry | undefined {
    const [next] = this.#shares;
    if (next === undefined) return undefined;
    const [share, entries] = next;
    const entry = entries.shift();
    this.#shares.delete(share);
    if (entries.length > 0) this.#shares.set(share, entries);
    this.size -= 1;
    return entry;
  }

  remove(share: string, entry: Entry): void {
    const entries = this.#shares.get(share) ?? [];
    const index = entries.indexOf(entry);
    if (index < 0) return;
    entries.splice(index, 1);
    if (entries.length === 0) this.#shares.delete(share);
    this.size -= 1;
  }

  #longest(): Entry[] {
    let longest: Entry[] = [];
    for (const entries of this.#shares.values()) if (entries.length > longest.length) longest = entries;
    return longest;
  }
}
