/** One candidate of a comparison. */
export interface Candidate {
  readonly name: string;
  readonly run: () => unknown;
}

/** Milliseconds of one candidate: the median of all rounds, and their spread. */
export interface Timing {
  readonly name: string;
  readonly median: number;
  readonly fastest: number;
  readonly slowest: number;
}

/**
 * Runs the candidates in turn, so that a busy neighbour hurts all of them alike: compare only within one run. The first
 * rounds warm the compiler up and do not count.
 */
export function compare(candidates: readonly Candidate[], { rounds = 15, warmup = 4 } = {}): Timing[] {
  const times = candidates.map((): number[] => []);
  for (let round = 0; round < warmup + rounds; round += 1) {
    candidates.forEach((candidate, index) => {
      const start = performance.now();
      candidate.run();
      const elapsed = performance.now() - start;
      if (round >= warmup) times[index]?.push(elapsed);
    });
  }
  return candidates.map(({ name }, index) => timingOf(name, times[index] ?? []));
}

/** What was measured of one candidate by other means, in ms. */
export function timingOf(name: string, times: readonly number[]): Timing {
  const sorted = [...times].sort((a, b) => a - b);
  const at = (index: number): number => sorted[index] ?? 0;
  return { name, median: at(Math.floor(sorted.length / 2)), fastest: at(0), slowest: at(sorted.length - 1) };
}

/** The median of one candidate in a comparison. */
export function medianOf(timings: readonly Timing[], name: string): number {
  const timing = timings.find((each) => each.name === name);
  if (timing === undefined) throw new RangeError(`no candidate ${name}`);
  return timing.median;
}
