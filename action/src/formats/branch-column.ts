import { addHits, MAX_HITS } from './hits-text.ts';
import { LARGEST_SMALL, NumberColumn } from './number-column.ts';

/** Numbers of one branch: line, block, branch, hits. */
export const WIDTH = 4;
const FIRST_JOIN = 1 << 10;

/** Takes one branch. */
export type VisitBranch = (line: number, block: number, branch: number, hits: number) => void;

/** The branches of one source file while they are read: flat groups of four, with keys that may come again. */
export class BranchColumn {
  #groups = new NumberColumn();
  /** How many numbers are known to be in order. */
  #joined = 0;
  /** Among those in order, the one that is expected now. */
  #next = 0;

  /** Memory that it holds. */
  get bytes(): number {
    return this.#groups.bytes;
  }

  /** Flat groups of four, in the order in which they were added. */
  get groups(): NumberColumn {
    return this.#groups;
  }

  /** A group that begins before it may be written directly. */
  get room(): number {
    return Math.min(this.#groups.small.length - WIDTH + 1, Math.max(FIRST_JOIN, this.#joined * 2));
  }

  /** Adds hits to the branch of a key: line, block and branch. */
  add(line: number, block: number, branch: number, hits: number): void {
    if (this.#addToNext(line, block, branch, hits)) return;
    if (this.#groups.length >= Math.max(FIRST_JOIN, this.#joined * 2)) this.#join();
    this.#groups.pushFour(line, block, branch, hits);
  }

  /** Each key once, in their order, with its hits summed. */
  each(visit: VisitBranch): void {
    const { values, length } = this.joined();
    for (let at = 0; at < length; at += WIDTH)
      visit(values[at] as number, values[at + 1] as number, values[at + 2] as number, values[at + 3] as number);
  }

  /** The groups with each key once, in their order. */
  joined(): NumberColumn {
    this.#join();
    return this.#groups;
  }

  clear(): void {
    this.#groups.clear();
    this.#joined = 0;
    this.#next = 0;
  }

  /**
   * A file that comes again has the same branches in the same order. To sort them each time was a quarter of what it
   * took to merge ten reports.
   */
  #addToNext(line: number, block: number, branch: number, hits: number): boolean {
    if (this.#joined === 0) return false;
    if (this.#next >= this.#joined) this.#next = 0;
    const { values } = this.#groups;
    const at = this.#next;
    if (values[at] !== line || values[at + 1] !== block || values[at + 2] !== branch) return false;
    const sum = (values[at + 3] as number) + hits;
    if (sum <= LARGEST_SMALL) values[at + 3] = sum;
    else this.#groups.set(at + 3, Math.min(sum, MAX_HITS));
    this.#next = at + WIDTH;
    return true;
  }

  /** A file may come a million times: what repeats is joined whenever there is twice as much. */
  #join(): void {
    if (this.#groups.length === this.#joined) return;
    if (!isInOrder(this.#groups)) this.#groups = joined(this.#groups);
    this.#joined = this.#groups.length;
  }
}

function isInOrder({ values, length }: NumberColumn): boolean {
  for (let at = WIDTH; at < length; at += WIDTH) if (compareKeys(values, at - WIDTH, at) >= 0) return false;
  return true;
}

function joined(groups: NumberColumn): NumberColumn {
  const starts = Uint32Array.from({ length: groups.length / WIDTH }, (_, index) => index * WIDTH);
  starts.sort((a, b) => compareKeys(groups.values, a, b));
  const result = new NumberColumn();
  let previous = -1;
  for (const start of starts) {
    const hits = groups.at(start + 3);
    if (previous >= 0 && compareKeys(groups.values, previous, start) === 0) {
      result.set(result.length - 1, addHits(result.at(result.length - 1), hits));
    } else result.pushFour(groups.at(start), groups.at(start + 1), groups.at(start + 2), hits);
    previous = start;
  }
  return result;
}

function compareKeys(groups: NumberColumn['values'], a: number, b: number): number {
  return (
    (groups[a] as number) - (groups[b] as number) ||
    (groups[a + 1] as number) - (groups[b + 1] as number) ||
    (groups[a + 2] as number) - (groups[b + 2] as number)
  );
}
