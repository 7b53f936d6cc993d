import fc from 'fast-check';
import {
  DECIDING_BUILDS,
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

/**
 * By the chance that a build covers a line: the share of such lines that is found by its changes within 20 and within
 * 50 builds, as many as decide, and by five pairs of builds of one tree.
 */
const STATED: readonly (readonly [chance: number, in20: number, in50: number, byPairs: number])[] = [
  [0.5, 1, 1, 0.97],
  [0.8, 0.91, 1, 0.86],
  [0.9, 0.57, 0.96, 0.63],
  [0.95, 0.24, 0.71, 0.39],
  [0.98, 0.05, 0.26, 0.18],
  [0.99, 0.02, 0.09, 0.1],
];
const BUILDS = [20, DECIDING_BUILDS] as const;
const PAIRS = 5;

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
  return STATED.flatMap(([chance, in20, in50, byPairs]) => {
    const within = findWithin(chance);
    const stated = [in20, in50];
    return [
      ...BUILDS.map((builds, at) =>
        compare(`covered in ${chance * 100} % of builds, within ${builds}`, stated[at] as number, within(builds)),
      ),
      compare(`covered in ${chance * 100} % of builds, by ${PAIRS} pairs of one tree`, byPairs, findByPairs(chance)),
    ];
  });
}

/** In how many builds each line is found first, as one is asked at each close; so all shares are of the same lines. */
function findWithin(chance: number): (builds: number) => number {
  const most = Math.max(...BUILDS);
  const random = draws(TRIES * most, Math.round(chance * 100));
  const found = Array.from({ length: TRIES }, () => {
    let record = EMPTY;
    let first = Number.POSITIVE_INFINITY;
    for (let build = 1; build <= most; build += 1) {
      record = extendRecord(record, (random.next().value as number) < chance, false);
      if (build < first && isFlipping(record, newestBuilds(DECIDING_BUILDS))) first = build;
    }
    return first;
  });
  return (builds) => found.filter((first) => first <= builds).length / TRIES;
}

function findByPairs(chance: number): number {
  const random = draws(TRIES * PAIRS * 2, Math.round(chance * 1_000));
  const isCovered = (): boolean => (random.next().value as number) < chance;
  let found = 0;
  for (let line = 0; line < TRIES; line += 1) {
    let record = EMPTY;
    for (let pair = 0; pair < PAIRS; pair += 1)
      record = extendRecord(extendRecord(record, isCovered(), false), isCovered(), true);
    if (record.proven !== 0n) found += 1;
  }
  return found / TRIES;
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
  const random = draws(STABLE_LINES * 3, 7);
  const next = (): number => random.next().value ?? 1;
  let found = 0;
  for (let line = 0; line < STABLE_LINES; line += 1) {
    const changes: number[] = [];
    // The next change of a rate comes after a geometric number of builds.
    for (let at = gap(next(), rate); at < DECIDING_BUILDS && changes.length < 3; at += gap(next(), rate))
      changes.push(at);
    if (changes.length < 3) continue;
    let record = EMPTY;
    for (let build = 0; build < DECIDING_BUILDS; build += 1)
      record = extendRecord(record, changes.filter((at) => at <= build).length % 2 === 0, false);
    if (isFlipping(record, newestBuilds(DECIDING_BUILDS))) found += 1;
  }
  return found;
}

function gap(drawn: number, rate: number): number {
  return 1 + Math.floor(Math.log(Math.max(drawn, 1e-12)) / Math.log(1 - rate));
}
