// What numbers of an upload's text are. The text is followed by zeros, so that no loop runs over its end.
// `@inline` is the compiler's own: a call in these loops would cost more than what is called.

/** `null`, as four bytes of a little-endian word. */
export const NULL: u32 = 0x6c6c756e;
export const COMMA: u32 = 0x2c;
export const CLOSE_BRACKET: u32 = 0x5d;
export const SPACE: u32 = 0x20;
export const ZERO: u32 = 0x30;

export const ONES: u64 = 0x0101010101010101;
export const HIGH_BITS: u64 = 0x8080808080808080;
export const COMMAS: u64 = 0x2c2c2c2c2c2c2c2c;
export const ZEROS: u64 = 0x3030303030303030;
/** Added to a digit of 0 to 9 it leaves the high bit clear. */
export const ABOVE_NINE: u64 = 0x7676767676767676;

/** Equal to no text: UTF-8 has no such byte, and behind the text are zeros. */
export const NO_TEXT: u64 = 0xffffffffffffffff;

/** A number of up to nine digits fits into 31 bits. */
export const MAX_DIGITS: usize = 9;

/** How many of the eight bytes stand before the first comma; 8: there is none. */
@inline
export function beforeComma(word: u64): usize {
  const others = word ^ COMMAS;
  return <usize>(ctz((others - ONES) & ~others & HIGH_BITS) >> 3);
}

/** The first `count` bytes, 1 to 8, moved to the end of a word of zeros. */
@inline
export function alignDigits(word: u64, count: usize): u64 {
  const shift: u64 = 64 - ((<u64>count) << 3);
  return (word << shift) ^ (ZEROS << shift);
}

@inline
export function areDigits(digits: u64): bool {
  return ((digits | (digits + ABOVE_NINE)) & HIGH_BITS) === 0;
}

/** The number of eight digits: pairs, then fours, then all. */
@inline
export function toNumber(digits: u64): u32 {
  const pairs = ((digits * 2561) >> 8) & 0x00ff00ff00ff00ff;
  const fours = ((pairs * 6553601) >> 16) & 0x0000ffff0000ffff;
  return <u32>((fours * 42949672960001) >> 32);
}

/** Where the digits at `at` end; `at` itself when they are none, too many or begin with a 0 that is not all. */
@inline
export function digitsEnd(at: usize): usize {
  let place = at;
  while ((<u32>load<u8>(place) ^ ZERO) <= 9) place += 1;
  const isWhole = place - at <= MAX_DIGITS && (place - at === 1 || <u32>load<u8>(at) !== ZERO);
  return isWhole ? place : at;
}

export function slowNumber(at: usize, until: usize): i32 {
  let value: u32 = 0;
  for (let place = at; place < until; place += 1) value = value * 10 + (<u32>load<u8>(place) ^ ZERO);
  return value;
}

/** Behind one space, as Python writes it after a comma. */
@inline
export function skipOneSpace(at: usize): usize {
  return at + <usize>(<u32>load<u8>(at) === SPACE);
}
