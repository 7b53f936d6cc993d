/** Items in lists whose weights (1 each unless told) are at most `most` together; one that weighs more is alone. */
export async function* chunksOf<T>(
  items: AsyncIterable<T>,
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
