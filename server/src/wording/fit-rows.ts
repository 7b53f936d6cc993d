/**
 * The rows that fit into `room` characters, in order; how many do not; and what the fitting ones take. A row too large
 * for what is left is passed over, so that one hostile name does not hide all others.
 */
export function fitRows(
  rows: readonly string[],
  room: number,
): { readonly rows: readonly string[]; readonly omitted: number; readonly length: number } {
  let length = 0;
  const fitting = rows.filter((row) => {
    const fits = length + row.length + 1 <= room;
    if (fits) length += row.length + 1;
    return fits;
  });
  return { rows: fitting, omitted: rows.length - fitting.length, length };
}
