import { type Column, equalColumns, MAX_HITS, narrowColumn } from './column.ts';
import { type BranchColumns, NO_BRANCHES } from './file-coverage.ts';

/** Rule 6: the branches of all, joined by (line, block, branch), hits summed and saturated. */
export function mergeBranches(all: readonly BranchColumns[]): BranchColumns {
  const some = all.filter((branches) => branches.hits.length > 0);
  const [first, ...others] = some;
  if (first === undefined) return NO_BRANCHES;
  if (others.length === 0) return first;
  // The legs of a matrix have the same branches: then only hits are added.
  const hits = sumAlike(first, others);
  if (hits !== undefined) return { ...first, hits };
  if (others.every((branches) => equalKeys(first, branches)))
    return { ...first, hits: sumColumns(some.map((branches) => branches.hits)) };
  return some.reduce(joinBranches);
}

/**
 * The hits of branches with the same keys, compared and added in one pass, which takes a quarter of the time of a pass
 * for each column. Undefined if keys differ, or where a number does not fit into 31 bits.
 */
function sumAlike(first: BranchColumns, others: readonly BranchColumns[]): Int32Array | undefined {
  const { line, block, branch, hits } = first;
  if (!(isNarrow(first) && others.every((other) => isNarrow(other) && other.hits.length === hits.length)))
    return undefined;
  const sum = new Int32Array(hits);
  for (const other of others) {
    const { line: lines, block: blocks, branch: branches, hits: added } = other;
    let differences = 0;
    let overflow = 0;
    for (let index = 0; index < sum.length; index += 1) {
      differences |=
        ((line[index] as number) ^ (lines[index] as number)) |
        ((block[index] as number) ^ (blocks[index] as number)) |
        ((branch[index] as number) ^ (branches[index] as number));
      const total = ((sum[index] as number) + (added[index] as number)) | 0;
      overflow |= total;
      sum[index] = total;
    }
    if (differences !== 0 || overflow < 0) return undefined;
  }
  return sum;
}

function isNarrow({ line, block, branch, hits }: BranchColumns): boolean {
  return (
    line instanceof Int32Array &&
    block instanceof Int32Array &&
    branch instanceof Int32Array &&
    hits instanceof Int32Array
  );
}

function joinBranches(a: BranchColumns, b: BranchColumns): BranchColumns {
  const merged = new BranchWriter(a.hits.length + b.hits.length);
  let i = 0;
  let j = 0;
  while (i < a.hits.length || j < b.hits.length) {
    const order = i >= a.hits.length ? 1 : j >= b.hits.length ? -1 : compareBranchKeys(a, i, b, j);
    if (order < 0) merged.append(a, i, a.hits[i] as number);
    else if (order > 0) merged.append(b, j, b.hits[j] as number);
    else merged.append(a, i, Math.min((a.hits[i] as number) + (b.hits[j] as number), MAX_HITS));
    if (order <= 0) i += 1;
    if (order >= 0) j += 1;
  }
  return merged.finish();
}

/**
 * Branch columns from flat groups of four (line, block, branch, hits), in any order, repeated keys summed. The length
 * is a multiple of four, the values safe integers, line and hits 0 or more.
 */
export function branchesFromGroups(groups: ArrayLike<number>): BranchColumns {
  if (groups.length === 0) return NO_BRANCHES;
  return splitGroups(groups, new Int32Array(groups.length)) ?? sortGroups(groups);
}

/**
 * Groups that are sorted, each key once, all numbers within 31 bits, as well-behaved clients send them, as columns
 * within `room`, which has their length; else undefined.
 */
export function splitGroups(groups: ArrayLike<number>, room: Int32Array): BranchColumns | undefined {
  const count = groups.length / 4;
  let lastLine = -1;
  let lastBlock = 0;
  let lastBranch = 0;
  for (let index = 0, at = 0; index < count; index += 1, at += 4) {
    const line = groups[at] as number;
    const block = groups[at + 1] as number;
    const branch = groups[at + 2] as number;
    const hits = groups[at + 3] as number;
    const fits = (line | 0) === line && (block | 0) === block && (branch | 0) === branch && (hits | 0) === hits;
    const rises =
      line > lastLine || (line === lastLine && (block > lastBlock || (block === lastBlock && branch > lastBranch)));
    if (!fits || !rises) return undefined;
    room[index] = line;
    room[count + index] = block;
    room[2 * count + index] = branch;
    room[3 * count + index] = hits;
    lastLine = line;
    lastBlock = block;
    lastBranch = branch;
  }
  const column = (part: number): Int32Array => new Int32Array(room.buffer, room.byteOffset + 4 * part * count, count);
  return { line: column(0), block: column(1), branch: column(2), hits: column(3) };
}

