/** The known word that a mistyped one is nearest to; undefined if none is near. */
export function nearestWord(typed: string, known: readonly string[]): string | undefined {
  const max = Math.max(1, Math.floor(typed.length / 3));
  const ranked = known
    .map((word) => ({ word, steps: word.startsWith(typed) && typed.length > 1 ? 0 : distance(typed, word) }))
    .filter(({ steps }) => steps <= max)
    .sort((a, b) => a.steps - b.steps);
  return ranked[0]?.word;
}

/** How many characters have to be put in, left out, replaced or swapped with the next (optimal string alignment). */
function distance(from: string, to: string): number {
  const first = Array.from({ length: to.length + 1 }, (_, index) => index);
  const rows = [first];
  for (let i = 1; i <= from.length; i += 1) {
    const [last, row] = [rows[i - 1] as number[], [i]];
    for (let j = 1; j <= to.length; j += 1) {
      const replaced = (last[j - 1] as number) + (from[i - 1] === to[j - 1] ? 0 : 1);
      const isSwap = i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1];
      const swapped = isSwap ? (rows[i - 2]?.[j - 2] as number) + 1 : replaced;
      row.push(Math.min(replaced, swapped, (last[j] as number) + 1, (row[j - 1] as number) + 1));
    }
    rows.push(row);
  }
  return rows[from.length]?.[to.length] as number;
}
