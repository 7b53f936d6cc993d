/** The known name that a misspelt one is one slip away from, whatever its case, `_` and `-`; undefined: none. */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  return known.find((one) => isOneSlipAway(plain(name), plain(one)));
}

function plain(name: string): string {
  return name.toLowerCase().replaceAll(/[_-]/g, '');
}

/** One letter more, less or another, or two neighbors swapped. */
function isOneSlipAway(a: string, b: string): boolean {
  let start = 0;
  while (start < a.length && a[start] === b[start]) start += 1;
  let [endA, endB] = [a.length, b.length];
  while (endA > start && endB > start && a[endA - 1] === b[endB - 1]) {
    endA -= 1;
    endB -= 1;
  }
  const [ours, theirs] = [a.slice(start, endA), b.slice(start, endB)];
  if (ours.length <= 1 && theirs.length <= 1) return true;
  return ours.length === 2 && theirs.length === 2 && ours[0] === theirs[1] && ours[1] === theirs[0];
}