function sortGroups(groups: ArrayLike<number>): BranchColumns {
  const count = groups.length / 4;
  const at = (index: number, part: number): number => groups[index * 4 + part] as number;
  const order = Array.from({ length: count }, (_, index) => index).sort(
    (a, b) => at(a, 0) - at(b, 0) || at(a, 1) - at(b, 1) || at(a, 2) - at(b, 2),
  );
  const raw: BranchColumns = {
    line: Float64Array.from(order, (index) => at(index, 0)),
    block: Float64Array.from(order, (index) => at(index, 1)),
    branch: Float64Array.from(order, (index) => at(index, 2)),
    hits: Float64Array.from(order, (index) => at(index, 3)),
  };
  const merged = new BranchWriter(count);
  for (let index = 0; index < count; index += 1) merged.append(raw, index, raw.hits[index] as number);
  return merged.finish();
}

function equalKeys(a: BranchColumns, b: BranchColumns): boolean {
  return equalColumns(a.line, b.line) && equalColumns(a.block, b.block) && equalColumns(a.branch, b.branch);
}

/** The saturated sum of columns of equal length with values of 0 or more. */
function sumColumns(columns: readonly Column[]): Column {
  const [first, ...others] = columns as readonly [Column, ...Column[]];
  if (others.length === 0) return first;
  return sumNarrow(first, others) ?? sumWide(first, others);
}

/** Undefined when a sum does not fit into 31 bits. */
function sumNarrow(first: Column, others: readonly Column[]): Int32Array | undefined {
  if (first instanceof Float64Array) return undefined;
  const sum = new Int32Array(first);
  let overflow = 0;
  for (const column of others) {
    if (column instanceof Float64Array) return undefined;
    for (let index = 0; index < sum.length; index += 1) {
      const added = ((sum[index] as number) + (column[index] as number)) | 0;
      overflow |= added;
      sum[index] = added;
    }
  }
  return overflow < 0 ? undefined : sum;
}

function sumWide(first: Column, others: readonly Column[]): Column {
  const sum = new Float64Array(first);
  for (const column of others) {
    for (let index = 0; index < sum.length; index += 1) {
      sum[index] = Math.min((sum[index] as number) + (column[index] as number), MAX_HITS);
    }
  }
  return narrowColumn(sum);
}

function compareBranchKeys(a: BranchColumns, i: number, b: BranchColumns, j: number): number {
  return (
    (a.line[i] as number) - (b.line[j] as number) ||
    (a.block[i] as number) - (b.block[j] as number) ||
    (a.branch[i] as number) - (b.branch[j] as number)
  );
}

/** Appends branches in key order; a key equal to the last one is summed into it. */
class BranchWriter {
  readonly #columns: Record<keyof BranchColumns, Float64Array>;
  #length = 0;

  constructor(capacity: number) {
    this.#columns = {
      line: new Float64Array(capacity),
      block: new Float64Array(capacity),
      branch: new Float64Array(capacity),
      hits: new Float64Array(capacity),
    };
  }

  append(from: BranchColumns, index: number, hits: number): void {
    const last = this.#length - 1;
    if (last >= 0 && compareBranchKeys(this.#columns, last, from, index) === 0) {
      this.#columns.hits[last] = Math.min((this.#columns.hits[last] as number) + hits, MAX_HITS);
      return;
    }
    this.#columns.line[this.#length] = from.line[index] as number;
    this.#columns.block[this.#length] = from.block[index] as number;
    this.#columns.branch[this.#length] = from.branch[index] as number;
    this.#columns.hits[this.#length] = hits;
    this.#length += 1;
  }

  finish(): BranchColumns {
    const cut = (column: Float64Array): Column => narrowColumn(column.slice(0, this.#length));
    return {
      line: cut(this.#columns.line),
      block: cut(this.#columns.block),
      branch: cut(this.#columns.branch),
      hits: cut(this.#columns.hits),
    };
  }
}
