// What server/src/kernel calls. `npm run kernel` compiles it.
import { readBranches, readHits, stop } from './numbers';
import { packBranches, packHits } from './pack';

export { end } from './numbers';

/**
 * Reads hits (readHits) by way of `numbers` and packs them (packHits). Answers how many lines they have, or -1.
 */
export function takeHits(from: usize, numbers: usize, packed: usize, apart: usize, result: usize): i32 {
  const count = readHits(from, numbers);
  if (count >= 0) packHits(numbers, count, packed, apart, result);
  return count;
}

/** The same of branches, whose columns stand `columns` bytes behind each other meanwhile. */
export function takeBranches(
  from: usize,
  numbers: usize,
  columns: usize,
  packed: usize,
  apart: usize,
  result: usize,
): i32 {
  const count = readBranches(from, numbers, columns);
  if (count < 0 || packBranches(numbers, columns, count, packed, apart, result)) return count;
  return stop(from);
}
