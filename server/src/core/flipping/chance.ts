/** More independent blocks than this are too many for the exact sum. */
export const MAX_BLOCKS = 5_000;

/**
 * The chance that at least `missed` of several blocks are missed in one build, each by a chance of its own and
 * independently of the others (a Poisson binomial distribution). `covers`: the chance that a build covers each.
 */
export function chanceOfMissing(covers: readonly number[], missed: number): number {
  if (missed <= 0) return 1;
  if (missed > covers.length) return 0;
  // The chance of each smaller number of missed blocks, block after block.
  const fewer = new Float64Array(missed);
  fewer[0] = 1;
  for (const cover of covers)
    for (let count = missed - 1; count >= 0; count -= 1)
      fewer[count] = (fewer[count] as number) * cover + (count > 0 ? (fewer[count - 1] as number) * (1 - cover) : 0);
  return Math.max(0, 1 - fewer.reduce((sum, one) => sum + one, 0));
}

/** How many blocks are missed in all but a thousandth of builds: at least, and at most. */
export function usualMisses(covers: readonly number[]): { readonly least: number; readonly most: number } {
  let most = 0;
  while (most < covers.length && chanceOfMissing(covers, most + 1) >= UNUSUAL) most += 1;
  let least = 0;
  while (least < most && 1 - chanceOfMissing(covers, least + 1) < UNUSUAL) least += 1;
  return { least, most };
}

/** Rarer than this is not chance. */
export const UNUSUAL = 0.001;
