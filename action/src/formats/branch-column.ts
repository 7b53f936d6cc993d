import { addHits } from './hits-text.ts';
import { NumberColumn } from './number-column.ts';

/** Numbers of one branch: line, block, branch, hits. */
const WIDTH = 4;
const FIRST_JOIN = 1 << 10;

/** Takes one branch. */
export type VisitBranch = (line: number, block: number, branch: number, hits: number) => void;

/** The branches of one source file while they are read: flat groups of four, with keys that may come again. */
export class BranchColumn {
  #groups = new NumberColumn();
  #joinAt = FIRST_JOIN;

  /** Memory that it holds. */
  get bytes(): number {
    return this.#groups.bytes;
  }

  /** Adds hits to the branch of a key: line, block and branch. */
  add(line: number, block: number, branch: number, hits: number): void {
    if (this.#groups.length >= this.#joinAt) this.#join();
    const groups = this.#groups;
    const at = groups.length;
    groups.set(at, line);
    groups.set(at + 1, block);
    groups.set(at + 2, branch);
    groups.set(at + 3, hits);
  }

  /** Each key once, in their order, with its hits summed. */
  each(visit: VisitBranch): void {
    if (!this.#isInOrder()) this.#join();
    const groups = this.#groups;
    for (let at = 0; at < groups.length; at += WIDTH)
      visit(groups.at(at), groups.at(at + 1), groups.at(at + 2), groups.at(at + 3));
  }

  /** A file may come a million times: what repeats is joined whenever there is twice as much. */
  #join(): void {
    if (!this.#isInOrder()) this.#groups = joined(this.#groups);
    this.#joinAt = Math.max(FIRST_JOIN, this.#groups.length * 2);
  }

  #isInOrder(): boolean {
    const groups = this.#groups;
    for (let at = WIDTH; at < groups.length; at += WIDTH) if (compareKeys(groups, at - WIDTH, at) >= 0) return false;
    return true;
  }
}

function joined(groups: NumberColumn): NumberColumn {
  const starts = Uint32Array.from({ length: groups.length / WIDTH }, (_, index) => index * WIDTH);
  starts.sort((a, b) => compareKeys(groups, a, b));
  const result = new NumberColumn();
  let previous = -1;
  for (const start of starts) {
    const hits = groups.at(start + 3);
    const at = result.length;
    if (previous >= 0 && compareKeys(groups, previous, start) === 0) {
      result.set(at - 1, addHits(result.at(at - 1), hits));
    } else {
      for (let key = 0; key < 3; key += 1) result.set(at + key, groups.at(start + key));
      result.set(at + 3, hits);
    }
    previous = start;
  }
  return result;
}

function compareKeys(groups: NumberColumn, a: number, b: number): number {
  return groups.at(a) - groups.at(b) || groups.at(a + 1) - groups.at(b + 1) || groups.at(a + 2) - groups.at(b + 2);
}
