/** Which part of a list is asked for. */
export interface Paging {
  /** From 1. */
  readonly page: number;
  /** Entries on a page, 1 or more. */
  readonly size: number;
}

/** Where a part is in its list. */
export interface Paged {
  readonly page: number;
  /** How many pages there are; 0 when there are no entries. */
  readonly pages: number;
  /** How many entries there are on all pages. */
  readonly total: number;
}

/** One part of a list. */
export interface PartOf<T> extends Paged {
  /** Entries on a whole page. */
  readonly size: number;
  /** How many entries come before. */
  readonly offset: number;
  readonly entries: readonly T[];
}

export interface Range {
  readonly offset: number;
  readonly limit: number;
}

/** What a store or a report is asked for. */
export function toRange({ page, size }: Paging): Range {
  return { offset: (page - 1) * size, limit: size };
}

export function toPaged({ page, size }: Paging, total: number): Paged {
  return { page, pages: Math.ceil(total / size), total };
}

/** Entries that are read in one go. */
const AT_ONCE = 100;

/** The entries of a range, with a turn for others before some of them are read. */
export async function readInTurns<T>(
  { offset, limit }: Range,
  { read, turn }: { readonly read: (range: Range) => Promise<readonly T[]>; readonly turn: () => Promise<void> },
): Promise<readonly T[]> {
  const found: T[] = [];
  for (let done = 0; done < limit; done += AT_ONCE) {
    await turn();
    const some = await read({ offset: offset + done, limit: Math.min(AT_ONCE, limit - done) });
    found.push(...some);
    if (some.length < AT_ONCE) break;
  }
  return found;
}
