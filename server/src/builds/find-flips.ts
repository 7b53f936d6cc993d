import { branchRecordedOf } from '../closing/known-flips.ts';
import type { BuildSummary, BuildView } from '../core/builds/build-summary.ts';
import { filesWithLostLines } from '../core/builds/file-changes.ts';
import { type Diff, indexDiffs } from '../core/diff/file-diff.ts';
import { UNCHANGED_TEXT, type UnchangedRun, unchangedRuns } from '../core/diff/line-map.ts';
import { buildsOfText, decidingBuilds, type FlipLedger, type LedgerBuild } from '../core/flipping/flip-ledger.ts';
import { type FlipRecord, lastFlip, statesOf } from '../core/flipping/flip-record.ts';
import { type FlippingBlock, lostSince, unstableBlocks } from '../core/flipping/flipping-blocks.ts';
import { moveLine } from '../core/flipping/follow-files.ts';
import type { Repo } from '../core/repo/repo.ts';
import type { Timestamp } from '../core/time.ts';
import type { Services } from '../services/services.ts';
import { findKnownDiffs } from './find-changed-lines.ts';

/** What the flips of a build are found by. */
export type FlipServices = Pick<Services, 'clock' | 'engine' | 'facts' | 'flipLedgers' | 'jobs' | 'views'>;
type Asked = { readonly build: BuildSummary; readonly repo: Repo };

/** A block with each of its lines, in the text of the build that is shown. */
interface MarkedBlock extends ListedBlock {
  readonly places: readonly number[];
  /** Where it begins in the text of the ledger. */
  readonly origin: BlockOrigin;
}

export interface BlockOrigin {
  readonly file: string;
  readonly line: number;
}

/** What a build has to do with lines that flip without a change of their text. */
export interface FlipsOfBuild {
  readonly branch: string;
  /** Blocks that flip, or used to, among the lines that lost coverage outside its change. */
  readonly missed: readonly MarkedBlock[];
}

/** Undefined if nothing flips that is of this build. */
export async function findFlipsOfBuild(
  services: FlipServices,
  asked: { readonly build: BuildView; readonly repo: Repo },
): Promise<FlipsOfBuild | undefined> {
  if (lostFiles(asked.build).length === 0) return undefined;
  const found = await findMarked(services, asked);
  const missed = found === undefined ? [] : missedBlocks(found, asked.build);
  return found === undefined || missed.length === 0 ? undefined : { branch: found.branch, missed };
}

/** The same by a ledger of which its base is a build. */
export async function findBlocksMissed(
  services: FlipServices,
  asked: { readonly build: BuildView; readonly repo: Repo },
  ledger: FlipLedger,
): Promise<readonly MarkedBlock[]> {
  const { base } = asked.build.result ?? {};
  const newer = ledger.builds.findIndex(({ id }) => id === base?.buildId);
  if (newer < 0) return [];
  const textOf = movedBy((await findKnownDiffs(services, asked)).base);
  return missedBlocks({ ofFile: markBlocks({ ledger, newer, now: services.clock.now(), textOf }) }, asked.build);
}

function lostFiles({ result }: BuildView): ReturnType<typeof filesWithLostLines> {
  return result === undefined ? [] : filesWithLostLines(result);
}

function missedBlocks({ ofFile }: Pick<Marked, 'ofFile'>, build: BuildView): readonly MarkedBlock[] {
  return lostFiles(build).flatMap(({ name, newlyMissed = [], newlyPartly = [] }) => {
    const ranges = [...newlyMissed, ...newlyPartly.map((line) => [line, line] as const)];
    return ofFile(name).filter(({ places }) =>
      places.some((line) => ranges.some(([first, last]) => first <= line && line <= last)),
    );
  });
}

/** The blocks of a file that flip, by its lines in a build. */
export async function findFlipsOfFile(
  services: FlipServices,
  { name, ...asked }: Asked & { readonly name: string },
): Promise<{ readonly branch: string; readonly blocks: readonly MarkedBlock[] } | undefined> {
  const found = await findMarked(services, asked);
  const blocks = found?.ofFile(name) ?? [];
  return found && blocks.length > 0 ? { branch: found.branch, blocks } : undefined;
}

interface Marked {
  readonly branch: string;
  /** Sorted by line. */
  readonly ofFile: (name: string) => readonly MarkedBlock[];
}

/** By the ledger of its own branch, else by that of its base, whose lines are moved as far as it is known how. */
async function findMarked(services: FlipServices, asked: Asked): Promise<Marked | undefined> {
  const { build } = asked;
  const own = await findLedger(services, build, build);
  const base = own || !build.result?.base ? undefined : await services.views.summary(build.result.base.buildId);
  const found = own ?? (base && (await findLedger(services, build, base)));
  if (found === undefined) return undefined;
  const { branch, ...known } = found;
  const textOf = own ? sameText : movedBy((await findKnownDiffs(services, asked)).base);
  return { branch, ofFile: markBlocks({ ...known, now: services.clock.now(), textOf }) };
}

function markBlocks({
  ledger,
  newer,
  now,
  textOf,
}: {
  readonly ledger: FlipLedger;
  readonly newer: number;
  readonly now: Timestamp;
  readonly textOf: TextOf;
}): Marked['ofFile'] {
  const among = decidingBuilds(ledger, now);
  return (name) => {
    const text = textOf(name);
    if (text === undefined || buildsOfText(ledger, text.name) <= newer) return [];
    const blocks = unstableBlocks(ledger.files.get(text.name) ?? [], among);
    return blocks.flatMap((block) => {
      const moved = moveBlock(block, text.runs);
      if (moved === undefined) return [];
      const places = [...new Set(moved.records.map(({ line }) => line))];
      const origin = { file: text.name, line: block.records[0]?.line ?? 0 };
      return [{ ...describeBlock(ledger, among, { file: name, block: moved }), places, origin }];
    });
  };
}

async function findLedger(
  { flipLedgers }: Pick<Services, 'flipLedgers'>,
  { repoId }: Pick<BuildSummary, 'repoId'>,
  of: BuildSummary,
): Promise<{ readonly ledger: FlipLedger; readonly newer: number; readonly branch: string } | undefined> {
  const branch = branchRecordedOf(of);
  const ledger = branch === undefined ? undefined : await flipLedgers.find(repoId, branch);
  const newer = ledger?.builds.findIndex(({ id }) => id === of.id) ?? -1;
  return ledger === undefined || branch === undefined || newer < 0 ? undefined : { ledger, newer, branch };
}

/** What a file was called in the text of the ledger, and which of its lines are there; undefined: nobody knows. */
type TextOf = (name: string) => { readonly name: string; readonly runs: readonly UnchangedRun[] } | undefined;

const sameText: TextOf = (name) => ({ name, runs: UNCHANGED_TEXT });

function movedBy(diff: Diff | undefined): TextOf {
  const { byName } = indexDiffs(diff?.files ?? []);
  return (name) => {
    const change = byName.get(name);
    if (change === undefined) return diff?.complete === true ? sameText(name) : undefined;
    const runs = unchangedRuns(change);
    return runs && { name: change.previousName ?? name, runs };
  };
}

function moveBlock({ records, chance }: FlippingBlock, runs: readonly UnchangedRun[]): FlippingBlock | undefined {
  const moved = records.flatMap((record) => {
    const line = moveLine(record.line, runs);
    return line === undefined ? [] : [{ ...record, line }];
  });
  return moved.length === 0 ? undefined : { records: moved, chance };
}

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
