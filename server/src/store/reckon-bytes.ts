/** What all builds of a repo store, where `sizes` are those of some of them; undefined: of builds that nobody measured. */
export function reckonBytes(sizes: readonly (number | undefined)[], builds: number): number | undefined {
  const known = sizes.filter((size) => size !== undefined);
  if (known.length === 0) return builds === 0 ? 0 : undefined;
  const sum = known.reduce((all, size) => all + size, 0);
  return Math.round((sum / known.length) * builds);
}
