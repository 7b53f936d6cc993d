/** Numbers that a seed repeats: what is planned with them can be planned again. */
export interface Random {
  /** A whole number from `least` to `most`, both included. */
  int(min: number, max: number): number;
  /** True with this probability, 0 to 1. */
  chance(probability: number): boolean;
  pick<T>(items: readonly T[]): T;
  /** The items in another order. */
  shuffle<T>(items: readonly T[]): T[];
  /** `count` different whole numbers from `least` to `most`. */
  distinct(count: number, min: number, max: number): number[];
}

/** A generator of its own for a seed (mulberry32: small, and even enough for plans). */
export function seededRandom(seed: number): Random {
  let state = seed | 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const int = (min: number, max: number): number => min + Math.floor(next() * (max - min + 1));
  const shuffle = <T>(items: readonly T[]): T[] => {
    const shuffled = [...items];
    for (let last = shuffled.length - 1; last > 0; last--) {
      const other = int(0, last);
      [shuffled[last], shuffled[other]] = [shuffled[other] as T, shuffled[last] as T];
    }
    return shuffled;
  };
  return {
    int,
    shuffle,
    chance: (probability) => next() < probability,
    pick: <T>(items: readonly T[]) => {
      if (items.length === 0) throw new Error('There is nothing to pick from');
      return items[int(0, items.length - 1)] as T;
    },
    distinct: (count, min, max) =>
      shuffle(Array.from({ length: max - min + 1 }, (_, index) => min + index)).slice(0, count),
  };
}
