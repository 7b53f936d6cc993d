/**
 * What is asked for in one turn, read with one command: a page asks for ten texts at once. The keys are distinct; what
 * is not found is not in the answer.
 */
export function createGroupedReads<T>(
  read: (keys: readonly string[]) => Promise<ReadonlyMap<string, T>>,
): (key: string) => Promise<T | undefined> {
  let next: { readonly keys: Set<string>; readonly found: Promise<ReadonlyMap<string, T>> } | undefined;
  return async (key) => {
    if (next === undefined) {
      const keys = new Set<string>();
      const found = Promise.resolve().then(() => {
        next = undefined;
        return read([...keys]);
      });
      next = { keys, found };
    }
    next.keys.add(key);
    return (await next.found).get(key);
  };
}
