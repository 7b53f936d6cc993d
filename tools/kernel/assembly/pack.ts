// The streams of the stored form (server/src/report-codec) from columns of i32.

/** The longest run that its byte holds. */
const MAX_SHORT_RUN: u32 = 63;
/** From here on a number is in the stream of large ones, less this. */
const LARGE: i32 = 255;

const NEXT_BRANCH: u32 = 0;
const BLOCK_ZERO: u32 = 1;
const NEXT_BLOCK: u32 = 127;
const MAX_DISTANCE: i32 = 126;

@inline
function writeVarint(value: u32, at: usize): usize {
  let rest = value;
  let to = at;
  while (rest > 0x7f) {
    store<u8>(to, (rest & 0x7f) | 0x80);
    to += 1;
    rest >>>= 7;
  }
  store<u8>(to, rest);
  return to + 1;
}

/** Which of the four lanes at `at` differ from the one behind them. */
@inline
function changes(at: usize): u32 {
  return <u32>i32x4.bitmask(i32x4.ne(v128.load(at), v128.load(at, 4)));
}

/** Moves three parts, which stand `apart` bytes behind each other, together, and writes their lengths to `result`. */
function join(packed: usize, apart: usize, first: usize, second: usize, third: usize, result: usize): void {
  memory.copy(packed + first, packed + apart, second);
  memory.copy(packed + first + second, packed + 2 * apart, third);
  store<u32>(result, first);
  store<u32>(result, second, 4);
  store<u32>(result, third, 8);
}

/**
 * Packs `count` hits at `from`, which has room for one more, into `runs`, `values` and `large` at `packed`. Writes to
 * `result`: the lengths of the three parts, then how many lines are relevant and covered.
 *
 * Runs end where a lane differs from the next one: found 16 at a time, without a branch for each line.
 */
export function packHits(from: usize, count: u32, packed: usize, apart: usize, result: usize): void {
  const values = packed + apart;
  const large = packed + 2 * apart;
  let runsEnd = packed;
  let valuesEnd = values;
  let largeEnd = large;
  let relevant: u32 = 0;
  let covered: u32 = 0;
  let start: u32 = 0;
  const behind = from + (count << 2);
  store<i32>(behind, count === 0 ? 0 : load<i32>(behind - 4) ^ 1);
  for (let base: u32 = 0; base < count; base += 16) {
    const at = from + (base << 2);
    let ends = changes(at) | (changes(at + 16) << 4) | (changes(at + 32) << 8) | (changes(at + 48) << 12);
    if (count - base < 16) ends &= (1 << (count - base)) - 1;
    while (ends !== 0) {
      const index = base + ctz(ends);
      ends &= ends - 1;
      const length = index + 1 - start;
      const value = load<i32>(from + (index << 2));
      const kind: u32 = min<i32>(max<i32>(value, -1) + 1, 3);
      start = index + 1;
      relevant += length & ~(value >> 31);
      covered += length & (-value >> 31);
      if (length <= MAX_SHORT_RUN) {
        store<u8>(runsEnd, (length << 2) | kind);
        runsEnd += 1;
      } else {
        store<u8>(runsEnd, kind);
        runsEnd = writeVarint(length, runsEnd + 1);
      }
      store<u8>(valuesEnd, min<i32>(value, LARGE));
      valuesEnd += <usize>(kind === 3);
      if (value >= LARGE) largeEnd = writeVarint(value - LARGE, largeEnd);
    }
  }
  join(packed, apart, runsEnd - packed, valuesEnd - values, largeEnd - large, result);
  store<u32>(result, relevant, 12);
  store<u32>(result, covered, 16);
}

/**
 * Packs `count` branches, whose columns begin at `from` and stand `columns` bytes behind each other, into `keys`,
 * `values` and `large`. Writes to `result`: the lengths of the three parts, then how many branches are covered. Answers
 * false where a key is none of the usual ones.
 */
export function packBranches(
  from: usize,
  columns: usize,
  count: u32,
  packed: usize,
  apart: usize,
  result: usize,
): bool {
  const keys = packed;
  const values = packed + apart;
  const large = packed + 2 * apart;
  let line: i32 = 0;
  let block: i32 = 0;
  let branch: i32 = -1;
  let covered: u32 = 0;
  let largeEnd = large;
  for (let index: u32 = 0; index < count; index += 1) {
    const at = from + (index << 2);
    const distance = load<i32>(at) - line;
    const nextBlock = load<i32>(at + columns);
    const nextBranch = load<i32>(at + 2 * columns);
    const hits = load<i32>(at + 3 * columns);
    // i64, since the largest number has no next one in 32 bits.
    if (distance === 0 && nextBlock === block && <i64>nextBranch === <i64>branch + 1) {
      store<u8>(keys + index, NEXT_BRANCH);
    } else {
      if (nextBranch !== 0 || <u32>distance >= <u32>MAX_DISTANCE) return false;
      if (nextBlock === 0) store<u8>(keys + index, BLOCK_ZERO + distance);
      else if (<i64>nextBlock === <i64>block + 1) store<u8>(keys + index, NEXT_BLOCK + distance);
      else return false;
    }
    line += distance;
    block = nextBlock;
    branch = nextBranch;
    covered += <u32>(hits > 0);
    store<u8>(values + index, min<i32>(hits, LARGE));
    if (hits >= LARGE) largeEnd = writeVarint(hits - LARGE, largeEnd);
  }
  join(packed, apart, count, count, largeEnd - large, result);
  store<u32>(result, covered, 12);
  return true;
}
