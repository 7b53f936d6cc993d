/** How many inputs a property is tried with: all in `npm run test:slow`, a share of them in every other run. */
export function numRuns(whole: number): number {
  return Math.max(20, Math.ceil(whole * Number(process.env.PROPERTY_SHARE ?? 1)));
}

/** Evenly spaced cases of a long table: all in `npm run test:slow`, a share of them in every other run. */
export function someOf<T>(cases: readonly T[], min = 3): readonly T[] {
  const share = Math.ceil(cases.length * Number(process.env.PROPERTY_SHARE ?? 1));
  const count = Math.min(cases.length, Math.max(min, share));
  return Array.from({ length: count }, (_, index) => cases[Math.floor((index * cases.length) / count)] as T);
}
