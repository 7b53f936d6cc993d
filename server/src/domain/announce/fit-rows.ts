/** The rows that fit into `room` characters, from the first on; how many do not; and what the fitting ones take. */
export function fitRows(
  rows: readonly string[],
  room: number,
): { readonly rows: readonly string[]; readonly omitted: number; readonly length: number } {
  let length = 0;
  let fitting = 0;
  for (const row of rows) {
    if (length + row.length + 1 > room) break;
    length += row.length + 1;
    fitting += 1;
  }
  return { rows: rows.slice(0, fitting), omitted: rows.length - fitting, length };
}
