import fc from 'fast-check';
import {
  extendRecord,
  type FlipRecord,
  isFlipping,
  newestBuilds,
} from '../../../server/src/core/flipping/flip-record.ts';

/** A counted share of lines, beside the one that an exact recursion gives (docs/rules.md, "Lines that flip"). */
export interface SimulatedShare {
  readonly what: string;
  readonly stated: number;
  readonly found: number;
  /** Whether both are within three standard deviations, and what the stated one rounds away. */
  readonly agrees: boolean;
}

const TRIES = 4_000;
const ROUNDED = 0.006;

/** By builds and the chance that a build covers the line: the share of such lines that is found by its changes. */
const BY_CHANGES: readonly (readonly [builds: number, chance: number, stated: number])[] = [
  [20, 0.8, 0.91],
  [20, 0.9, 0.57],
  [20, 0.95, 0.24],
  [20, 0.98, 0.05],
  [50, 0.5, 1],
  [50, 0.8, 1],
  [50, 0.9, 0.96],
  [50, 0.95, 0.71],
  [50, 0.98, 0.26],
  [50, 0.99, 0.09],
];

/** Lines whose tests truly change, rarely: by their rate a build, how many of 100,000 may be taken for flipping. */
const STABLE: readonly (readonly [rate: number, most: number])[] = [
  [1e-3, 8],
  [1e-4, 1],
];
const STABLE_LINES = 100_000;

const EMPTY: FlipRecord = { line: 1, arm: undefined, gap: 0, covered: 0n, known: 0n, proven: 0n };

function* draws(count: number, seed: number): Generator<number> {
  for (const one of fc.sample(fc.noBias(fc.nat(2 ** 30 - 1)), { seed, numRuns: count })) yield one / 2 ** 30;
}

/** The shares of the table of lines that flip. */
export function simulateFlipping(): readonly SimulatedShare[] {
  return BY_CHANGES.map(([builds, chance, stated]) => {
    const random = draws(TRIES * builds, builds * 100 + Math.round(chance * 100));
    let found = 0;
    for (let line = 0; line < TRIES; line += 1) {
      let record = EMPTY;
      for (let build = 0; build < builds; build += 1)
        record = extendRecord(record, (random.next().value as number) < chance, false);
      if (isFlipping(record, newestBuilds(builds))) found += 1;
    }
    return compare(`covered by ${chance * 100} % of ${builds} builds`, stated, found / TRIES);
  });
}

function compare(what: string, stated: number, found: number): SimulatedShare {
  const deviation = Math.sqrt((stated * (1 - stated)) / TRIES);
  return { what, stated, found, agrees: Math.abs(found - stated) <= 3 * deviation + ROUNDED };
}

/** How many of 100,000 stable lines are taken for flipping, beside the most that may be. */
export function simulateStable(): readonly { readonly rate: number; readonly most: number; readonly found: number }[] {
  return STABLE.map(([rate, most]) => ({ rate, most, found: countFalse(rate) }));
}

/** A line without a change flips never: only those with one are followed. */
function countFalse(rate: number): number {
  const BUILDS = 50;
  const random = draws(STABLE_LINES * 3, 7);
  const next = (): number => random.next().value ?? 1;
  let found = 0;
  for (let line = 0; line < STABLE_LINES; line += 1) {
    const changes: number[] = [];
    // The next change of a rate comes after a geometric number of builds.
    for (let at = gap(next(), rate); at < BUILDS && changes.length < 3; at += gap(next(), rate)) changes.push(at);
    if (changes.length < 3) continue;
    let record = EMPTY;
    for (let build = 0; build < BUILDS; build += 1)
      record = extendRecord(record, changes.filter((at) => at <= build).length % 2 === 0, false);
    if (isFlipping(record, newestBuilds(BUILDS))) found += 1;
  }
  return found;
}

function gap(drawn: number, rate: number): number {
  return 1 + Math.floor(Math.log(Math.max(drawn, 1e-12)) / Math.log(1 - rate));
}
