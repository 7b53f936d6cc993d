/**
 * The seed of a chaotic run. By default it is the same in each run, so that a failure in CI comes from the change.
 * `new`, which `npm run test:weekly` sets, draws another one each time; a number repeats the run that printed it.
 */
export function seedOf(variable: 'CHAOS_SEED' | 'FUZZ_SEED'): number {
  const given = process.env[variable] ?? '1';
  return given === 'new' ? Math.floor(Math.random() * 2 ** 31) : Number(given);
}
