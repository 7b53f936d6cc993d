import { Failure } from '../../core/failure.ts';
import { counted } from '../../core/sentences.ts';
import { Scheduler } from '../scheduler.ts';

/** A body that states at most this length takes from the share of small ones, so that large ones never hold it up. */
export const SMALL_BODY = 256 * 1024;
/** What part of all memory is for small bodies alone. */
const SMALL_SHARE = 1 / 8;
/** Beyond this many waiting bodies no further one would get its turn in time. */
const MAX_WAITING = 1_000;
/** What part of it large bodies of unknown callers may hold together, so that they never hold up known ones. */
const UNKNOWN_SHARE = 1 / 4;
/** Milliseconds that one body may wait in all: enough for a burst, well below the 10 s after which clients give up. */
const TIME_LIMIT = 5_000;
/** While others wait for memory, a body makes way when the rest of it would take longer than this many seconds. */
const SLOWEST = 60;
/** Milliseconds between two searches for such bodies. */
const SEARCH_PAUSE = 250;
/** Milliseconds of one window; a pace is that of this window and the one before. */
const WINDOW = 1_500;

export interface UploadBudgetOptions {
  /** Bytes of all bodies that are held at once, from their first byte until they are stored or refused. */
  readonly bytes: number;
  /** Milliseconds that a body may wait in all; 5 s by default. */
  readonly deadline?: number;
  /** Milliseconds since any fixed moment. */
  readonly now?: () => number;
}

/** Bounds the memory of all bodies together: a body that finds none waits, and is refused only as the last resort. */
export type UploadBudget = Pick<Budget, 'open' | 'held'>;

/** What one body holds of the budget. */
export type BodyMemory = Pick<Held, 'size' | 'grow' | 'ofUnknown' | 'note' | 'displaced' | 'complete' | 'release'>;

export function createUploadBudget(options: UploadBudgetOptions): UploadBudget {
  return new Budget(options);
}

class Budget {
  readonly deadline: number;
  readonly now: () => number;
  /** Bodies that are being read. */
  readonly reading = new Set<Held>();
  readonly unknown: Scheduler;
  readonly #small: Scheduler;
  readonly #large: Scheduler;
  /** Bytes up to which a body is a small one. */
  readonly #smallest: number;
  #search: NodeJS.Timeout | undefined;

  constructor({ bytes, deadline = TIME_LIMIT, now = () => performance.now() }: UploadBudgetOptions) {
    const forSmall = Math.floor(bytes * SMALL_SHARE);
    // A body must fit into its share, or it would wait for nothing.
    this.#smallest = Math.min(SMALL_BODY, forSmall);
    this.#small = createShare(forSmall);
    this.#large = createShare(bytes - forSmall);
    this.unknown = createShare(Math.floor(bytes * UNKNOWN_SHARE));
    this.deadline = deadline;
    this.now = now;
  }

  /** Bytes that are held now. */
  get held(): number {
    return this.#small.held + this.#large.held;
  }

  /** The memory of one body, of the length that it states; it holds nothing at first. */
  open(length: number | undefined): BodyMemory {
    return new Held(this, length !== undefined && length <= this.#smallest ? this.#small : this.#large);
  }

  /** Searches for bodies that hold up others, as long as any waits. */
  startSearch(): void {
    this.#search ??= setInterval(() => {
      const crowded = [this.#small, this.#large, this.unknown].filter(({ waiting }) => waiting > 0);
      for (const share of crowded) this.#displaceSlowest(share);
      if (crowded.some(({ waiting }) => waiting > 0)) return;
      clearInterval(this.#search);
      this.#search = undefined;
    }, SEARCH_PAUSE).unref();
  }

  #displaceSlowest(share: Scheduler): void {
    let slowest: Held | undefined;
    let max = SLOWEST;
    for (const held of this.reading) {
      const left = held.secondsLeft();
      if (left <= max || !held.isOf(share)) continue;
      slowest = held;
      max = left;
    }
    slowest?.displace();
  }
}

class Held {
  /** Rejects with a Failure when this body is too slow and others wait; never resolves. */
  readonly displaced: Promise<never>;
  readonly displace: () => void;
  readonly share: Scheduler;
  readonly #budget: Budget;
  readonly #pace: BodyPace;
  #size = 0;
  #received = 0;
  #deadline: number;
  #released = false;
  /** For the share of unknown callers. */
  #unknown = 0;

