import { findReadableRepo, type RepoRequest } from '../access/find-administered-repo.ts';
import type { Ratio } from '../core/coverage/percent.ts';
import type { CoverageTotals } from '../core/coverage/totals.ts';
import { usualMisses } from '../core/flipping/chance.ts';
import { decidingBuilds, type FlipLedger, type LedgerBuild } from '../core/flipping/flip-ledger.ts';
import { unstableBlocks } from '../core/flipping/flipping-blocks.ts';
import { mayAdminister } from '../core/repo/caller.ts';
import type { Repo } from '../core/repo/repo.ts';
import type { Services } from '../services/services.ts';
import { findBranchHead } from '../storage/branch-head.ts';
import { describeBlock, type FlipServices, type FoundBlock, type ListedBlock } from './find-flips.ts';
import { type Forgiven, findForgiven } from './find-forgiven.ts';

/** Blocks that are listed. */
const MAX_LISTED = 500;

/** A block of a list. */
export interface FlippingRow extends ListedBlock {
  readonly forgiven: Forgiven;
}

export interface ListedFlipping {
  readonly repo: Repo;
  readonly maintains: boolean;
  readonly branch: string | undefined;
  /** Those that are recorded, by name. */
  readonly branches: readonly string[];
  /** Recorded builds of the branch, 64 at most. */
  readonly builds: number;
  /** The newest of them. */
  readonly newest: LedgerBuild | undefined;
  /** False: in one of the last builds more lines changed their state at once than are recorded. */
  readonly isComplete: boolean;
  /** The largest first; lost ones last. */
  readonly blocks: readonly FlippingRow[];
  readonly total: number;
  /** How many blocks a build usually misses. */
  readonly usual: { readonly least: number; readonly most: number };
  /** What that many of the largest are worth in the branch's newest build, in percentage points. */
  readonly worth: Ratio | undefined;
}

/** The lines that flip without a change on a branch. A Failure `not-found` as for the repo. */
export async function listFlipping(
  services: FlipServices & Pick<Services, 'resolveAccess' | 'repos'>,
  wanted: RepoRequest & { readonly branch: string | undefined },
): Promise<ListedFlipping> {
  const { branch: asked, ...request } = wanted;
  const { repo, caller } = await findReadableRepo(services, request);
  const { branch, newest } = await findBranchHead(services.views, { repo, branch: asked });
  const ledger = branch === undefined ? undefined : await services.flipLedgers.find(repo.id, branch);
  const among = ledger === undefined ? 0n : decidingBuilds(ledger, services.clock.now());
  const found = ledger === undefined ? [] : findBlocks(ledger, among);
  const blocks = found.map((one) => describeBlock(ledger as FlipLedger, among, one));
  const covers = found.filter((_, at) => blocks[at]?.lostSince === undefined).map(({ block }) => block.chance);
  const usual = usualMisses(covers);
  const forgivenOf = ledger && blocks.length > 0 ? await findForgiven(services, { repo, ledger }) : () => [];
  return {
    repo,
    maintains: mayAdminister(caller, repo),
    branch,
    branches: await services.flipLedgers.branches(repo.id),
    builds: ledger?.builds.length ?? 0,
    newest: ledger?.builds[0],
    isComplete: ledger?.overflow === undefined,
    blocks: blocks
      .toSorted(compareBlocks)
      .slice(0, MAX_LISTED)
      .map((block) => ({ ...block, forgiven: forgivenOf({ file: block.file, line: block.first }) })),
    total: blocks.length,
    usual,
    worth: worthOf(blocks, usual.most, newest?.result?.totals),
  };
}

function worthOf(blocks: readonly ListedBlock[], most: number, totals: CoverageTotals | undefined): Ratio | undefined {
  const all = totals === undefined ? 0 : totals.relevantLines + totals.branches;
  if (all === 0) return undefined;
  const sizes = blocks.filter(({ lostSince: lost }) => lost === undefined).map(sizeOf);
  const largest = sizes.sort((a, b) => b - a).slice(0, most);
  return { numerator: 100n * BigInt(largest.reduce((sum, size) => sum + size, 0)), denominator: BigInt(all) };
}

function sizeOf({ lines, branches }: ListedBlock): number {
  return lines + branches;
}

function findBlocks(ledger: FlipLedger, among: bigint): readonly FoundBlock[] {
  return [...ledger.files].flatMap(([file, records]) =>
    unstableBlocks(records, among).map((block) => ({ file, block })),
  );
}

function compareBlocks(a: ListedBlock, b: ListedBlock): number {
  const rank = ({ lostSince: since }: ListedBlock): number => (since === undefined ? 0 : 1);
  return rank(a) - rank(b) || sizeOf(b) - sizeOf(a) || (a.file < b.file ? -1 : 1);
}
