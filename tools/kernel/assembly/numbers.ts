// Numbers of an upload's text. What it reads is followed by zeros, so that no loop runs over its end.
// `@inline` is the compiler's own: a call in these loops would cost more than what is called.

/** `null`, as four bytes of a little-endian word. */
const NULL: u32 = 0x6c6c756e;
const COMMA: u32 = 0x2c;
const CLOSE_BRACKET: u32 = 0x5d;
const SPACE: u32 = 0x20;
const ZERO: u32 = 0x30;

const ONES: u64 = 0x0101010101010101;
const HIGH_BITS: u64 = 0x8080808080808080;
const COMMAS: u64 = 0x2c2c2c2c2c2c2c2c;
const ZEROS: u64 = 0x3030303030303030;
/** Added to a digit of 0 to 9 it leaves the high bit clear. */
const ABOVE_NINE: u64 = 0x7676767676767676;

/** Equal to no text: UTF-8 has no such byte, and behind the text are zeros. */
const NO_TEXT: u64 = 0xffffffffffffffff;

/** A number of up to nine digits fits into 31 bits. */
const MAX_DIGITS: usize = 9;

/** Behind the array that was read last; where one could not be read, the number or group at which it stopped. */
export let end: usize = 0;

/** How many of the eight bytes stand before the first comma; 8: there is none. */
@inline
function beforeComma(word: u64): usize {
  const others = word ^ COMMAS;
  return <usize>(ctz((others - ONES) & ~others & HIGH_BITS) >> 3);
}

/** The first `count` bytes, 1 to 8, moved to the end of a word of zeros. */
@inline
function alignDigits(word: u64, count: usize): u64 {
  const shift: u64 = 64 - ((<u64>count) << 3);
  return (word << shift) ^ (ZEROS << shift);
}

@inline
function areDigits(digits: u64): bool {
  return ((digits | (digits + ABOVE_NINE)) & HIGH_BITS) === 0;
}

/** The number of eight digits: pairs, then fours, then all. */
@inline
function toNumber(digits: u64): u32 {
  const pairs = ((digits * 2561) >> 8) & 0x00ff00ff00ff00ff;
  const fours = ((pairs * 6553601) >> 16) & 0x0000ffff0000ffff;
  return <u32>((fours * 42949672960001) >> 32);
}

/** Where the digits at `at` end; `at` itself when they are none, too many or begin with a 0 that is not all. */
@inline
function digitsEnd(at: usize): usize {
  let place = at;
  while ((<u32>load<u8>(place) ^ ZERO) <= 9) place += 1;
  const isWhole = place - at <= MAX_DIGITS && (place - at === 1 || <u32>load<u8>(at) !== ZERO);
  return isWhole ? place : at;
}

function slowNumber(at: usize, until: usize): i32 {
  let value: u32 = 0;
  for (let place = at; place < until; place += 1) value = value * 10 + (<u32>load<u8>(place) ^ ZERO);
  return value;
}

@inline
export function stop(at: usize): i32 {
  end = at;
  return -1;
}

/** Behind one space, as Python writes it after a comma. */
@inline
function skipOneSpace(at: usize): usize {
  return at + <usize>(<u32>load<u8>(at) === SPACE);
}

/**
 * The array of hits whose numbers begin at `from`, to i32 at `to`, null as -1. Answers how many; -1 for anything but
 * nulls and integers of up to nine digits, with no space behind any comma or one behind each.
 *
 * A number is compared with the text of the one before it first: lines of a block have the same hits.
 */
