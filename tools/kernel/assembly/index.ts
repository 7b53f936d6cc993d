// Arrays of numbers in an upload's text, read and packed as the stored form has them (server/src/reports/codec).
// `npm run kernel` compiles this for server/src/reports/kernel.
import {
  alignDigits,
  areDigits,
  beforeComma,
  CLOSE_BRACKET,
  COMMA,
  digitsEnd,
  NO_TEXT,
  NULL,
  skipOneSpace,
  slowNumber,
  SPACE,
  toNumber,
  ZERO,
} from './numbers';
import { BLOCK_ZERO, join, LARGE, MAX_DISTANCE, NEXT_BLOCK, NEXT_BRANCH, writeRun, writeVarint } from './pack';

/** Behind the array that was read last; where one could not be read, the number or group at which it stopped. */
export let end: usize = 0;

function stop(at: usize): i32 {
  end = at;
  return -1;
}

/**
 * The array of hits whose numbers begin at `from`, as `runs`, `values` and `large` at `packed`; each may take `apart`
 * bytes. Answers how many lines there are, and writes to `result` the lengths of the three parts, then how many lines
 * are relevant and covered. -1 for anything but nulls and integers of up to nine digits, with no space behind any comma
 * or one behind each.
 *
 * A number is compared with the text of the one before it first: lines of a block have the same hits, and a run of them
 * is only counted.
 */
export function takeHits(from: usize, packed: usize, apart: usize, result: usize): i32 {
  let at = from;
  let runs = packed;
  let values = packed + apart;
  let large = packed + 2 * apart;
  let lines: u32 = 0;
  let relevant: u32 = 0;
  let covered: u32 = 0;
  let before: u64 = NO_TEXT;
  let mask: u64 = -1;
  let length: usize = 0;
  let value: i32 = -1;
  let run: u32 = 0;
  let isLast = <u32>load<u8>(at) === CLOSE_BRACKET;
  if (isLast) at += 1;
  while (!isLast) {
    const word = load<u64>(at);
    if (((word ^ before) & mask) === 0) {
      run += 1;
      at += length;
      continue;
    }
    let next: i32 = -1;
    const count = beforeComma(word);
    const isNull = <u32>word === NULL;
    const digits = isNull ? 0 : alignDigits(word, count);
    const isShort = count - 1 < 6 && areDigits(digits) && (count === 1 || (<u32>word & 0xff) !== ZERO);
    if (isShort && (!isNull || count === 4)) {
      next = isNull ? -1 : toNumber(digits);
      length = skipOneSpace(at + count + 1) - at;
      before = word;
      mask = <u64>-1 >> ((8 - <u64>length) << 3);
      at += length;
    } else {
      const start = at;
      at = isNull ? at + 4 : digitsEnd(at);
      if (at === start) return stop(start);
      if (!isNull) next = slowNumber(start, at);
      const separator = <u32>load<u8>(at);
      isLast = separator === CLOSE_BRACKET;
      if (!isLast && separator !== COMMA) return stop(start);
      at = isLast ? at + 1 : skipOneSpace(at + 1);
      before = NO_TEXT;
      mask = -1;
    }
    if (next === value) {
      run += 1;
      continue;
    }
    if (run > 0) {
      lines += run;
      relevant += run & ~(value >> 31);
      covered += run & (-value >> 31);
      runs = writeRun(run, value, runs);
      store<u8>(values, min<i32>(value, LARGE));
      values += <usize>(value > 1);
      if (value >= LARGE) large = writeVarint(value - LARGE, large);
    }
    value = next;
    run = 1;
  }
  if (run > 0) {
    lines += run;
    relevant += run & ~(value >> 31);
    covered += run & (-value >> 31);
    runs = writeRun(run, value, runs);
    store<u8>(values, min<i32>(value, LARGE));
    values += <usize>(value > 1);
    if (value >= LARGE) large = writeVarint(value - LARGE, large);
  }
  end = at;
  join(packed, apart, runs - packed, values - packed - apart, large - packed - 2 * apart, result);
  store<u32>(result, relevant, 12);
  store<u32>(result, covered, 16);
  return lines;
}

/**
 * The array of branches whose numbers begin at `from`, as `keys`, `values` and `large`, in the same way. Answers how
 * many there are, and writes how many are covered behind the lengths. -1 also where they are not groups of four in order
 * of their keys, each once, and where a key is none of the usual ones.
 *
 * Both branches of a line have the text of its number in common, and block and branch mostly one digit each.
 */
export function takeBranches(from: usize, packed: usize, apart: usize, result: usize): i32 {
  let at = from;
  let keys = packed;
  let values = packed + apart;
  let large = packed + 2 * apart;
  let covered: u32 = 0;
  let before: u64 = NO_TEXT;
  let mask: u64 = -1;
  let length: usize = 0;
  let line: i32 = 0;
  let block: i32 = 0;
  let branch: i32 = -1;
  let isLast = <u32>load<u8>(at) === CLOSE_BRACKET;
  if (isLast) at += 1;
  while (!isLast) {
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
    const pair = load<u32>(at);
    const digits = (pair & 0x00ff00ff) ^ 0x00300030;
    const areTwoDigits = ((digits + 0x00760076) & 0x00800080) === 0 && (digits & 0x00f000f0) === 0;
    if ((pair & 0xff00ff00) === 0x2c002c00 && areTwoDigits) {
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
    const distance = line - lastLine;
    let key: u32 = NEXT_BRANCH;
    // i64, since the largest number has no next one in 32 bits.
    if (distance !== 0 || block !== lastBlock || <i64>branch !== <i64>lastBranch + 1) {
      // Behind its line's last branch only a further block can begin at 0.
      if (branch !== 0 || <u32>distance >= <u32>MAX_DISTANCE) return stop(group);
      if (block === 0 && (distance > 0 || keys === packed)) key = BLOCK_ZERO + distance;
      else if (<i64>block === <i64>lastBlock + 1) key = NEXT_BLOCK + distance;
      else return stop(group);
    }
    const hitsWord = load<u64>(at);
    const count = beforeComma(hitsWord);
    const hitDigits = alignDigits(hitsWord, count);
    let hits: i32 = 0;
    if (count - 1 < 7 && areDigits(hitDigits) && (count === 1 || (<u32>hitsWord & 0xff) !== ZERO)) {
      hits = toNumber(hitDigits);
      at = skipOneSpace(at + count + 1);
    } else {
      const next = digitsEnd(at);
      if (next === at) return stop(group);
      hits = slowNumber(at, next);
      const separator = <u32>load<u8>(next);
      isLast = separator === CLOSE_BRACKET;
      if (!isLast && separator !== COMMA) return stop(group);
      at = isLast ? next + 1 : skipOneSpace(next + 1);
    }
    store<u8>(keys, key);
    keys += 1;
    covered += <u32>(hits > 0);
    store<u8>(values, min<i32>(hits, LARGE));
    values += 1;
    if (hits >= LARGE) large = writeVarint(hits - LARGE, large);
  }
  end = at;
  join(packed, apart, keys - packed, values - packed - apart, large - packed - 2 * apart, result);
  store<u32>(result, covered, 12);
  return <i32>(keys - packed);
}
