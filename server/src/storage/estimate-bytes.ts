/** Some sizes of a kind, undefined those that nobody knows, and how many there are in all. */
export interface Sample {
  readonly sizes: readonly (number | undefined)[];
  readonly count: number;
}

/** What all of them take; undefined: no size of a kind is known. */
export function estimateBytes(...samples: readonly Sample[]): number | undefined {
  let all = 0;
  for (const { sizes, count } of samples) {
    const known = sizes.filter((size) => size !== undefined);
    if (known.length === 0 && count > 0) return undefined;
    const sum = known.reduce((before, size) => before + size, 0);
    all += count === 0 ? 0 : (sum / known.length) * count;
  }
  return Math.round(all);
}
