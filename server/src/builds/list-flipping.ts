import { findReadableRepo, type RepoRequest } from '../access/find-administered-repo.ts';
import { usualMisses } from '../core/flipping/chance.ts';
import { decidingBuilds, type FlipLedger, type LedgerBuild } from '../core/flipping/flip-ledger.ts';
import { type FlipRecord, lastFlip, statesOf } from '../core/flipping/flip-record.ts';
import { type FlippingBlock, lostSince, unstableBlocks } from '../core/flipping/flipping-blocks.ts';
import { mayAdminister } from '../core/repo/caller.ts';
import type { Repo } from '../core/repo/repo.ts';
import type { Services } from '../services/services.ts';
import { findBranchHead } from '../storage/branch-head.ts';

/** Blocks that are listed. */
const MAX_LISTED = 500;

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

export interface ListedFlipping {
  readonly repo: Repo;
  readonly maintains: boolean;
  readonly branch: string | undefined;
  /** Recorded builds of the branch, 64 at most. */
  readonly builds: number;
  /** The newest of them. */
  readonly newest: LedgerBuild | undefined;
  /** False: in one of the last builds more lines changed their state at once than are recorded. */
  readonly isComplete: boolean;
  /** The largest first; lost ones last. */
  readonly blocks: readonly ListedBlock[];
  readonly total: number;
  /** How many blocks a build usually misses. */
  readonly usual: { readonly least: number; readonly most: number };
}

/** The lines that flip without a change on a branch. A Failure `not-found` as for the repo. */
export async function listFlipping(
  services: Pick<Services, 'clock' | 'flipLedgers' | 'resolveAccess' | 'repos' | 'views'>,
  wanted: RepoRequest & { readonly branch: string | undefined },
): Promise<ListedFlipping> {
  const { branch: asked, ...request } = wanted;
  const { repo, caller } = await findReadableRepo(services, request);
  const { branch } = await findBranchHead(services.views, { repo, branch: asked });
  const ledger = branch === undefined ? undefined : await services.flipLedgers.find(repo.id, branch);
  const among = ledger === undefined ? 0n : decidingBuilds(ledger, services.clock.now());
  const found = ledger === undefined ? [] : findBlocks(ledger, among);
  const blocks = found.map((one) => describeBlock(ledger as FlipLedger, among, one));
  const covers = found.filter((_, at) => blocks[at]?.lostSince === undefined).map(({ block }) => block.chance);
  return {
    repo,
    maintains: mayAdminister(caller, repo),
    branch,
    builds: ledger?.builds.length ?? 0,
    newest: ledger?.builds[0],
    isComplete: ledger?.overflow === undefined,
    blocks: blocks.toSorted(compareBlocks).slice(0, MAX_LISTED),
    total: blocks.length,
    usual: usualMisses(covers),
  };
}

export interface FoundBlock {
  readonly file: string;
  readonly block: FlippingBlock;
}

function findBlocks(ledger: FlipLedger, among: bigint): readonly FoundBlock[] {
  return [...ledger.files].flatMap(([file, records]) =>
    unstableBlocks(records, among).map((block) => ({ file, block })),
  );
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

function compareBlocks(a: ListedBlock, b: ListedBlock): number {
  const rank = ({ lostSince: since }: ListedBlock): number => (since === undefined ? 0 : 1);
  return rank(a) - rank(b) || b.lines + b.branches - (a.lines + a.branches) || (a.file < b.file ? -1 : 1);
}
