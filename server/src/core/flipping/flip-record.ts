/** How many builds of a branch a record remembers. */
export const REMEMBERED_BUILDS = 64;

/** How many builds decide whether a line flips. */
export const DECIDING_BUILDS = 50;

/** How many changes of state make a line flip: a test that breaks and is fixed makes two. */
const MIN_CHANGES = 3;

/** A longer stay in the rarer state is a change of the tests, not chance; in builds. */
const MAX_STAY = 5;

/**
 * The states of one line, or of one branch, in the last builds of a branch of git. Each mask has a bit for a build, the
 * newest lowest, and the text of the line is the same in all that are known.
 */
export interface FlipRecord {
  /** 1-based, in the text of the newest build. */
  readonly line: number;
  /** Block and branch of a branch of code; undefined: the line itself. */
  readonly arm: readonly [block: number, branch: number] | undefined;
  /** How many lines before it are not relevant: those do not part it from the line before them. */
  readonly gap: number;
  /** The builds that cover it. */
  readonly covered: bigint;
  /** The builds that measured it. */
  readonly known: bigint;
  /** The builds that differ in it from one of the same tree, flags and number of jobs: only chance does that. */
  readonly proven: bigint;
}

/** The builds that count, as a mask: the newest `count`. */
export function newestBuilds(count: number): bigint {
  return (1n << BigInt(Math.max(0, Math.min(count, REMEMBERED_BUILDS)))) - 1n;
}

/** A record that ends in a change: `age` builds before were all in the other state. */
export function beginRecord(
  at: Pick<FlipRecord, 'line' | 'arm' | 'gap'>,
  { isCovered, isProven, age }: { readonly isCovered: boolean; readonly isProven: boolean; readonly age: number },
): FlipRecord {
  const known = newestBuilds(age + 1);
  return { ...at, covered: isCovered ? 1n : known - 1n, known, proven: isProven ? 1n : 0n };
}

/** The record with one more build: covered, missed, or not measured (undefined). `isProven`: a change proves chance. */
export function extendRecord(record: FlipRecord, isCovered: boolean | undefined, isProven: boolean): FlipRecord {
  const next = (mask: bigint, bit: boolean): bigint =>
    BigInt.asUintN(REMEMBERED_BUILDS, (mask << 1n) | (bit ? 1n : 0n));
  const differs = isCovered !== undefined && (record.known & 1n) === 1n && isCovered !== ((record.covered & 1n) === 1n);
  return {
    ...record,
    covered: next(record.covered, isCovered === true),
    known: next(record.known, isCovered !== undefined),
    proven: next(record.proven, differs && isProven),
  };
}

/** The record with another state in its newest build, to which a late job came. */
export function restateNewest(record: FlipRecord, isCovered: boolean | undefined): FlipRecord {
  const set = (mask: bigint, bit: boolean): bigint => (mask & ~1n) | (bit ? 1n : 0n);
  return {
    ...record,
    covered: set(record.covered, isCovered === true),
    known: set(record.known, isCovered !== undefined),
  };
}

type Masks = Pick<FlipRecord, 'covered' | 'known'>;

/** The builds among some that know its state, each by how many builds came after it; the newest first. */
export function knownBuilds({ known }: Pick<Masks, 'known'>, among: bigint): readonly number[] {
  const builds: number[] = [];
  visitBits(known & among, (at) => builds.push(at));
  return builds;
}

/** The known states among some builds, the newest first. */
export function statesOf({ covered, known }: Masks, among: bigint): readonly boolean[] {
  const [low, high] = halvesOf(covered);
  const states: boolean[] = [];
  visitBits(known & among, (at) => states.push((((at < 32 ? low : high) >>> (at & 31)) & 1) === 1));
  return states;
}

/** In halves, since numbers are counted many times faster than a bigint. */
function visitBits(mask: bigint, visit: (at: number) => void): void {
  for (const [half, bits] of halvesOf(mask).entries())
    for (let left = bits, at = half * 32; left !== 0; left >>>= 1, at += 1) if ((left & 1) === 1) visit(at);
}

function halvesOf(mask: bigint): readonly [low: number, high: number] {
  return [Number(BigInt.asUintN(32, mask)), Number(mask >> 32n)];
}

/** Lengths of the stays in one state after another, the newest first. */
function staysOf(states: readonly boolean[]): readonly { readonly isCovered: boolean; readonly builds: number }[] {
  const stays: { isCovered: boolean; builds: number }[] = [];
  for (const isCovered of states) {
    const last = stays.at(-1);
    if (last?.isCovered === isCovered) last.builds += 1;
    else stays.push({ isCovered, builds: 1 });
  }
  return stays;
}

/**
 * Whether it flips without a change of its text: two builds of the same tree prove it, or its state changed three times
 * at short stays in the rarer state. `among`: the builds that decide.
 */
export function isFlipping(record: FlipRecord, among: bigint): boolean {
  if ((record.proven & among) !== 0n) return true;
  const states = statesOf(record, among);
  const covered = states.filter(Boolean).length;
  const missed = states.length - covered;
  const stays = staysOf(states);
  return (
    (covered <= missed && changesAtShortStays(stays, true) >= MIN_CHANGES) ||
    (missed <= covered && changesAtShortStays(stays, false) >= MIN_CHANGES)
  );
}

/** Changes of state into or out of a short stay in one of the states. */
function changesAtShortStays(stays: ReturnType<typeof staysOf>, isCovered: boolean): number {
  return stays.slice(1).filter((stay, at) => {
    const rare = stay.isCovered === isCovered ? stay : stays[at];
    return (rare?.builds ?? 0) <= MAX_STAY;
  }).length;
}

/** How many known builds have gone by since its state changed; all of them if it never did. */
export function buildsSinceChange(record: FlipRecord): number {
  return staysOf(statesOf(record, newestBuilds(REMEMBERED_BUILDS)))[0]?.builds ?? 0;
}

/** In which build its state changed last, by how many came after it; undefined: in none of those. */
export function lastFlip(record: FlipRecord, among: bigint): number | undefined {
  const [newest, before] = staysOf(statesOf(record, among));
  return newest && before && knownBuilds(record, among)[newest.builds - 1];
}

/** The chance that a build covers it, by these states. Never 0 or 1. */
export function chanceToCover(states: readonly boolean[]): number {
  return (states.filter(Boolean).length + 0.5) / (states.length + 1);
}
