import type { FindCursor } from 'mongodb';
import { BYTES_LIMIT } from './bytes.ts';
import type { Connection } from './connection.ts';

/** Document by document. An answer of the server has 16 MB at most, so that never more than one is in memory. */
export async function* walk<T>(run: Connection['run'], cursor: FindCursor<T>): AsyncGenerator<T> {
  try {
    for (;;) {
      const document = await run(() => cursor.next(), BYTES_LIMIT);
      if (document === null) return;
      yield document;
    }
  } finally {
    await cursor.close().catch(() => undefined);
  }
}

/** Items in lists whose weights (1 each unless told) are at most `most` together; one that weighs more is alone. */
export async function* chunksOf<T>(
  items: AsyncIterable<T> | Iterable<T>,
  most: number,
  weigh: (item: T) => number = () => 1,
): AsyncGenerator<readonly T[]> {
  let chunk: T[] = [];
  let weight = 0;
  for await (const item of items) {
    const more = Math.max(1, weigh(item));
    if (chunk.length > 0 && weight + more > most) {
      yield chunk;
      chunk = [];
      weight = 0;
    }
    chunk.push(item);
    weight += more;
  }
  if (chunk.length > 0) yield chunk;
}
