/** How many inputs a property is tried with: all in `npm run test:slow`, a share of them in every other run. */
export function numRuns(whole: number): number {
  return Math.max(20, Math.ceil(whole * Number(process.env.PROPERTY_SHARE ?? 1)));
}
