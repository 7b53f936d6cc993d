import type { FileCoverage } from '../coverage/file-coverage.ts';
import type { UnchangedRun } from '../diff/line-map.ts';
import { chanceOfMissing, UNUSUAL, usualMisses } from './chance.ts';
import { buildsOfText, decidingBuilds, type FlipLedger } from './flip-ledger.ts';
import type { FlipRecord } from './flip-record.ts';
import { flippingBlocks } from './flipping-blocks.ts';
import { moveLine } from './follow-files.ts';
import { stateOf } from './line-states.ts';

/** A line or branch that flips without a change of its text. */
export interface FlippingPlace extends Pick<FlipRecord, 'line' | 'arm'> {
  /** Its place in `chances`. */
  readonly block: number;
  /** Two builds of one tree showed it: it flips also if its file changes elsewhere. */
  readonly isProven: boolean;
}

/** What flips in the text of one build. */
export interface FlippingLines {
  readonly files: ReadonlyMap<string, readonly FlippingPlace[]>;
  /** The chance that a build covers it, of each block. */
  readonly chances: readonly number[];
  /** How many builds are recorded of the branch. */
  readonly builds: number;
}

/**
 * What flips in the text of a build of a ledger. `newer`: how many builds of the ledger came
 * after it. A file whose text changed in them is left out: its lines are elsewhere.
 */
export function findFlipping(
  ledger: FlipLedger,
  { newer, now }: { readonly newer: number; readonly now: number },
): FlippingLines {
  const among = decidingBuilds(ledger, now);
  const files = new Map<string, readonly FlippingPlace[]>();
  const chances: number[] = [];
  for (const [name, records] of ledger.files) {
    if (buildsOfText(ledger, name) <= newer) continue;
    const places = flippingBlocks(records, among).flatMap(({ records: some, chance }) => {
      const block = chances.push(chance) - 1;
      return some.map(({ line, arm, proven }) => ({ line, arm, block, isProven: (proven & among) !== 0n }));
    });
    if (places.length > 0) files.set(name, places);
  }
  return { files, chances, builds: ledger.builds.length };
}

/** A flipping place that both reports measure. */
export interface ComparedPlace {
  readonly block: number;
  readonly isLine: boolean;
  readonly wasCovered: boolean;
  readonly isCovered: boolean;
}

/** The flipping places of a file that stayed, with their states before and now. */
export function comparePlaces(
  places: readonly FlippingPlace[],
  {
    before,
    after,
    runs,
  }: { readonly before: FileCoverage; readonly after: FileCoverage; readonly runs: readonly UnchangedRun[] },
): readonly ComparedPlace[] {
  return places.flatMap((place) => {
    const line = moveLine(place.line, runs);
    const wasCovered = stateOf(before, place);
    const isCovered = line === undefined ? undefined : stateOf(after, { ...place, line });
    if (wasCovered === undefined || isCovered === undefined) return [];
    return [{ block: place.block, isLine: place.arm === undefined, wasCovered, isCovered }];
  });
}

/** How many blocks a build misses that its base covers, and whether that many can be chance. */
export interface MissedBlocks {
  /** Flipping blocks that the base covers. */
  readonly blocks: number;
  /** How many of them the build misses. */
  readonly missed: number;
  /** How many builds usually miss: all but a thousandth of them. */
  readonly usual: { readonly least: number; readonly most: number };
  /** False: that many at once are not chance. */
  readonly isUsual: boolean;
}

/** Counts blocks by their places, each once. */
export function countMissedBlocks(places: readonly ComparedPlace[], chances: readonly number[]): MissedBlocks {
  const covered = new Set(places.filter(({ wasCovered }) => wasCovered).map(({ block }) => block));
  const missed = new Set(
    places.filter(({ wasCovered, isCovered }) => wasCovered && !isCovered).map(({ block }) => block),
  );
  const covers = [...covered].map((block) => chances[block] as number);
  return {
    blocks: covers.length,
    missed: missed.size,
    usual: usualMisses(covers),
    isUsual: chanceOfMissing(covers, missed.size) >= UNUSUAL,
  };
}
