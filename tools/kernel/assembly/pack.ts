// Parts of the streams of the stored form: server/src/reports/codec/hits-column.ts and branch-columns.ts say what is what.

/** The longest run that its byte holds. */
const MAX_SHORT_RUN: u32 = 63;
/** From here on a number is in the stream of large ones, less this. */
export const LARGE: i32 = 255;

export const NEXT_BRANCH: u32 = 0;
export const BLOCK_ZERO: u32 = 1;
export const NEXT_BLOCK: u32 = 127;
export const MAX_DISTANCE: i32 = 126;

@inline
export function writeVarint(value: u32, at: usize): usize {
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

/** So many lines with these hits. */
@inline
export function writeRun(length: u32, hits: i32, at: usize): usize {
  const kind: u32 = min<i32>(hits + 1, 3);
  if (length > MAX_SHORT_RUN) {
    store<u8>(at, kind);
    return writeVarint(length, at + 1);
  }
  store<u8>(at, (length << 2) | kind);
  return at + 1;
}

/** Moves three parts, which stand `apart` bytes behind each other, together, and writes their lengths to `result`. */
export function join(packed: usize, apart: usize, first: usize, second: usize, third: usize, result: usize): void {
  memory.copy(packed + first, packed + apart, second);
  memory.copy(packed + first + second, packed + 2 * apart, third);
  store<u32>(result, first);
  store<u32>(result, second, 4);
  store<u32>(result, third, 8);
}
