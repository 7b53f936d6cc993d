import type { Failure } from '../core/failure.ts';
import type { Timer, Timers } from './timers.ts';

/** Where something waits in the queue: callers of one share take turns with those of other shares. */
export interface QueueKey {
  /** Whether its caller is known. */
  readonly known: boolean;
  /** Callers of one share take turns with those of others. */
  readonly share: string;
}

/** The key of all if they go in the order in which they come. */
export const ONE_SHARE: QueueKey = { known: true, share: '' };

/** Unknown callers wait while known ones do, except for one after this many known ones. */
const KNOWN_IN_A_ROW = 8;

/** Why somebody is refused: too many wait, or the time to wait is over. */
export type Crowding = 'full' | 'late';

export interface SchedulerOptions {
  /** What is shared out: a number of tasks at once, or bytes. */
  readonly capacity: number;
  /** Any number may wait for any time by default. */
  readonly wait?: {
    /** How many may wait, of known and of unknown callers each. */
    readonly max?: number;
    /** Milliseconds. */
    readonly deadline?: number | undefined;
    readonly refuse: (why: Crowding) => Failure;
  };
  /** A share that neither waits nor holds anything comes before those that do; by default behind them. */
  readonly newcomersFirst?: boolean;
  readonly timers?: { start(...by: Parameters<Timers['start']>): Pick<Timer, 'cancel'> };
}

interface Asked {
  readonly key?: QueueKey;
  readonly amount?: number;
  /** Milliseconds to wait, in place of the usual ones. */
  readonly deadline?: number | undefined;
}

interface Waiting {
  readonly share: string;
  readonly amount: number;
  begin(): void;
  refuse(why: Crowding): void;
}

/** Shares out what there is too little of. Its rules: docs/architecture/processing.md. */
export class Scheduler {
  readonly capacity: number;
  readonly #wait: NonNullable<SchedulerOptions['wait']> | undefined;
  readonly #timers: NonNullable<SchedulerOptions['timers']>;
  readonly #known: Rota;
  readonly #unknown: Rota;
  #held = 0;
  #knownInARow = 0;

  constructor({ capacity, wait, newcomersFirst = false, timers = REAL_TIME }: SchedulerOptions) {
    this.capacity = capacity;
    this.#wait = wait;
    this.#timers = timers;
    this.#known = new Rota(wait?.max, newcomersFirst);
    this.#unknown = new Rota(wait?.max, newcomersFirst);
  }

  get held(): number {
    return this.#held;
  }

  get waiting(): number {
    return this.#known.size + this.#unknown.size;
  }

  /** Undefined when it is taken, else a promise for it, which rejects with the Failure of `refuse`. */
  take({ key = ONE_SHARE, amount = 1, deadline = this.#wait?.deadline }: Asked = {}): Promise<void> | undefined {
    if (this.waiting > 0 || !this.#fits(amount)) return this.#queue(key, amount, deadline);
    this.#hold(this.#rotaOf(key), { share: key.share, amount });
    return undefined;
  }

  give({ key = ONE_SHARE, amount = 1 }: Omit<Asked, 'deadline'> = {}): void {
    this.#held -= amount;
    this.#rotaOf(key).leave(key.share, amount);
    this.#serve();
  }

  /** Runs a task once its turn has come. */
  async run<Value>(task: () => Promise<Value>, key: QueueKey = ONE_SHARE): Promise<Value> {
    const waiting = this.take({ key });
    if (waiting !== undefined) await waiting;
    try {
      return await task();
    } finally {
      this.give({ key });
    }
  }

  #queue(key: QueueKey, amount: number, deadline: number | undefined): Promise<void> {
    const rota = this.#rotaOf(key);
    return new Promise((begin, reject) => {
      const end = (then: () => void): void => {
        timer?.cancel();
        then();
      };
      const waiting: Waiting = {
        share: key.share,
        amount,
        begin: () => end(begin),
        refuse: (why) => end(() => reject(this.#wait?.refuse(why))),
      };
      const giveUp = (): void => {
        rota.remove(waiting);
        waiting.refuse('late');
        // What it kept from its turn may fit.
        this.#serve();
      };
      const timer = deadline === undefined ? undefined : this.#timers.start(deadline, giveUp);
      rota.add(waiting)?.refuse('full');
    });
  }

  #serve(): void {
    for (;;) {
      const isUnknownWaiting = this.#unknown.size > 0;
      if (!isUnknownWaiting) this.#knownInARow = 0;
      const isItsTurn = this.#known.size === 0 || this.#knownInARow >= KNOWN_IN_A_ROW;
      const rota = isUnknownWaiting && isItsTurn ? this.#unknown : this.#known;
      const next = rota.first();
      if (next === undefined || !this.#fits(next.amount)) return;
      this.#knownInARow = rota === this.#known && isUnknownWaiting ? this.#knownInARow + 1 : 0;
      rota.remove(next);
      this.#hold(rota, next);
      next.begin();
    }
  }

  #hold(rota: Rota, { share, amount }: Pick<Waiting, 'share' | 'amount'>): void {
    this.#held += amount;
    rota.hold(share, amount);
  }

  #fits(amount: number): boolean {
    return this.#held + amount <= this.capacity;
  }

  #rotaOf({ known }: QueueKey): Rota {
    return known ? this.#known : this.#unknown;
  }
}

