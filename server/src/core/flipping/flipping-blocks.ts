import { chanceToCover, type FlipRecord, isFlipping, knownBuilds, statesOf } from './flip-record.ts';

/** Lines and branches that flip together: one cause, such as the whole path of a race, so they count once. */
export interface FlippingBlock {
  /** Sorted by line. */
  readonly records: readonly FlipRecord[];
  /** The chance that a build covers it, from its known states. */
  readonly chance: number;
}

/** The chance of a row of missed builds at which it is no longer called chance. */
const RARE_ROW = 0.01;
/** 0.1 squared is a little more than 0.01 in binary. */
const ROUNDING = 1e-9;

/**
 * The blocks of a file that flip without a change of the text. A block that is missed in a row of builds that chance
 * hardly makes is lost, and no longer one of them.
 */
export function flippingBlocks(records: readonly FlipRecord[], among: bigint): readonly FlippingBlock[] {
  return unstableBlocks(records, among).filter((block) => lostSince(block, among) === undefined);
}

/** The same, with those that are lost. */
export function unstableBlocks(records: readonly FlipRecord[], among: bigint): readonly FlippingBlock[] {
  return groupBlocks(records.filter((record) => isFlipping(record, among))).map((block) => ({
    records: block,
    chance: chanceToCover(statesOf(block[0] as FlipRecord, among)),
  }));
}

/** The newest builds in a row that miss a block. */
export interface LostRow {
  /** How many of them measured it. */
  readonly builds: number;
  /** The first of them, by how many builds came after it. */
  readonly since: number;
}

/** The builds that miss a block, if that many in a row can no longer be chance; else undefined. */
export function lostSince({ records }: Pick<FlippingBlock, 'records'>, among: bigint): LostRow | undefined {
  const record = records[0] as FlipRecord;
  const states = statesOf(record, among);
  const builds = states.indexOf(true);
  if (builds < 1) return undefined;
  const chance = chanceToCover(states.slice(builds));
  if ((1 - chance) ** builds > RARE_ROW + ROUNDING) return undefined;
  return { builds, since: knownBuilds(record, among)[builds - 1] as number };
}

/** Blocks that a record may still be one of: a line with very many branches begins no more. */
const MAX_OPEN = 64;

/** Neighbors that had the same state in every build that knows both. */
export function groupBlocks(records: readonly FlipRecord[]): readonly (readonly FlipRecord[])[] {
  const blocks: FlipRecord[][] = [];
  let open: FlipRecord[][] = [];
  for (const record of records) {
    open = open.filter((block) => (block.at(-1) as FlipRecord).line >= record.line - record.gap - 1);
    const same = open.find((block) => haveSameStates(block.at(-1) as FlipRecord, record));
    if (same !== undefined) same.push(record);
    else {
      const block = [record];
      blocks.push(block);
      open.push(block);
      if (open.length > MAX_OPEN) open.shift();
    }
  }
  return blocks;
}

function haveSameStates(one: FlipRecord, other: FlipRecord): boolean {
  const both = one.known & other.known;
  return both !== 0n && ((one.covered ^ other.covered) & both) === 0n;
}