export function readHits(from: usize, to: usize): i32 {
  let at = from;
  let out = to;
  let before: u64 = NO_TEXT;
  let mask: u64 = -1;
  let length: usize = 0;
  let value: i32 = 0;
  if (<u32>load<u8>(at) === CLOSE_BRACKET) {
    end = at + 1;
    return 0;
  }
  while (true) {
    const word = load<u64>(at);
    if (((word ^ before) & mask) === 0) {
      store<i32>(out, value);
      out += 4;
      at += length;
      continue;
    }
    const count = beforeComma(word);
    // A word of no digits is a 0 too, and a comma alone is no number.
    if (count - 1 < 6) {
      const isNull = <u32>word === NULL && count === 4;
      const digits = isNull ? 0 : alignDigits(word, count);
      if (areDigits(digits) && (count === 1 || (<u32>word & 0xff) !== ZERO)) {
        value = isNull ? -1 : toNumber(digits);
        store<i32>(out, value);
        out += 4;
        length = skipOneSpace(at + count + 1) - at;
        before = word;
        mask = <u64>-1 >> ((8 - <u64>length) << 3);
        at += length;
        continue;
      }
    }
    let next = at;
    if (<u32>word === NULL) {
      next = at + 4;
      value = -1;
    } else {
      next = digitsEnd(at);
      if (next === at) return stop(at);
      value = slowNumber(at, next);
    }
    store<i32>(out, value);
    out += 4;
    const separator = <u32>load<u8>(next);
    if (separator === CLOSE_BRACKET) {
      end = next + 1;
      return <i32>((out - to) >> 2);
    }
    if (separator !== COMMA) return stop(at);
    at = skipOneSpace(next + 1);
    before = NO_TEXT;
    mask = -1;
  }
}

/**
 * The array of branches whose numbers begin at `from`, to four columns of i32, each `apart` bytes behind the one
 * before: line, block, branch, hits. Answers how many branches; -1 for anything but groups of four integers as of
 * readHits, in order of their keys, each once.
 *
 * Both branches of a line have the text of its number in common, and block and branch mostly one digit each.
 */
export function readBranches(from: usize, to: usize, apart: usize): i32 {
  let at = from;
  let out = to;
  let before: u64 = NO_TEXT;
  let mask: u64 = -1;
  let length: usize = 0;
  let line: i32 = -1;
  let block: i32 = 0;
  let branch: i32 = 0;
  if (<u32>load<u8>(at) === CLOSE_BRACKET) {
    end = at + 1;
    return 0;
  }
  while (true) {
    const group = at;
    const lastLine = line;
    const lastBlock = block;
    const lastBranch = branch;
    const word = load<u64>(at);
    if (((word ^ before) & mask) === 0) at += length;
    else {
      const next = digitsEnd(at);
      if (next === at || <u32>load<u8>(next) !== COMMA) return stop(group);
      line = slowNumber(at, next);
      length = skipOneSpace(next + 1) - at;
      before = length > 8 ? NO_TEXT : word;
      mask = length > 7 ? <u64>-1 : ((<u64>1) << ((<u64>length) << 3)) - 1;
      at += length;
    }
    const keys = load<u32>(at);
    const digits = (keys & 0x00ff00ff) ^ 0x00300030;
    const areTwoDigits = ((digits + 0x00760076) & 0x00800080) === 0 && (digits & 0x00f000f0) === 0;
    if ((keys & 0xff00ff00) === 0x2c002c00 && areTwoDigits) {
      block = digits & 0xff;
      branch = digits >>> 16;
      at += 4;
      if (<u32>load<u8>(at) === SPACE) return stop(group);
    } else {
      let next = digitsEnd(at);
      if (next === at || <u32>load<u8>(next) !== COMMA) return stop(group);
      block = slowNumber(at, next);
      at = skipOneSpace(next + 1);
      next = digitsEnd(at);
      if (next === at || <u32>load<u8>(next) !== COMMA) return stop(group);
      branch = slowNumber(at, next);
      at = skipOneSpace(next + 1);
    }
    const rises =
      line > lastLine ||
      (line === lastLine && (block > lastBlock || (block === lastBlock && branch > lastBranch)));
    if (!rises) return stop(group);
    store<i32>(out, line);
    store<i32>(out + apart, block);
    store<i32>(out + 2 * apart, branch);
    const hitsWord = load<u64>(at);
    const count = beforeComma(hitsWord);
    const hitDigits = alignDigits(hitsWord, count);
    if (count - 1 < 7 && areDigits(hitDigits) && (count === 1 || (<u32>hitsWord & 0xff) !== ZERO)) {
      store<i32>(out + 3 * apart, toNumber(hitDigits));
      out += 4;
      at = skipOneSpace(at + count + 1);
      continue;
    }
    const next = digitsEnd(at);
    if (next === at) return stop(group);
    store<i32>(out + 3 * apart, slowNumber(at, next));
    out += 4;
    const separator = <u32>load<u8>(next);
    if (separator === CLOSE_BRACKET) {
      end = next + 1;
      return <i32>((out - to) >> 2);
    }
    if (separator !== COMMA) return stop(group);
    at = skipOneSpace(next + 1);
  }
}