/** One of each share after the other. */
class Rota {
  size = 0;
  readonly #most: number;
  readonly #newcomersFirst: boolean;
  readonly #waiting = new Map<string, Waiting[]>();
  readonly #held = new Map<string, number>();
  /** For the shares that wait or hold something: the one with the lowest rank is next. */
  readonly #ranks = new Map<string, number>();
  #lastRank = 0;

  constructor(max = Number.POSITIVE_INFINITY, newcomersFirst: boolean) {
    this.#most = max;
    this.#newcomersFirst = newcomersFirst;
  }

  /** Answers who finds no room: the newest of the share that has the most, which may be this one. */
  add(waiting: Waiting): Waiting | undefined {
    const { share } = waiting;
    const own = this.#waiting.get(share) ?? [];
    const longest = this.#longest();
    const isFull = this.size >= this.#most;
    if (isFull && own.length + 1 >= longest.length) return waiting;
    const gone = isFull ? longest.pop() : undefined;
    if (own.length === 0) this.#join(share);
    own.push(waiting);
    this.#waiting.set(share, own);
    if (gone === undefined) this.size += 1;
    return gone;
  }

  first(): Waiting | undefined {
    let [next]: Waiting[] = [];
    for (const [first] of this.#waiting.values())
      if (first !== undefined && (next === undefined || this.#rankOf(first) < this.#rankOf(next))) next = first;
    return next;
  }

  remove(waiting: Waiting): void {
    const { share } = waiting;
    const own = this.#waiting.get(share) ?? [];
    const index = own.indexOf(waiting);
    if (index < 0) return;
    own.splice(index, 1);
    if (own.length === 0) this.#waiting.delete(share);
    this.size -= 1;
    this.#forget(share);
  }

  hold(share: string, amount: number): void {
    this.#held.set(share, (this.#held.get(share) ?? 0) + amount);
    this.#toTheEnd(share);
  }

  leave(share: string, amount: number): void {
    const left = (this.#held.get(share) ?? 0) - amount;
    if (left > 0) this.#held.set(share, left);
    else this.#held.delete(share);
    this.#forget(share);
  }

  #join(share: string): void {
    if (!this.#newcomersFirst) this.#toTheEnd(share);
    else if (!this.#ranks.has(share)) this.#ranks.set(share, 0);
  }

  #toTheEnd(share: string): void {
    this.#lastRank += 1;
    this.#ranks.set(share, this.#lastRank);
  }

  #forget(share: string): void {
    if (!this.#waiting.has(share) && !this.#held.has(share)) this.#ranks.delete(share);
  }

  #rankOf({ share }: Waiting): number {
    return this.#ranks.get(share) ?? 0;
  }

  #longest(): Waiting[] {
    let longest: Waiting[] = [];
    for (const own of this.#waiting.values()) if (own.length > longest.length) longest = own;
    return longest;
  }
}

const REAL_TIME: NonNullable<SchedulerOptions['timers']> = {
  start(ms, run) {
    const timer = setTimeout(run, ms);
    return { cancel: () => clearTimeout(timer) };
  },
};
