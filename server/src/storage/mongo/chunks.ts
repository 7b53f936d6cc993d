/** Items in lists that weigh at most `most` together (1 each by default); an item that weighs more is alone. */
export function* chunksOf<T>(
  items: Iterable<T>,
  max: number,
  weigh: (item: T) => number = () => 1,
): Generator<readonly T[]> {
  let chunk: T[] = [];
  let weight = 0;
  for (const item of items) {
    const more = weigh(item);
    if (chunk.length > 0 && weight + more > max) {
      yield chunk;
      chunk = [];
      weight = 0;
    }
    chunk.push(item);
    weight += more;
  }
  if (chunk.length > 0) yield chunk;
}
