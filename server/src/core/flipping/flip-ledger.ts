import type { Report } from '../coverage/file-coverage.ts';
import { normalizeFileName } from '../coverage/file-name.ts';
import type { Diff } from '../diff/file-diff.ts';
import { buildsSinceChange, DECIDING_BUILDS, type FlipRecord, newestBuilds, REMEMBERED_BUILDS } from './flip-record.ts';
import { followFiles } from './follow-files.ts';

/** For all files of a branch. */
export const MAX_RECORDS = 20_000;

/**
 * Records that one build may begin. More lines at once are not chance, but tests that were added, removed or left
 * out: they would take the room of lines that flip.
 */
export const MAX_BEGUN = 5_000;

/** Files of which it is remembered when they changed. */
const MAX_CHANGED_FILES = 20_000;

/** Builds that are older than this decide nothing; in ms. */
const MAX_AGE = 90 * 24 * 60 * 60 * 1_000;

/** A complete and trusted build of a branch, as its ledger knows it. */
export interface LedgerBuild {
  readonly id: number;
  /** Shown to people. */
  readonly number: string;
  readonly commit: string;
  /** When it was closed, in ms. */
  readonly at: number;
  /** Jobs that count. */
  readonly jobs: number;
  /** Names of its flags, sorted. */
  readonly flags: readonly string[];
}

/** Which lines of a branch changed their state in its last builds while their text stayed the same. */
export interface FlipLedger {
  /** At most REMEMBERED_BUILDS, the newest first. */
  readonly builds: readonly LedgerBuild[];
  /** Records by file, sorted by line, block and branch. A line that never changed its state has none. */
  readonly files: ReadonlyMap<string, readonly FlipRecord[]>;
  /** In how many of the newest builds the text of a file is the same; of a file that is not named, in `unchanged`. */
  readonly sameText: ReadonlyMap<string, number>;
  readonly unchanged: number;
  /** Builds since one in which more lines changed their state than were recorded; undefined: none that still counts. */
  readonly overflow: number | undefined;
}

/** What the next build of a branch adds to its ledger. */
export interface NextBuild {
  readonly build: LedgerBuild;
  readonly report: Report;
  /** The report of the newest build of the ledger. */
  readonly before: Report;
  /** From the newest build's commit to this one's; undefined if nobody knows it. */
  readonly diff: Diff | undefined;
}

/** The ledger of a branch that has one build. */
export function beginLedger(build: LedgerBuild): FlipLedger {
  return { builds: [build], files: new Map(), sameText: new Map(), unchanged: 1, overflow: undefined };
}

/** The ledger with the next build. Files of which the diff is not known lose their records: nothing is guessed. */
export function extendLedger(ledger: FlipLedger, { build, report, before, diff }: NextBuild): FlipLedger {
  const [last] = ledger.builds;
  const isSameTree = diff?.complete === true && diff.files.length === 0;
  const isProof = isSameTree && last !== undefined && last.jobs === build.jobs && sameNames(last.flags, build.flags);
  const { files, isOver } = followFiles({
    records: ledger.files,
    buildsOfText: (name) => buildsOfText(ledger, name),
    before,
    after: report,
    diff,
    isProof,
    room: Math.min(MAX_BEGUN, MAX_RECORDS - countRecords(ledger)),
  });
  const overflow = isOver ? 0 : ledger.overflow === undefined ? undefined : ledger.overflow + 1;
  return {
    builds: [build, ...ledger.builds].slice(0, REMEMBERED_BUILDS),
    files: withoutQuiet(files),
    // What changed without a record is not known before this build.
    ...(isOver ? NEW_TEXTS : followTexts(ledger, diff)),
    overflow: overflow !== undefined && overflow >= DECIDING_BUILDS ? undefined : overflow,
  };
}

function countRecords({ files }: FlipLedger): number {
  return [...files.values()].reduce((sum, records) => sum + records.length, 0);
}

/** The builds that decide, as a mask: the newest, and none that is too old. */
export function decidingBuilds({ builds }: FlipLedger, now: number): bigint {
  const recent = builds.findIndex(({ at }) => now - at > MAX_AGE);
  return newestBuilds(Math.min(DECIDING_BUILDS, recent < 0 ? builds.length : recent));
}

/** Known since how many builds the text of a file is what it is now. */
export function buildsOfText({ sameText, unchanged }: FlipLedger, name: string): number {
  return sameText.get(name) ?? unchanged;
}

function sameNames(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((name, at) => name === other[at]);
}

const NEW_TEXTS: Pick<FlipLedger, 'sameText' | 'unchanged'> = { sameText: new Map(), unchanged: 1 };

/** A list of changed files that is cut off, or too long, makes every text a new one. */
function followTexts(ledger: FlipLedger, diff: Diff | undefined): Pick<FlipLedger, 'sameText' | 'unchanged'> {
  const isKnown = diff?.complete === true;
  if (!isKnown || ledger.sameText.size + diff.files.length > MAX_CHANGED_FILES) return NEW_TEXTS;
  const unchanged = Math.min(ledger.unchanged + 1, REMEMBERED_BUILDS);
  const sameText = new Map(
    [...ledger.sameText]
      .map(([name, builds]) => [name, builds + 1] as const)
      .filter(([, builds]) => builds < unchanged),
  );
  for (const { name, previousName } of diff.files)
    for (const one of [name, previousName]) if (one !== undefined) sameText.set(normalizeFileName(one), 1);
  return { sameText, unchanged };
}

/** Without records that have not changed for long. */
function withoutQuiet(files: FlipLedger['files']): FlipLedger['files'] {
  const kept = new Map<string, readonly FlipRecord[]>();
  for (const [name, records] of files) {
    const active = records.filter((record) => buildsSinceChange(record) <= DECIDING_BUILDS);
    if (active.length > 0) kept.set(name, active.sort(compareRecords));
  }
  return kept;
}

/** By line, the line itself before its branches. */
export function compareRecords(a: Pick<FlipRecord, 'line' | 'arm'>, b: Pick<FlipRecord, 'line' | 'arm'>): number {
  const [ofA, ofB] = [a.arm ?? [-1, -1], b.arm ?? [-1, -1]];
  return a.line - b.line || ofA[0] - ofB[0] || ofA[1] - ofB[1];
}
