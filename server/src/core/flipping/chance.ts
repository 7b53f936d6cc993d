/**
 * The chance that at least `missed` of several blocks are missed in one build, each by a chance of its own and
 * independently of the others (a Poisson binomial distribution). `covers`: the chance that a build covers each.
 */
export function chanceOfMissing(covers: readonly number[], missed: number): number {
  if (missed <= 0) return 1;
  return Math.min(
    1,
    chancesOf(covers)
      .subarray(missed)
      .reduce((sum, one) => sum + one, 0),
  );
}

/** How many blocks are missed in all but a thousandth of builds: at least, and at most. */
export function usualMisses(covers: readonly number[]): { readonly least: number; readonly most: number } {
  const chances = chancesOf(covers);
  let most = covers.length;
  for (let atLeast = chances[most] as number; most > 0 && atLeast < UNUSUAL; atLeast += chances[most] as number)
    most -= 1;
  let least = 0;
  for (let atMost = chances[0] as number; least < most && atMost < UNUSUAL; atMost += chances[least] as number)
    least += 1;
  return { least, most };
}

/** Rarer than this is not chance. */
export const UNUSUAL = 0.001;

/** So rare that those of 20,000 blocks together change nothing at UNUSUAL. */
const NEGLIGIBLE = 1e-18;

/**
 * The chance of each number of missed blocks, block after block. Only numbers that are no more than negligible are gone
 * through, about the root of how many there are: the whole square of 20,000 blocks would hold a server up.
 */
function chancesOf(covers: readonly number[]): Float64Array {
  const chances = new Float64Array(covers.length + 1);
  chances[0] = 1;
  let [first, last] = [0, 0];
  for (const cover of covers) {
    last += 1;
    for (let count = last; count > first; count -= 1)
      chances[count] = (chances[count] as number) * cover + (chances[count - 1] as number) * (1 - cover);
    chances[first] = (chances[first] as number) * cover;
    for (; last > first && (chances[last] as number) < NEGLIGIBLE; last -= 1) chances[last] = 0;
    for (; first < last && (chances[first] as number) < NEGLIGIBLE; first += 1) chances[first] = 0;
  }
  return chances;
}
