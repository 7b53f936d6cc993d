/*
 * What Node 20 lacks of the language's own functions that the sources use. Loaded before anything runs.
 */

Map.groupBy ??= function groupBy<K, T>(items: Iterable<T>, keyOf: (item: T, index: number) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>();
  let index = 0;
  for (const item of items) {
    const key = keyOf(item, index);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
    index += 1;
  }
  return groups;
};

Promise.withResolvers ??= function withResolvers<T>(): PromiseWithResolvers<T> {
  let [resolve, reject]: [PromiseWithResolvers<T>['resolve'], PromiseWithResolvers<T>['reject']] = [unset, unset];
  const promise = new Promise<T>((settle, fail) => {
    [resolve, reject] = [settle, fail];
  });
  return { promise, resolve, reject };
};

function unset(): void {
  // Replaced before anybody sees it.
}
