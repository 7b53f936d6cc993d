/** Items in lists whose weights (1 each by default) are at most `most` together; one that weighs more is alone. */
export function* chunksOf<T>(
  items: Iterable<T>,
  most: number,
  weigh: (item: T) => number = () => 1,
): Generator<readonly T[]> {
  let chunk: T[] = [];
  let weight = 0;
  for (const item of items) {
    const more = weigh(item);
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
