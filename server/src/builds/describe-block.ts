import type { FlipLedger, LedgerBuild } from '../core/flipping/flip-ledger.ts';
import { type FlipRecord, lastFlip, statesOf } from '../core/flipping/flip-record.ts';
import { type FlippingBlock, lostSince } from '../core/flipping/flipping-blocks.ts';

/** Lines and branches that flip together. */
export interface ListedBlock {
  readonly file: string;
  readonly first: number;
  readonly last: number;
  readonly lines: number;
  readonly branches: number;
  /** In the last builds, the newest first; undefined: not measured, or of another text. */
  readonly states: readonly (boolean | undefined)[];
  /** How many of the known states are covered. */
  readonly covered: number;
  readonly known: number;
  /** The build in which it flipped last. */
  readonly flippedIn: LedgerBuild | undefined;
  /** The first of the builds in a row that miss it, if these are more than chance makes. */
  readonly lostSince: LedgerBuild | undefined;
  /** How many of those measured it; 0 if it is not lost. */
  readonly lostFor: number;
}

export interface FoundBlock {
  readonly file: string;
  readonly block: FlippingBlock;
}

/** By the builds that decide, as a close does. */
export function describeBlock({ builds }: FlipLedger, among: bigint, { file, block }: FoundBlock): ListedBlock {
  const { records } = block;
  const first = records[0] as FlipRecord;
  const lines = records.map(({ line }) => line);
  const known = statesOf(first, among);
  const flip = lastFlip(first, among);
  const lost = lostSince(block, among);
  return {
    file,
    first: Math.min(...lines),
    last: Math.max(...lines),
    lines: records.filter(({ arm }) => arm === undefined).length,
    branches: records.filter(({ arm }) => arm !== undefined).length,
    states: Array.from({ length: among.toString(2).length }, (_, at) => stateAt(first, BigInt(at))),
    covered: known.filter(Boolean).length,
    known: known.length,
    flippedIn: flip === undefined ? undefined : builds[flip],
    lostSince: lost && builds[lost.since],
    lostFor: lost?.builds ?? 0,
  };
}

function stateAt(record: FlipRecord, at: bigint): boolean | undefined {
  if (((record.known >> at) & 1n) === 0n) return undefined;
  return ((record.covered >> at) & 1n) === 1n;
}
