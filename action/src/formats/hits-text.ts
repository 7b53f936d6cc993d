/** Sums saturate here (rules.md, rule 6): the largest integer that a JSON number holds exactly. */
export const MAX_HITS = Number.MAX_SAFE_INTEGER;

const INTEGER_OR_EXPONENT = /^([+-]?)(\d+(?:\.\d*)?(?:[eE][+]?\d+)?)$/;

/** Hits as reports write them, and whether the text was a negative count. */
export interface ReadHits {
  readonly hits: number;
  readonly negative: boolean;
}

/**
 * Reads a number of hits: integers of any size (saturated at 2^53-1), `1e+06` (perl and awk print large counts so), a
 * negative count of a racing counter (gcov; taken as 0). Undefined for anything else.
 */
export function readHits(text: string): ReadHits | undefined {
  const match = INTEGER_OR_EXPONENT.exec(text.trim());
  if (match === null) return undefined;
  const value = Number(match[2]);
  const negative = match[1] === '-' && value > 0;
  return { hits: negative ? 0 : Math.min(Math.floor(value), MAX_HITS), negative };
}

/** The sum of two numbers of hits, saturated. */
export function addHits(a: number, b: number): number {
  return Math.min(a + b, MAX_HITS);
}
