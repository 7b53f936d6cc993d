/** Bounds of a search. */
export interface SearchLimits {
  /** Lines taken out and put in. */
  readonly edits: number;
  /** Lines and diagonals looked at, over all. */
  readonly steps: number;
}

/** 1 for each element that only this side has. */
interface Marks {
  readonly removed: Uint8Array;
  readonly added: Uint8Array;
}

/** Part of both sequences, ends exclusive. */
interface Box {
  readonly oldFrom: number;
  readonly oldTo: number;
  readonly newFrom: number;
  readonly newTo: number;
}

/** A run of common elements in the middle of a shortest edit, perhaps empty: from (old, new) to (oldEnd, newEnd). */
interface Snake {
  readonly old: number;
  readonly new: number;
  readonly oldEnd: number;
  readonly newEnd: number;
}

/**
 * A shortest edit between two sequences of numbers, in linear space: E. W. Myers, "An O(ND) Difference Algorithm and
 * Its Variations" (1986), section 4b. Undefined if it is beyond the limits.
 */
export function markShortestEdit(old: Int32Array, now: Int32Array, limits: SearchLimits): Marks | undefined {
  const search = new EditSearch(old, now, limits);
  return search.split({ oldFrom: 0, oldTo: old.length, newFrom: 0, newTo: now.length }) ? search.marks : undefined;
}

class EditSearch {
  readonly marks: Marks;
  readonly #old: Int32Array;
  readonly #new: Int32Array;
  /** Half of the edits: the search goes from both ends at once. */
  readonly #depth: number;
  #stepsLeft: number;
  /** How far each diagonal reaches, from the start and from the end; diagonal k at `#depth + 1 + k`. */
  readonly #forward: Int32Array;
  readonly #backward: Int32Array;

  constructor(old: Int32Array, now: Int32Array, limits: SearchLimits) {
    this.marks = { removed: new Uint8Array(old.length), added: new Uint8Array(now.length) };
    this.#old = old;
    this.#new = now;
    this.#depth = Math.ceil(Math.min(old.length + now.length, limits.edits) / 2);
    this.#stepsLeft = limits.steps;
    this.#forward = new Int32Array(2 * this.#depth + 3);
    this.#backward = new Int32Array(2 * this.#depth + 3);
  }

  /**
   * Marks the box's edits; the two halves have half of the edits each, so the recursion is as deep as their number has
   * digits.
   */
  split(whole: Box): boolean {
    const box = this.#trim(whole);
    if (box.oldFrom === box.oldTo || box.newFrom === box.newTo) {
      this.marks.removed.fill(1, box.oldFrom, box.oldTo);
      this.marks.added.fill(1, box.newFrom, box.newTo);
      return true;
    }
    const snake = this.#findMiddle(box);
    return (
      snake !== undefined &&
      this.split({ ...box, oldTo: box.oldFrom + snake.old, newTo: box.newFrom + snake.new }) &&
      this.split({ ...box, oldFrom: box.oldFrom + snake.oldEnd, newFrom: box.newFrom + snake.newEnd })
    );
  }

  /**
   * Without what is common at both ends: what is left of both needs two edits or more, so that each half of it is
   * smaller.
   */
  #trim({ oldFrom, oldTo, newFrom, newTo }: Box): Box {
    let common = 0;
    const shortest = Math.min(oldTo - oldFrom, newTo - newFrom);
    while (common < shortest && this.#old[oldFrom + common] === this.#new[newFrom + common]) common += 1;
    let tail = 0;
    while (tail < shortest - common && this.#old[oldTo - 1 - tail] === this.#new[newTo - 1 - tail]) tail += 1;
    return { oldFrom: oldFrom + common, oldTo: oldTo - tail, newFrom: newFrom + common, newTo: newTo - tail };
  }

  /** Advances from both ends, one edit at a time, until the two meet. Positions are relative to the box. */
  #findMiddle(box: Box): Snake | undefined {
    const oldLength = box.oldTo - box.oldFrom;
    const newLength = box.newTo - box.newFrom;
    const odd = (oldLength - newLength) % 2 !== 0;
    const zero = this.#depth + 1;
    this.#forward[zero + 1] = 0;
    this.#backward[zero + 1] = 0;
    for (let edits = 0; edits <= this.#depth; edits += 1) {
      const met = this.#advance(box, edits, { forward: true, meets: odd });
      if (met !== undefined) return met;
      const back = this.#advance(box, edits, { forward: false, meets: !odd });
      if (back !== undefined)
        return {
          old: oldLength - back.oldEnd,
          new: newLength - back.newEnd,
          oldEnd: oldLength - back.old,
          newEnd: newLength - back.new,
        };
      if (this.#stepsLeft < 0) return undefined;
    }
    return undefined;
  }

  /**
   * One more edit on every diagonal that lies within the box; the snake that meets the other side's reach, where it
   * may.
   */
  #advance(box: Box, edits: number, side: { readonly forward: boolean; readonly meets: boolean }): Snake | undefined {
    const oldLength = box.oldTo - box.oldFrom;
    const newLength = box.newTo - box.newFrom;
    const [reach, others] = side.forward ? [this.#forward, this.#backward] : [this.#backward, this.#forward];
    const zero = this.#depth + 1;
    const otherEdits = side.forward ? edits - 1 : edits;
    const last = edits - 2 * Math.max(0, edits - oldLength);
    for (let diagonal = -(edits - 2 * Math.max(0, edits - newLength)); diagonal <= last; diagonal += 2) {
      const above = reach[zero + diagonal + 1] as number;
      const left = reach[zero + diagonal - 1] as number;
      const old = diagonal === -edits || (diagonal !== edits && left < above) ? above : left + 1;
      const oldEnd = old + this.#follow(box, { forward: side.forward, old, new: old - diagonal });
      reach[zero + diagonal] = oldEnd;
      const opposite = oldLength - newLength - diagonal;
      if (!side.meets || opposite < -otherEdits || opposite > otherEdits) continue;
      if (oldEnd + (others[zero + opposite] as number) >= oldLength)
        return { old, new: old - diagonal, oldEnd, newEnd: oldEnd - diagonal };
    }
    return undefined;
  }

  /** How many elements are common from here on, toward the other end. */
  #follow(box: Box, from: { readonly forward: boolean; readonly old: number; readonly new: number }): number {
    const max = Math.min(box.oldTo - box.oldFrom - from.old, box.newTo - box.newFrom - from.new);
    const step = from.forward ? 1 : -1;
    const old = from.forward ? box.oldFrom + from.old : box.oldTo - 1 - from.old;
    const now = from.forward ? box.newFrom + from.new : box.newTo - 1 - from.new;
    let common = 0;
    while (common < max && this.#old[old + common * step] === this.#new[now + common * step]) common += 1;
    this.#stepsLeft -= common + 1;
    return common;
  }
}
