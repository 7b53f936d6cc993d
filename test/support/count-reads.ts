/** A view of a typed array, and how many of its elements were read so far: work that is counted instead of timed. */
export function countReads<T extends Int32Array | Uint8Array>(values: T): { readonly values: T; reads(): number } {
  let reads = 0;
  const view = new Proxy(values, {
    get(target, key) {
      if (typeof key === 'string' && /^\d+$/.test(key)) reads += 1;
      const value: unknown = Reflect.get(target, key, target);
      // A typed array's own methods refuse to run on a view; what they read of it is all of it, once.
      if (typeof value !== 'function') return value;
      reads += target.length;
      return value.bind(target);
    },
  });
  return { values: view, reads: () => reads };
}
