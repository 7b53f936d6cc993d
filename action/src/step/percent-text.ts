/**
 * A percentage with two decimals, rounded down, so that 100.00 appears only when nothing is missed (rules.md, rule 5).
 * Without a sign for percent. The number is cut as text: 4.35 is a hair less than 4.35 in binary, and has to stay 4.35.
 */
export function percentText(percent: number): string {
  const [whole, decimals] = decimalParts(percent);
  return `${whole}.${decimals.padEnd(2, '0').slice(0, 2)}`;
}

/**
 * A change in percentage points, cut toward zero to two decimals, or as many as it needs not to read as zero (rule 5),
 * with its sign; an exact zero is `0.00`.
 */
export function changeText(change: number): string {
  if (change === 0) return '0.00';
  const [whole, decimals] = decimalParts(Math.abs(change));
  const firstDigit = decimals.search(/[1-9]/) + 1;
  const shown = whole === '0' ? Math.max(2, firstDigit) : 2;
  return `${change < 0 ? '-' : '+'}${whole}.${decimals.padEnd(shown, '0').slice(0, shown)}`;
}

/** The digits before and behind the point in a number's shortest text; 0 or more. */
function decimalParts(value: number): [whole: string, decimals: string] {
  const [digits = '0', exponent] = String(value).split('e-');
  const [whole = '0', decimals = ''] = digits.split('.');
  return exponent === undefined ? [whole, decimals] : ['0', '0'.repeat(Number(exponent) - 1) + whole + decimals];
}
