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
  readonly repetitions: number;
}

/**
 * Runs the candidates in turn, so that a busy neighbor hurts all of them alike: compare only within one run. The first
 * rounds warm the compiler up and do not count. `repeat`: runs of a round, for what is too short for the clock.
 */
export function compare(
  candidates: readonly Candidate[],
  { rounds = 15, warmup = 4, repeat = 1, now = () => performance.now() } = {},
): Timing[] {
  const times = candidates.map((): number[] => []);
  for (let round = 0; round < warmup + rounds; round += 1) {
    candidates.forEach((candidate, index) => {
      const start = now();
      for (let run = 0; run < repeat; run += 1) candidate.run();
      const elapsed = (now() - start) / repeat;
      if (round >= warmup) times[index]?.push(elapsed);
    });
  }
  return candidates.map(({ name }, index) => timingOf(name, times[index] ?? []));
}

/** Milliseconds of processors that all threads of this process took: a busy neighbor adds little to them. */
export function processorTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

/** What was measured of one candidate by other means, in ms. */
export function timingOf(name: string, times: readonly number[]): Timing {
  const sorted = [...times].sort((a, b) => a - b);
  const at = (index: number): number => sorted[index] ?? 0;
  const median = at(Math.floor(sorted.length / 2));
  return { name, median, fastest: at(0), slowest: at(sorted.length - 1), repetitions: sorted.length };
}

/** The median of one candidate in a comparison. */
export function medianOf(timings: readonly Timing[], name: string): number {
  const timing = timings.find((each) => each.name === name);
  if (timing === undefined) throw new RangeError(`no candidate ${name}`);
  return timing.median;
}
