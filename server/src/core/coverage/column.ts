/**
 * A column of integers: Int32Array, or Float64Array where a value does not fit into 31 bits. Never an array of objects,
 * so that a report of a million lines is a handful of allocations.
 */
export type Column = Int32Array | Float64Array;

/** Sums saturate here (rule 6): the largest integer that a double holds exactly. */
export const MAX_HITS = Number.MAX_SAFE_INTEGER;

/** Marks a line that is not relevant in a hits column. */
export const NOT_RELEVANT = -1;

const MAX_INT32 = 0x7fff_ffff;
const MIN_INT32 = -0x8000_0000;

/** The same values in the narrowest column, so that equal contents are equal in kind too. */
export function narrowColumn(column: Column): Column {
  return column instanceof Float64Array && fitsInt32(column) ? new Int32Array(column) : column;
}

/**
 * Writes a safe integer into the column, or into a wider copy where it does not fit; answers the column to continue
 * with.
 */
export function putValue(column: Column, index: number, value: number): Column {
  const fitting = (value | 0) === value || column instanceof Float64Array ? column : new Float64Array(column);
  fitting[index] = value;
  return fitting;
}

/** Whether both columns hold the same numbers. */
export function equalColumns(a: Column, b: Column): boolean {
  if (a === b) return true;
  if (a.length !== b.length) return false;
  for (let index = 0; index < a.length; index += 1) {
    if (a[index] !== b[index]) return false;
  }
  return true;
}

function fitsInt32(values: ArrayLike<number>): boolean {
  for (let index = 0; index < values.length; index += 1) {
    const value = values[index] as number;
    if (value > MAX_INT32 || value < MIN_INT32) return false;
  }
  return true;
}