  constructor(budget: Budget, share: Scheduler) {
    this.share = share;
    this.#budget = budget;
    this.#pace = new BodyPace(budget.now);
    this.#deadline = budget.deadline;
    const { promise, reject } = Promise.withResolvers<never>();
    // The reader may end before it waits for this.
    promise.catch(() => {});
    this.displaced = promise;
    this.displace = () => {
      this.complete();
      reject(tooSlow(this.#received));
    };
  }

  /** Bytes that it holds. */
  get size(): number {
    return this.#size;
  }

  isOf(share: Scheduler): boolean {
    return share === this.share || (share === this.#budget.unknown && this.#unknown > 0);
  }

  /** How long the rest would take at its pace. */
  secondsLeft(): number {
    const rate = this.#pace.rate();
    return rate === undefined ? 0 : (this.#size - this.#received) / rate;
  }

  /**
   * Holds `size` bytes: undefined when it does, else a promise for it, which rejects with a Failure `unavailable` when
   * none comes free in time.
   */
  grow(size: number): Promise<void> | undefined {
    if (size <= this.#size || this.#released) return undefined;
    const bytes = size - this.#size;
    const since = this.#budget.now();
    const waiting = this.share.take({ amount: bytes, deadline: this.#deadline });
    if (waiting === undefined) return this.#hold(bytes);
    this.#budget.startSearch();
    // Nothing is read in the meantime.
    this.complete();
    return waiting.then(() => {
      this.#deadline = Math.max(0, this.#deadline - (this.#budget.now() - since));
      this.#pace.restart();
      this.#hold(bytes);
    });
  }

  /**
   * Its caller is unknown: it waits for this much of such callers' share, or for half of it if no length is stated.
   * Rejects with a Failure `unavailable` when none comes free in time.
   */
  async ofUnknown(length: number | undefined): Promise<void> {
    const { unknown, deadline } = this.#budget;
    const bytes = Math.min(length ?? unknown.capacity / 2, unknown.capacity);
    if (bytes <= SMALL_BODY) return;
    const waiting = unknown.take({ amount: bytes, deadline });
    if (waiting !== undefined) this.#budget.startSearch();
    await waiting;
    if (this.#released) unknown.give({ amount: bytes });
    else this.#unknown = bytes;
  }

  /** Counts bytes that arrived. */
  note(bytes: number): void {
    this.#received += bytes;
    this.#pace.note(bytes);
  }

  /** All of it arrived: it cannot be too slow any more. */
  complete(): void {
    this.#budget.reading.delete(this);
  }

  /** Gives everything back. Idempotent. */
  release(): void {
    if (this.#released) return;
    this.#released = true;
    this.complete();
    this.share.give({ amount: this.#size });
    this.#budget.unknown.give({ amount: this.#unknown });
    this.#size = 0;
  }

  /** Counts memory that was granted; gives it back when the body ended in the meantime. */
  #hold(bytes: number): undefined {
    if (this.#released) {
      this.share.give({ amount: bytes });
      return;
    }
    this.#size += bytes;
    this.#budget.reading.add(this);
  }
}

/** First come, first served. */
function createShare(capacity: number): Scheduler {
  const refuse = (): Failure =>
    new Failure(
      'unavailable',
      'Other uploads use all the memory that this server has for uploads, and none of them finished in time. ' +
        'Nothing was stored. Send this again in a few seconds.',
    );
  return new Scheduler({ capacity, wait: { max: MAX_WAITING, refuse } });
}

function tooSlow(received: number): Failure {
  return new Failure(
    'unavailable',
    'The body came too slowly while other uploads waited for memory. It was stopped after ' +
      `${counted(received, 'byte')}, and nothing was stored. Send it again, compressed or in parts.`,
  );
}

/** How fast a body has arrived lately: a burst at its beginning must not excuse a standstill after it. */
class BodyPace {
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

  /** Counts bytes that arrived. */
  note(bytes: number): void {
    this.#roll();
    this.#current += bytes;
  }

  /** Begins again: while the server itself did not read, nothing could come. */
  restart(): void {
    this.#lastStart = this.#now();
    this.#start = this.#lastStart;
    this.#last = 0;
    this.#current = 0;
  }

  /** Bytes a second; undefined within the first window, too short to measure. */
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
