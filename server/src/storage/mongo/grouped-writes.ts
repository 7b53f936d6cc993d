/** What one command has done for each of its items, in their order. */
export type Outcomes<R> = readonly ({ readonly done: R } | { readonly error: unknown })[];

export interface Grouping<T, R> {
  /** Sends one command for these; what it throws is every item's. */
  readonly send: (items: readonly T[]) => Promise<Outcomes<R>>;
  /** Bytes of an item, about. */
  readonly weigh: (item: T) => number;
}

/** A command that takes longer no longer holds up the next, in ms: one connection may hang while others work. */
const PATIENCE = 1_000;
const MAX_ITEMS = 100;
/** A larger item goes by itself, and what is small does not wait for it. */
export const LARGE = 1_048_576;
/** Bytes of one command; the server takes 48 MB. */
const MAX_BYTES = 8 * LARGE;

/**
 * Group commit: what comes while a command is in progress goes in the next one, so that many share one wait for the
 * journals. What comes alone goes at once.
 */
export function createGroupedWrites<T, R>({ send, weigh }: Grouping<T, R>): (item: T) => Promise<R> {
  interface Waiting {
    readonly item: T;
    readonly weight: number;
    resolve(done: R): void;
    reject(error: unknown): void;
  }
  const waiting: Waiting[] = [];
  let isWorking = false;
  const sendAll = async (group: readonly Waiting[]): Promise<void> => {
    try {
      const outcomes = await send(group.map(({ item }) => item));
      for (const [index, one] of group.entries()) {
        const outcome = outcomes[index];
        if (outcome !== undefined && 'done' in outcome) one.resolve(outcome.done);
        else one.reject(outcome?.error);
      }
    } catch (error) {
      for (const { reject } of group) reject(error);
    }
  };
  const takeGroup = (): readonly Waiting[] => {
    let [count, bytes] = [0, 0];
    for (const { weight } of waiting) {
      if (count > 0 && (count === MAX_ITEMS || bytes + weight > MAX_BYTES)) break;
      count += 1;
      bytes += weight;
    }
    return waiting.splice(0, count);
  };
  const work = async (): Promise<void> => {
    isWorking = true;
    while (waiting.length > 0) await endOf(sendAll(takeGroup()), PATIENCE);
    isWorking = false;
  };
  return (item) =>
    new Promise((resolve, reject) => {
      const one = { item, weight: weigh(item), resolve, reject };
      if (one.weight > LARGE) return void sendAll([one]);
      waiting.push(one);
      if (!isWorking) void work();
    });
}

/** Resolves when the work has ended, or after this many ms. */
async function endOf(work: Promise<void>, patience: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, patience);
  await Promise.race([work, promise]);
  clearTimeout(timer);
}
