import { type Column, equalColumns, MAX_HITS, narrowColumn } from './column.ts';
import { type BranchColumns, NO_BRANCHES } from './file-coverage.ts';

const MAX_INT32 = 0x7fff_ffff;

/** Rule 6: the branches of both, joined by (line, block, branch), hits summed and saturated. */
export function addBranches(a: BranchColumns, b: BranchColumns): BranchColumns {
  if (a.hits.length === 0) return b;
  if (b.hits.length === 0) return a;
  if (equalKeys(a, b)) return { line: a.line, block: a.block, branch: a.branch, hits: addColumns(a.hits, b.hits) };
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
 * Branch columns from flat groups of four (line, block, branch, hits), in any order, repeated keys summed. The length is a
 * multiple of four, the values safe integers, line and hits 0 or more.
 */
export function branchesFromGroups(groups: ArrayLike<number>): BranchColumns {
  const count = groups.length / 4;
  if (count === 0) return NO_BRANCHES;
  return inOrder(groups) ? splitGroups(groups) : sortGroups(groups);
}

/** Whether the groups are sorted, each key once, and all numbers fit into 31 bits: what well-behaved clients send. */
function inOrder(groups: ArrayLike<number>): boolean {
  let line = -1;
  let block = 0;
  let branch = 0;
  for (let at = 0; at < groups.length; at += 4) {
    const nextLine = groups[at] as number;
    const nextBlock = groups[at + 1] as number;
    const nextBranch = groups[at + 2] as number;
    const ascends = nextLine - line || nextBlock - block || nextBranch - branch;
    if (!(ascends > 0) || nextLine > MAX_INT32 || (groups[at + 3] as number) > MAX_INT32) return false;
    if ((nextBlock | 0) !== nextBlock || (nextBranch | 0) !== nextBranch) return false;
    line = nextLine;
    block = nextBlock;
    branch = nextBranch;
  }
  return true;
}

function splitGroups(groups: ArrayLike<number>): BranchColumns {
  const count = groups.length / 4;
  const line = new Int32Array(count);
  const block = new Int32Array(count);
  const branch = new Int32Array(count);
  const hits = new Int32Array(count);
  for (let index = 0, at = 0; index < count; index += 1, at += 4) {
    line[index] = groups[at] as number;
    block[index] = groups[at + 1] as number;
    branch[index] = groups[at + 2] as number;
    hits[index] = groups[at + 3] as number;
  }
  return { line, block, branch, hits };
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

/** The saturated sum of two columns of equal length with values of 0 or more. */
function addColumns(a: Column, b: Column): Column {
  if (a instanceof Int32Array && b instanceof Int32Array) {
    const sum = new Int32Array(a.length);
    let overflow = 0;
    for (let index = 0; index < a.length; index += 1) {
      const added = ((a[index] as number) + (b[index] as number)) | 0;
      overflow |= added;
      sum[index] = added;
    }
    if (overflow >= 0) return sum;
  }
  return narrowColumn(Float64Array.from(a, (hits, index) => Math.min(hits + (b[index] as number), MAX_HITS)));
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
